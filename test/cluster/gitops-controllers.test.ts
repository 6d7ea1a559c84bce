/** Validates the output of the layouts for Argo CD and Flux with the CRDs of Argo CD, Flux, cert-manager and the Prometheus operator. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crds } from '../../lib/api/crds.ts';
import { checkRepositoryUrl } from '../../lib/gitops/index.ts';
import { readCrdFiles } from '../../tools/crd-files.ts';
import { locateGo } from '../../tools/find.ts';
import type { CrdModuleName } from '../../tools/versions.ts';
import { runCommand, succeed } from '../command-line.ts';
import { cluster, describeCluster, holdApiGroups } from '../control-plane/cluster-test.ts';
import { installCrds, removeCrds } from '../control-plane/crds.ts';
import type { WholeObject } from '../control-plane/rest-paths.ts';

/** The kinds that layouts use, by the project that defines them. */
const wanted: Readonly<Record<CrdModuleName, readonly string[]>> = {
  'argo-cd': ['applications.argoproj.io', 'applicationsets.argoproj.io', 'appprojects.argoproj.io'],
  'kustomize-controller': ['kustomizations.kustomize.toolkit.fluxcd.io'],
  'source-controller': ['gitrepositories.source.toolkit.fluxcd.io'],
  'cert-manager': ['certificates.cert-manager.io', 'issuers.cert-manager.io'],
  'prometheus-operator': [
    'servicemonitors.monitoring.coreos.com',
    'podmonitors.monitoring.coreos.com',
    'prometheusrules.monitoring.coreos.com',
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'gitops-controllers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const objectsOf = (text: string): readonly WholeObject[] => parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);

/** Every object below a folder that the command wrote. */
function objectsBelow(path: string): readonly WholeObject[] {
  return readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .flatMap((entry) => objectsOf(readFileSync(join(entry.parentPath, entry.name), 'utf8')));
}

/** What the API server says against an object; nothing when it takes it. CRDs are there already. */
async function refusal(object: WholeObject): Promise<readonly string[]> {
  const query = { fieldValidation: 'Strict', dryRun: 'All', force: 'true' };
  const { status, body } = await cluster().client.apply(object, { query });
  return status < 300 ? [] : [`${object.kind} ${object.metadata.name}: ${status} ${body.message ?? ''}`];
}

const refusals = async (objects: readonly WholeObject[]): Promise<readonly string[]> =>
  (await Promise.all(objects.map(refusal))).flat();

const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: qwen}
spec: {services: {Frontend: {componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}}}
`;

const addresses = [
  'https://git.example.com/org/repo.git',
  'http://git.example.com/org/repo',
  'ssh://git@git.example.com/org/repo.git',
  'ssh://git@git.example.com:2222/org/repo.git',
  'https://git.example.com:8443/org/repo.git',
  'git@git.example.com:org/repo.git',
  'git://git.example.com/org/repo.git',
  'file:///srv/repo.git',
  'HTTPS://git.example.com/org/repo.git',
  'oci://registry.example.com/org/repo',
  'git.example.com/org/repo.git',
  'not-a-url',
  '/srv/repo.git',
  'https:/git.example.com/org/repo.git',
  'https://',
  'https://git.example.com',
  'https://git.example.com/a b',
  'https://user:password@git.example.com/org/repo.git',
  'https://token@git.example.com/org/repo.git',
  'ssh:///org/repo.git',
  ' https://git.example.com/org/repo.git',
  '',
];

/** Options at the edge of what names, paths and revisions may be. */
const oddities: readonly (readonly [layout: 'argocd' | 'flux', more: readonly string[]])[] = (
  ['argocd', 'flux'] as const
).flatMap((layout) =>
  [
    ['--revision', 'feature/x'],
    ['--revision', 'v1.2.3'],
    ['--revision', '0123456789012345678901234567890123456789'],
    ['--revision', 'refs/heads/main'],
    ['--revision', ''],
    ['--path', '/'],
    ['--path', './deploy/'],
    ['--path', 'a b'],
    ['--path', '../up'],
    ['--path', 'x'.repeat(300)],
    ['--env', 'Prod=none.yaml'],
    ['--env', 'a.b=none.yaml'],
    ['--env', `${'e'.repeat(40)}=none.yaml`],
    ['--env', `${'e'.repeat(300)}=none.yaml`],
    ['--env', 'a=none.yaml', '--env-kubeconfig', 'a=-x'],
    ['--env', 'a=none.yaml', '--env-kubeconfig', `a=${'k'.repeat(254)}`],
    ['--env', 'a=none.yaml', '--env-server', 'a=api.example.com'],
    ['--env', 'a=none.yaml', '--env-server', 'a=https://{{ .name }}.example.com'],
  ].map((more) => [layout, more] as const),
);

/** A layout, and options that make one environment of it or two. */
const folders: readonly (readonly [layout: string, name: string, more: readonly string[]])[] = [
  ['argocd', 'one environment', []],
  [
    'argocd',
    'two environments',
    ['--env', 'a=none.yaml', '--env', 'b=none.yaml', '--env-server', 'b=https://b.example.com:6443'],
  ],
  ['flux', 'one environment', []],
  ['flux', 'two environments', ['--env', 'a=none.yaml', '--env', 'b=none.yaml', '--env-kubeconfig', 'b=kubeconfig-b']],
];

const platform = [
  ['--release', 'controlled', '-n', 'controlled', '--graph-namespace', 'controlled-graphs', '--graph', 'graph.yaml'],
  ['--set', 'platform.monitoring.enabled=true', '--set', 'nats.config.cluster.enabled=true', '--set', 'etcd.replicaCount=3'],
].flat();
const repository = ['--repo-url', 'https://git.example.com/org/repo.git'];

describeCluster('layouts of GitOps controllers', () => {
  describe.skipIf(locateGo(process.env) === undefined)('with the CRDs of the projects themselves', () => {
    const installed: WholeObject[] = [];
    let release: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      writeFileSync(join(folder, 'graph.yaml'), graph);
      writeFileSync(join(folder, 'none.yaml'), '{}');
      release = await holdApiGroups([]);
      for (const name of Object.keys(wanted) as readonly CrdModuleName[]) {
        const all = Object.values(await readCrdFiles(name)).flatMap(objectsOf);
        installed.push(
          ...all.filter(
            ({ kind, metadata }) => kind === 'CustomResourceDefinition' && wanted[name].includes(metadata.name ?? ''),
          ),
        );
      }
      expect(installed.map(({ metadata }) => metadata.name ?? '').toSorted()).toEqual(Object.values(wanted).flat().toSorted());
      await installCrds(cluster().client, [...installed, ...crds()]);
      for (const name of ['argocd', 'flux-system', 'controlled', 'controlled-graphs'])
        await cluster().client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    });
    afterAll(async () => {
      await removeCrds(cluster().client, installed);
      await release?.();
    });

    test.each(folders)('everything of layout %s is accepted: %s', async (layout, name, more) => {
      const path = `${layout}-${name.replace(' ', '-')}`;
      await succeed(folder, 'gitops', '--layout', layout, ...platform, ...repository, ...more, '-o', path);
      const objects = objectsBelow(path);
      const kinds = new Set(objects.map(({ kind }) => kind));
      const own =
        layout === 'flux'
          ? ['GitRepository', 'Kustomization']
          : ['AppProject', more.length === 0 ? 'Application' : 'ApplicationSet'];
      for (const kind of [...own, 'Certificate', 'Issuer', 'ServiceMonitor', 'PodMonitor', 'DynamoGraphDeployment'])
        expect(kinds).toContain(kind);
      expect(await refusals(objects)).toEqual([]);
    });

    test('an object that a controller does not take is refused, so that the test above can fail', async () => {
      const [source] = objectsBelow('flux-one-environment/flux');
      if (source === undefined) throw new Error('there is no GitRepository');
      expect(
        await refusals([{ ...source, spec: { interval: 'often', url: 'git@git.example.com:x.git', branch: 'main' } }]),
      ).toEqual([expect.stringContaining('GitRepository dynamo: ')]);
    });

    test('addresses that Flux refuses are refused, and some more that it cannot reach', async () => {
      const gitRepository = (url: string): WholeObject => ({
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { name: 'dynamo', namespace: 'flux-system' },
        spec: { interval: '1m', url, ref: { branch: 'main' } },
      });
      const onlyUs: string[] = [];
      for (const url of addresses) {
        const theirs = (await refusal(gitRepository(url))).length > 0;
        const ours = checkRepositoryUrl('flux', url) !== undefined;
        if (theirs) expect(ours, url).toBe(true);
        else if (ours) onlyUs.push(url);
      }
      expect(onlyUs).toEqual([
        'https://',
        'https://git.example.com',
        'https://git.example.com/a b',
        'https://user:password@git.example.com/org/repo.git',
        'https://token@git.example.com/org/repo.git',
        'ssh:///org/repo.git',
      ]);
    });

    const tried = oddities.filter((_, index) => process.env['LONG'] !== undefined || index % 3 === 0);
    test.each(tried)('what is odd is refused by the command or accepted by the API server: %s %j', async (layout, more) => {
      const { code } = await runCommand(folder, ['gitops', '--layout', layout, ...repository, ...more, '--dry-run', '-o', 'odd']);
      expect([0, 1]).toContain(code);
      if (code === 1) return;
      await succeed(folder, 'gitops', '--layout', layout, ...repository, ...more, '-o', 'odd');
      expect(await refusals(objectsBelow(`odd/${layout}`))).toEqual([]);
      rmSync(join(folder, 'odd'), { recursive: true });
    });
  });
});

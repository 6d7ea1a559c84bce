import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart } from 'cdk8s';
import { parse } from 'yaml';
import { afterAll, expect, test } from 'vitest';
import { GitOpsApp, type GitOpsAppProps } from '../../lib/gitops/gitops-app.ts';
import { DynamoChart, DynamoGraph, Engine, Model } from '../../lib/graph/index.ts';
import { DynamoPlatform, type PlatformValues } from '../../lib/platform/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'gitops-app-'));
afterAll(() => rmSync(folder, { recursive: true }));

function app(
  name: string,
  props: Omit<GitOpsAppProps, 'outdir'>,
  environments: Readonly<Record<string, PlatformValues>>,
): string {
  const outdir = join(folder, name);
  const gitops = new GitOpsApp({ ...props, outdir });
  for (const [id, values] of Object.entries(environments))
    new DynamoPlatform(new Chart(gitops, id, { namespace: 'dynamo-system' }), 'platform', { values, cluster: id });
  const graphs = new DynamoChart(gitops, 'graphs', { namespace: 'models' });
  DynamoGraph.aggregated(graphs, 'qwen', { model: Model.huggingFace('Qwen/Qwen3-0.6B'), engine: Engine.vllm() });
  gitops.synth();
  return outdir;
}

const read = (path: string) => parse(readFileSync(path, 'utf8'));

test('an app writes a kustomize tree with one overlay per platform chart', () => {
  const out = app(
    'kustomize',
    { layout: 'kustomize' },
    { test: {}, production: { 'dynamo-operator': { controllerManager: { replicas: 2 } } } },
  );
  expect(readdirSync(join(out, 'overlays')).toSorted()).toEqual(['production', 'test']);
  expect(read(join(out, 'overlays/production/kustomization.yaml')).replicas).toEqual([
    { name: 'dynamo-platform-dynamo-operator-controller-manager', count: 2 },
  ]);
  expect(readdirSync(join(out, 'bases/graphs'))).toContain('dynamographdeployment-models.qwen.yaml');
});

test('an app writes Argo CD applications for its repository', () => {
  const out = app(
    'argocd',
    { layout: 'argocd', repository: { url: 'https://git.example.com/x.git', path: 'deploy' } },
    { production: {} },
  );
  expect(read(join(out, 'argocd/application-dynamo-production.yaml')).spec.source).toEqual({
    repoURL: 'https://git.example.com/x.git',
    targetRevision: 'main',
    path: 'deploy/manifests/production',
  });
});

test('an app writes plain files and Flux steps', () => {
  expect(readdirSync(app('plain', { layout: 'plain' }, { production: {} })).toSorted()).toEqual([
    '.dynamo-cdk8s-files',
    '0-crds',
    '1-platform',
    '2-graphs',
    'README.md',
  ]);
  expect(
    existsSync(
      join(app('flux', { layout: 'flux', repository: { url: 'ssh://git@x/y' } }, { production: {} }), 'flux/dynamo.yaml'),
    ),
  ).toBe(true);
});

test('an app brings the namespace of the platform, unless the values leave it to others', () => {
  const namespace = '1-platform/00-namespaces-namespace-dynamo-system.yaml';
  expect(existsSync(join(app('brings', { layout: 'plain' }, { production: {} }), namespace))).toBe(true);
  const values = { platform: { namespace: { create: false } } };
  expect(existsSync(join(app('leaves', { layout: 'plain' }, { production: values }), namespace))).toBe(false);
});

test('fails before anything is written when Pod Security would refuse the pods of a graph', () => {
  const outdir = join(folder, 'refused-pods');
  const gitops = new GitOpsApp({ layout: 'plain', outdir });
  new DynamoPlatform(new Chart(gitops, 'production', { namespace: 'dynamo-system' }), 'platform');
  const graphs = new DynamoChart(gitops, 'graphs', { namespace: 'dynamo-system' });
  DynamoGraph.aggregated(graphs, 'qwen', { model: Model.huggingFace('Qwen/Qwen3-0.6B'), engine: Engine.vllm() });
  expect(() => gitops.synth()).toThrow(/DynamoGraphDeployment dynamo-system\/qwen .*enforces Pod Security restricted/);
  expect(existsSync(outdir)).toBe(false);
});

test("an app leaves a user's files in its folder", () => {
  mkdirSync(join(folder, 'kept'));
  writeFileSync(join(folder, 'kept/mine.txt'), 'mine');
  app('kept', { layout: 'plain' }, { production: {} });
  app('kept', { layout: 'plain' }, { production: { etcd: { enabled: false } } });
  expect(readFileSync(join(folder, 'kept/mine.txt'), 'utf8')).toBe('mine');
  expect(readdirSync(join(folder, 'kept/1-platform')).some((f) => f.includes('etcd'))).toBe(false);
});

test('fails before anything is written when two environments share a cluster, an address is none, or a secret would be written', () => {
  const repository = { url: 'https://git.example.com/x.git' };
  expect(() => app('shared', { layout: 'argocd', repository }, { test: {}, production: {} })).toThrow('both go to');
  expect(() => app('address', { layout: 'flux', repository: { url: 'git@x:y.git' } }, { test: {} })).toThrow('that Flux accepts');
  const extraResources = [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }];
  expect(() => app('secret', { layout: 'plain' }, { test: { nats: { extraResources } } })).toThrow(
    'Secret dynamo-system/s: a Secret',
  );
  for (const name of ['shared', 'address', 'secret']) expect(existsSync(join(folder, name))).toBe(false);
  app('allowed', { layout: 'plain', allowSecrets: true }, { test: { nats: { extraResources } } });
  const targets = { test: { server: 'https://test:6443' }, production: { server: 'https://production:6443' } };
  const out = app('targets', { layout: 'argocd', repository, targets }, { test: {}, production: {} });
  expect(
    read(join(out, 'argocd/applicationset-dynamo.yaml')).spec.generators[0].list.elements.map(
      (e: { server: string }) => e.server,
    ),
  ).toEqual(['https://test:6443', 'https://production:6443']);
});

test('fails before anything is written when a layout lacks its repository', () => {
  expect(() => app('none', { layout: 'flux' }, { production: {} })).toThrow('layout flux requires the property repository');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('fails before anything is written when values are wrong', () => {
  expect(() =>
    app('wrong', { layout: 'plain' }, { production: { 'dynamo-operator': { discoveryBackend: 'zookeeper' as never } } }),
  ).toThrow('discoveryBackend');
  expect(existsSync(join(folder, 'wrong'))).toBe(false);
});

test('fails where a cluster is given for an environment that the app does not have, or in a way that the controller does not read', () => {
  const repository = { url: 'https://git.example.com/x.git' };
  const server = { server: 'https://a:6443' };
  const misspelt = { layout: 'argocd', repository, targets: { prodution: server } } as const;
  expect(() => app('misspelt', misspelt, { production: {} })).toThrow(
    'targets.prodution: no chart with a DynamoPlatform has the id',
  );
  const unread = { layout: 'flux', repository, targets: { production: server } } as const;
  expect(() => app('unread', unread, { production: {} })).toThrow(
    'environment production: Flux finds its cluster by kubeConfig only',
  );
  const both = { layout: 'flux', repository, targets: { production: { ...server, kubeConfig: 'a' } } } as const;
  expect(existsSync(app('both', both, { production: {} }))).toBe(true);
});

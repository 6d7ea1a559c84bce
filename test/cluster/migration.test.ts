/** Moves recorded releases of the original to our manifests and back on a real API server, with a real helm: no pod template may change. */
import type { KubernetesObject } from '../../lib/api/index.ts';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import type { ContextOptions } from '../../lib/platform/platform-context.ts';
import { atPath } from '../../lib/platform/go-values.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, holdApiGroups, newNamespace } from '../control-plane/cluster-test.ts';
import { ofRelease, writeRecordedChart } from '../docs/helm-release.ts';
import { recordings, type Recording } from '../platform/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'migration-'));
const chart = join(folder, 'chart');

/** Releases that differ in what they store: the default, restricted, clustered, authenticated, with a box, with certificates of every kind. */
const allIds = ['p001-defaults', 'p005-restricted', 'p015-webhook-certmanager', 'p053-nats-box-exporter'];
const ids = process.env['LONG'] === undefined ? allIds.slice(0, 1) : allIds;
const cases = recordings()
  .filter(({ id }) => ids.includes(id))
  .map((recording, index) => ofRelease(recording, index % 2 === 0 ? '0.9.0' : '0.9.1'));

const workloadKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
] as const;

async function helm(...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: cluster().connection.kubeconfig };
  const { stdout, stderr } = await promisify(execFile)(await findTool('helm'), args, { env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

async function kubectl(args: readonly string[], objects?: readonly KubernetesObject[]): Promise<string> {
  const file = join(folder, 'objects.json');
  if (objects !== undefined) writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const { exitCode, stdout, stderr } = await cluster().kubectl([...args, ...(objects === undefined ? [] : ['-f', file])]);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

const apply = (objects: readonly KubernetesObject[]): Promise<string> =>
  kubectl(['apply', '--server-side', '--force-conflicts'], objects);

/** Pod templates of the release by workload. */
async function templates(namespace: string): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const { apiVersion, kind } of workloadKinds)
    for (const object of succeeded(await cluster().client.list({ apiVersion, kind, namespace })).items)
      found[`${kind} ${object.metadata.name}`] = atPath(object as JsonObject, 'spec.template');
  return found;
}

/** Names of what a roll-out makes: ReplicaSets and revisions of StatefulSets. */
async function revisions(namespace: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const kind of ['ReplicaSet', 'ControllerRevision'])
    for (const { metadata } of succeeded(await cluster().client.list({ apiVersion: 'apps/v1', kind, namespace })).items)
      names.push(metadata.name);
  return names.toSorted();
}

async function untilRolledOut(namespace: string): Promise<readonly string[]> {
  const workloads = Object.keys(await templates(namespace)).length;
  for (;;) {
    const now = await revisions(namespace);
    if (now.length >= workloads) return now;
    await setTimeout(50);
  }
}

/** The values of docs/operations/migration.md: what Helm made up is left alone. */
async function adoptionValues({ values, release, namespace }: Recording): Promise<JsonObject> {
  const now = Object.entries(await templates(namespace));
  const made = now.find(([name]) => name.endsWith('-etcd'))?.[1] as JsonObject | undefined;
  const tag = /kubernetes-operator:([^"]*)"/.exec(JSON.stringify(now))?.[1] ?? '';
  const sum = atPath(made, 'metadata', 'annotations', 'checksum/token-secret');
  const hooks = atPath(values, 'dynamo-operator.webhook.certManager.enabled') !== true;
  return mergeLayers([
    values,
    {
      platform: { profile: 'parity', switches: { 'no-hooks': true, 'release-flags': true } },
      'dynamo-operator': { controllerManager: { manager: { image: { tag } } } },
    },
    hooks ? { platform: { certificates: { mode: 'external' } }, 'dynamo-operator': { webhook: { caBundle: 'Q0E=' } } } : {},
    sum === undefined
      ? {}
      : {
          etcd: {
            auth: { token: { privateKey: { existingSecret: `${release}-etcd-jwt-token` } } },
            podAnnotations: { 'checksum/token-secret': sum },
          },
        },
  ]);
}

function rendered(
  values: JsonObject,
  { release, namespace, apiVersions, kubeVersion }: Recording,
  options: ContextOptions = {},
): readonly KubernetesObject[] {
  const { objects, issues } = renderPlatform(values, { release, namespace, apiVersions, kubeVersion, ...options });
  expect(issues).toEqual([]);
  return objects;
}

async function untilGone(name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await cluster().client.delete(namespace);
  while ((await cluster().client.get(namespace)).status !== 404) await setTimeout(100);
}

async function installWithHelm(recording: Recording): Promise<void> {
  rmSync(chart, { recursive: true, force: true });
  writeRecordedChart(chart, recording);
  await untilGone(recording.namespace);
  const said = await helm('install', recording.release, chart, '-n', recording.namespace, '--create-namespace', '--no-hooks');
  expect(said).toContain('STATUS: deployed');
}

async function forget({ release, namespace }: Recording, objects: readonly KubernetesObject[]): Promise<void> {
  await kubectl(['-n', namespace, 'delete', 'secret', '-l', `owner=helm,name=${release}`]);
  await kubectl(['annotate', 'meta.helm.sh/release-name-', 'meta.helm.sh/release-namespace-'], objects);
}

describe.skipIf(missingTools(['helm']).length > 0)('moving from Helm', () => {
  describeCluster('on a real API server', () => {
    let release: (() => Promise<void>) | undefined;
    let applied: KubernetesObject[] = [];
    beforeAll(async () => {
      release = await holdApiGroups(['cert-manager.io', 'monitoring.coreos.com']);
    });
    afterAll(async () => {
      await release?.();
      rmSync(folder, { recursive: true });
    });
    afterEach(async () => {
      for (const object of applied) await cluster().client.delete(object);
      applied = [];
      for (const { release: name, namespace } of cases) {
        await helm('uninstall', name, '-n', namespace, '--no-hooks');
        await untilGone(namespace);
      }
    });

    test('the recorded releases are there', () => {
      expect(cases.map(({ id }) => id)).toEqual(ids);
    });

    test.each(cases.map((recording) => [recording.id, recording] as const))(
      'adopting %s and going back changes no pod template and makes no revision',
      async (_id, recording) => {
        const { namespace } = recording;
        await installWithHelm(recording);
        const [before, made] = [await templates(namespace), await untilRolledOut(namespace)];
        expect(Object.keys(before).length).toBeGreaterThan(1);
        const objects = rendered(await adoptionValues(recording), recording);
        applied = [...objects];

        await apply(objects);
        await forget(recording, objects);
        expect(await templates(namespace)).toEqual(before);
        expect(await revisions(namespace)).toEqual(made);
        expect(await helm('uninstall', recording.release, '-n', namespace)).toContain('not found');
        expect(await templates(namespace)).toEqual(before);

        const said = await helm(
          'upgrade',
          '--install',
          recording.release,
          chart,
          '-n',
          namespace,
          '--take-ownership',
          '--no-hooks',
        );
        expect(said).toContain('STATUS: deployed');
        expect(await templates(namespace)).toEqual(before);
        expect(await revisions(namespace)).toEqual(made);
      },
    );

    test.runIf(process.env['LONG'] !== undefined)(
      'without the handing over of fields, what Helm wrote and we leave out stays',
      async () => {
        const [recording] = cases;
        if (recording === undefined) throw new Error('no recording');
        await installWithHelm(recording);
        const adopted = rendered(await adoptionValues(recording), recording);
        const secure = rendered(recording.values, recording);
        applied = [...adopted, ...secure];
        await apply(adopted);
        await apply(secure);
        expect(JSON.stringify(await templates(recording.namespace))).toContain('ETCD_AUTH_TOKEN');
      },
    );

    test('after the move to the profile secure the cluster has what a fresh install would have', async () => {
      const [recording] = cases;
      if (recording === undefined) throw new Error('no recording');
      const { namespace } = recording;
      await installWithHelm(recording);
      const adopted = rendered(await adoptionValues(recording), recording);
      const secure = rendered(recording.values, recording);
      applied = [...adopted, ...secure];
      await apply(adopted);
      await forget(recording, adopted);
      const mark = 'kubectl.kubernetes.io/last-applied-configuration={}';
      await kubectl(['annotate', '--field-manager=helm', '--overwrite', mark], adopted);
      await apply(secure);
      const live = await templates(namespace);
      for (const object of secure.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')) {
        const fresh = { ...object, metadata: { ...object.metadata, name: `${object.metadata.name}-fresh` } };
        const { body } = await cluster().client.dryRunCreate(fresh);
        expect(live[`${object.kind} ${object.metadata.name}`]).toEqual(atPath(body as JsonObject, 'spec.template'));
      }
    });

    test.each(cases.map((recording) => [recording.id, recording] as const))(
      'no upgrade from one profile to the other is refused: %s',
      async (_id, recording) => {
        const values = mergeLayers([
          recording.values,
          { etcd: { auth: { token: { enabled: false } } }, platform: { certificates: { mode: 'cert-manager' } } },
        ]);
        const names = { release: `move-${randomBytes(3).toString('hex')}`, namespace: await newNamespace() };
        const parity = rendered(values, recording, {
          ...names,
          profile: 'parity',
          switches: { 'no-hooks': true, 'certificate-names': true },
        });
        const secure = rendered(values, recording, names);
        applied = [...parity, ...secure];
        for (const objects of [parity, secure, parity]) await apply(objects);
      },
    );
  });
});

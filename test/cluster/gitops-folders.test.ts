import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../lib/cli/program.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { cluster, describeCluster, holdApiGroups } from '../control-plane/cluster-test.ts';

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface StoredObject {
  readonly metadata: { readonly resourceVersion: string };
  readonly status?: object;
}

const folder = mkdtempSync(join(tmpdir(), 'gitops-'));
afterAll(() => rmSync(folder, { recursive: true }));

const environments = {
  base: { 'dynamo-operator': { webhook: { timeoutSeconds: 5 } } },
  test: { etcd: { enabled: false }, 'dynamo-operator': { controllerManager: { manager: { image: { tag: '0.9.1' } } } } },
  production: {
    global: { imageRegistry: 'mirror.example.com' },
    'dynamo-operator': { controllerManager: { replicas: 3 } },
    nats: { natsBox: { enabled: true } },
  },
};

const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: qwen, namespace: models}
spec: {services: {Frontend: {componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}}}
`;

/** Runs a command line in the test's folder and returns what it printed. */
async function command(...argv: readonly string[]): Promise<string> {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    out: (t: string) => out.push(t),
    err: (t: string) => err.push(t),
    stdin: async () => new Uint8Array(),
    cwd: folder,
    env: {},
    colour: { out: false, err: false },
  };
  const code = await runProgram(argv, io, '0');
  if (code !== 0) throw new Error(`exit ${code}: ${err.join('')}`);
  return out.join('');
}

const read = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text)
    .map((d) => d.toJS())
    .filter((o) => o !== null);
const key = (o: KubernetesObject): string => `${o.apiVersion} ${o.kind} ${o.metadata.namespace ?? ''}/${o.metadata.name}`;
const byKey = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.map((o) => [key(o), o]));
const values = (name: string): string => join(folder, `${name}.json`);

beforeAll(() => {
  for (const [name, value] of Object.entries(environments)) writeFileSync(values(name), JSON.stringify(value));
  writeFileSync(join(folder, 'graph.yaml'), graph);
});

describe.skipIf(missingTools(['kustomize']).length > 0)('kustomize', () => {
  beforeAll(() =>
    command(
      'gitops',
      '-f',
      values('base'),
      '--env',
      `test=${values('test')}`,
      '--env',
      `production=${values('production')}`,
      '--graph',
      'graph.yaml',
      '--layout',
      'kustomize',
      '-o',
      'kustomize',
    ),
  );

  test.each(['test', 'production'] as const)(
    'the overlay %s builds to exactly what platform renders for its values',
    async (name) => {
      const built = byKey(
        read(
          execFileSync(await findTool('kustomize'), ['build', join(folder, 'kustomize/overlays', name)], {
            encoding: 'utf8',
            maxBuffer: 1 << 28,
          }),
        ),
      );
      const wanted = read(
        await command(
          'platform',
          '-f',
          values('base'),
          '-f',
          values(name),
          '--set',
          'platform.namespace.create=true',
          '--include-crds',
        ),
      );
      expect([...built.keys()].toSorted()).toEqual(
        [...wanted.map(key), 'nvidia.com/v1alpha1 DynamoGraphDeployment models/qwen', 'v1 Namespace /models'].toSorted(),
      );
      for (const object of wanted) expect(built.get(key(object)), key(object)).toEqual(object);
    },
  );
});

describeCluster('plain files on a real API server', () => {
  let release: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    release = await holdApiGroups(['cert-manager.io', 'monitoring.coreos.com']);
  });
  afterAll(() => release?.());

  test.each(['base', 'production'] as const)(
    'applying them twice changes nothing the second time, one by one and in one go: %s',
    async (name) => {
      await command(
        'gitops',
        '-f',
        values(name),
        '--set',
        'platform.monitoring.enabled=true',
        '--release',
        name,
        '-n',
        `plain-${name}`,
        '--graph',
        'graph.yaml',
        '--layout',
        'plain',
        '-o',
        `plain-${name}`,
      );
      const apply = async (path: string): Promise<readonly string[]> => {
        const { exitCode, stdout, stderr } = await cluster().kubectl(['apply', '-f', path]);
        expect(exitCode, stderr).toBe(0);
        return stdout.trim().split('\n');
      };
      const platform = join(folder, `plain-${name}/1-platform`);
      // controllers write status at their own pace: content and generation tell what an apply changed
      const stored = async (): Promise<readonly object[]> => {
        const paths = [`plain-${name}/0-crds`, `plain-${name}/1-platform`].flatMap((p) => ['-f', join(folder, p)]);
        const { items } = JSON.parse((await cluster().kubectl(['get', ...paths, '-o', 'json'])).stdout);
        return items.map(({ status: _status, metadata: { resourceVersion: _version, ...metadata }, ...rest }: StoredObject) => ({
          ...rest,
          metadata,
        }));
      };
      await apply(join(folder, `plain-${name}/0-crds`));
      const files = readdirSync(platform).toSorted();
      if (name === 'base') for (const file of files) await apply(join(platform, file));
      else await apply(platform);
      const before = await stored();
      // kubectl may say "configured" where the API server fills in list items or a patch replaces a selector; versions tell what really changed
      await apply(join(folder, `plain-${name}/0-crds`));
      await apply(platform);
      expect(await stored()).toEqual(before);
      if (name === 'base') for (const file of files) await apply(join(platform, file));
      expect(await stored()).toEqual(before);
      const { stderr } = await cluster().kubectl(['delete', '--wait=false', '-f', platform]);
      expect(stderr).not.toContain('rror');
    },
  );

  test('every namespaced object names its namespace', () => {
    const text = readdirSync(join(folder, 'plain-base/1-platform')).map((f) =>
      readFileSync(join(folder, 'plain-base/1-platform', f), 'utf8'),
    );
    const homeless = text
      .flatMap(read)
      .filter((o) => o.metadata.namespace === undefined && !/^(Cluster|Namespace|Validating)/.test(o.kind));
    expect(homeless).toEqual([]);
  });
});

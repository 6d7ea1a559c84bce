import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const isLong = process.env['LONG'] !== undefined;
/** The last of some cases, which has most in it; all of them in a long run. */
const sample = <T>(cases: readonly T[]): readonly T[] => (isLong ? cases : cases.slice(-1));
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

  test.each(sample(['test', 'production'] as const))(
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

describe.skipIf(missingTools(['kustomize']).length > 0)('names in kustomize', () => {
  /** Every string of a value that is not a label, with its path. */
  function* strings(value: unknown, path = ''): Iterable<readonly [string, string]> {
    if (typeof value === 'string') yield [path, value];
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        if (!['labels', 'matchLabels', 'selector'].includes(key)) yield* strings(inner, `${path}.${key}`);
  }

  async function build(name: string, sets: readonly string[], above: object): Promise<readonly KubernetesObject[]> {
    const set = sets.flatMap((s) => ['--set', s]);
    await command('gitops', '--env', `x=${values('base')}`, ...set, '--layout', 'kustomize', '-o', name);
    mkdirSync(join(folder, `${name}-above`));
    const resources = [`../${name}/overlays/x`];
    writeFileSync(join(folder, `${name}-above/kustomization.yaml`), JSON.stringify({ resources, ...above }));
    const argv = ['build', join(folder, `${name}-above`)];
    return read(execFileSync(await findTool('kustomize'), argv, { encoding: 'utf8', maxBuffer: 1 << 28 }));
  }

  const everything = [
    'nats.config.cluster.enabled=true',
    'etcd.replicaCount=3',
    'grove.enabled=true',
    'nats.natsBox.enabled=true',
    'platform.monitoring.enabled=true',
  ];

  const changes: readonly (readonly [name: string, change: Readonly<Record<string, string>>])[] = [
    ['prefix', { namePrefix: 'team-' }],
    ['suffix', { nameSuffix: '-v2' }],
    ['namespace', { namespace: 'other' }],
    ['all', { namePrefix: 'team-', nameSuffix: '-v2', namespace: 'other' }],
  ];

  test.each(sample(changes))('hold in every string: %s', async (name, change) => {
    const built = await build(`names-${name}`, everything, { ...change, transformers: [`../names-${name}/overlays/x/names`] });
    const { namePrefix = '', nameSuffix = '', namespace = 'dynamo-system' } = change;
    const nats = `${namePrefix}dynamo-platform-nats${nameSuffix}.${namespace}.svc.cluster.local:4222`;
    const all = built.flatMap((o) =>
      [...strings(o)].map(([path, text]) => ({ at: `${o.kind} ${o.metadata.name}${path}`, text })),
    );
    expect(all.map((s) => s.text)).toContain(`--natsAddr=nats://${nats}`);
    expect(all.map((s) => s.text)).toContain(
      `${namespace}/${namePrefix}dynamo-platform-dynamo-operator-serving-cert${nameSuffix}`,
    );
    const platform = built.filter((o) => o.kind !== 'CustomResourceDefinition' && o.kind !== 'Namespace');
    const before = new Set(
      read(await command('platform', '-f', values('base'), ...everything.flatMap((s) => ['--set', s])))
        .map((o) => o.metadata.name)
        .filter((n) => n.startsWith('dynamo-platform-')),
    );
    const stale = platform
      .flatMap((o) => [...strings(o)].map(([path, text]) => ({ at: `${o.kind}/${o.metadata.name}${path}`, text })))
      .filter(({ text }) =>
        [...before].some((old) => {
          const name = old.replaceAll('.', '\\.');
          const names = namePrefix + nameSuffix !== '' && new RegExp(`(?<![a-z0-9-])${name}(?=$|[^a-z0-9-]|-\\d)`).test(text);
          return names || (namespace === 'other' && /(?<![a-z0-9-])(dynamo-system|kube-system)(?![a-z0-9-])/.test(text));
        }),
      );
    expect(stale).toEqual([]);
    // nothing that kustomize made for itself is left
    expect(built.map((o) => o.metadata.name).filter((n) => n.includes('name-pieces'))).toEqual([]);
  });

  test('names of one word hold in addresses and are left alone elsewhere', async () => {
    const sets = ['nats.fullnameOverride=nats', 'etcd.fullnameOverride=etcd'];
    const built = await build('words', sets, { namePrefix: 'a-', transformers: ['../words/overlays/x/names'] });
    const texts = built.flatMap((o) => [...strings(o)].map(([, text]) => text));
    expect(texts).toContain('--natsAddr=nats://a-nats.dynamo-system.svc.cluster.local:4222');
    expect(texts).toContain('--etcdAddr=a-etcd.dynamo-system.svc.cluster.local:2379');
    const server = built.find((o) => o.kind === 'StatefulSet' && o.metadata.name === 'a-nats');
    expect(server).toMatchObject({ spec: { template: { spec: { containers: [{ name: 'nats' }, { name: 'reloader' }] } } } });
  });

  test('hold for a prefix in the overlay itself', async () => {
    await command('gitops', '--env', `x=${values('base')}`, '--layout', 'kustomize', '-o', 'inside');
    const file = join(folder, 'inside/overlays/x/kustomization.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}namePrefix: in-\n`);
    const built = execFileSync(await findTool('kustomize'), ['build', join(folder, 'inside/overlays/x')], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    expect(built).toContain('--natsAddr=nats://in-dynamo-platform-nats.dynamo-system.svc');
  });
});

describeCluster('plain files on a real API server', () => {
  let release: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    release = await holdApiGroups(['cert-manager.io', 'monitoring.coreos.com']);
  });
  afterAll(() => release?.());

  test.each(sample(['base', 'production'] as const))(
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
    const text = readdirSync(join(folder, 'plain-production/1-platform')).map((f) =>
      readFileSync(join(folder, 'plain-production/1-platform', f), 'utf8'),
    );
    const homeless = text
      .flatMap(read)
      .filter((o) => o.metadata.namespace === undefined && !/^(Cluster|Namespace|Validating)/.test(o.kind));
    expect(homeless).toEqual([]);
  });
});

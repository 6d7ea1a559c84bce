import type { KubernetesObject } from '../../lib/api/index.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wireNames, type NameWiring } from '../../lib/gitops/kustomize-names.ts';

const object = (kind: string, name: string, body: object = {}, namespace = 'dynamo'): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
  ...body,
});

interface Replacement {
  readonly source: { readonly kind: string; readonly name: string; readonly fieldPath: string };
  readonly targets: readonly {
    readonly select: { readonly kind: string; readonly name: string };
    readonly fieldPaths: readonly string[];
    readonly options?: { readonly delimiter: string; readonly index: number };
  }[];
}

/** Steps of a field path: `a.[b.c].0`. */
const steps = (path: string): readonly string[] =>
  (path.match(/\[[^\]]*\]|[^.]+/g) ?? []).map((s) => s.replaceAll(/^\[|\]$/g, ''));

/** Applies replacements one after the other, as kustomize documents them, to objects whose names were changed. */
function apply(
  objects: readonly KubernetesObject[],
  { replacements, pieces }: NameWiring,
  rename: (name: string) => string,
  namespace: string,
): readonly KubernetesObject[] {
  const copies: KubernetesObject[] = structuredClone([...objects, ...(pieces ? [pieces] : [])]);
  const key = (o: { readonly kind: string; readonly name: string }): string => `${o.kind}/${o.name}`;
  const byKey = new Map(copies.map((o) => [key({ kind: o.kind, name: o.metadata.name }), o]));
  for (const { source, targets } of replacements as unknown as readonly Replacement[])
    for (const { select, fieldPaths, options } of targets) {
      const value =
        source.fieldPath === 'metadata.name'
          ? rename(source.name)
          : source.fieldPath === 'metadata.namespace'
            ? namespace
            : steps(source.fieldPath).reduce<unknown>((v, s) => (v as Record<string, unknown>)[s], byKey.get(key(source)));
      const path = steps(fieldPaths[0] ?? '');
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((v, s) => (v as Record<string, unknown>)[s], byKey.get(key(select))) as Record<string, string>;
      const last = path.at(-1) ?? '';
      const parts = (parent[last] ?? '').split(options?.delimiter ?? '\0');
      parts[options?.index ?? 0] = value as string;
      parent[last] = parts.join(options?.delimiter ?? '\0');
    }
  return copies.slice(0, objects.length);
}

const names = ['dynamo-nats', 'dynamo-nats-headless', 'dynamo-etcd'];
const services = names.map((name) => object('Service', name));

/** What a string becomes when names get a prefix and the namespace another name. */
function renamed(text: string): string {
  const objects = [...services, object('Deployment', 'dynamo-operator', { text })];
  const result = apply(objects, wireNames(objects, 'dynamo'), (name) => `x-${name}`, 'other');
  return (result.at(-1) as unknown as { readonly text: string }).text;
}

test.each([
  ['dynamo-nats', 'x-dynamo-nats'],
  ['dynamo', 'other'],
  ['--natsAddr=nats://dynamo-nats.dynamo.svc.cluster.local:4222', '--natsAddr=nats://x-dynamo-nats.other.svc.cluster.local:4222'],
  ['dynamo/dynamo-etcd', 'other/x-dynamo-etcd'],
  ['nats://dynamo-nats-0.dynamo-nats-headless:6222', 'nats://x-dynamo-nats-0.x-dynamo-nats-headless:6222'],
  ['--namespace=dynamo', '--namespace=other'],
  [
    'dynamo-etcd-0=http://dynamo-etcd-0.dynamo:2380,dynamo-etcd-1=http://dynamo-etcd-1.dynamo:2380',
    'x-dynamo-etcd-0=http://x-dynamo-etcd-0.other:2380,x-dynamo-etcd-1=http://x-dynamo-etcd-1.other:2380',
  ],
  [
    '{\n  "name": "dynamo-nats",\n  "routes": ["nats://dynamo-nats-0.dynamo-nats-headless:6222"]\n}\n',
    '{\n  "name": "x-dynamo-nats",\n  "routes": ["nats://x-dynamo-nats-0.x-dynamo-nats-headless:6222"]\n}\n',
  ],
])('carries names into %j', (text, expected) => {
  expect(renamed(text)).toBe(expected);
});

test.each(['dynamo-nats-js', 'my-dynamo-nats', 'dynamo-natsx', 'dynamos', 'x-dynamo', 'dynamo-nats-v2', ''])(
  'leaves %j alone',
  (text) => {
    expect(renamed(text)).toBe(text);
  },
);

test.each([
  ['nats.dynamo:4222', 'x-nats.other:4222'],
  ['dynamo/nats', 'other/x-nats'],
  ['the word nats', 'the word nats'],
])('carries a name that may be a word only where it is part of an address: %j', (text, expected) => {
  const objects = [object('Service', 'nats'), object('Deployment', 'dynamo-operator', { text })];
  const result = apply(objects, wireNames(objects, 'dynamo'), (name) => `x-${name}`, 'other');
  expect(result.at(-1)).toMatchObject({ text: expected });
});

test('whatever stands between names, each is carried', () => {
  const literal = fc.constantFrom('.', ':', '/', '//', '=', ',', ' ', '.svc.', '-0.', '-1=', '"', ' --a=', '\n');
  const name = fc.constantFrom(...names, 'dynamo');
  const text = fc.tuple(
    fc.option(literal, { nil: '' }),
    name,
    fc.array(fc.tuple(literal, name), { maxLength: 5 }),
    fc.option(literal, { nil: '' }),
  );
  fc.assert(
    fc.property(text, ([head, first, rest, tail]) => {
      const write = (change: (n: string) => string): string =>
        `${head.startsWith('-0') || head.startsWith('-1') ? '' : head}${change(first)}${rest.map(([l, n]) => `${l}${change(n)}`).join('')}${tail}`;
      expect(renamed(write((n) => n))).toBe(write((n) => (n === 'dynamo' ? 'other' : `x-${n}`)));
    }),
    { numRuns: 500 },
  );
});

test('looks neither at labels nor at what kustomize follows itself', () => {
  const body = {
    spec: {
      selector: { app: 'dynamo-nats' },
      matchLabels: { app: 'dynamo-nats' },
      roleRef: { name: 'dynamo-nats' },
      serviceAccountName: 'dynamo-nats',
      webhooks: [{ clientConfig: { service: { name: 'dynamo-nats' } } }],
    },
  };
  const objects = [...services, object('StatefulSet', 'plain', body)];
  expect(wireNames(objects, 'dynamo')).toEqual({ replacements: [], pieces: undefined });
});

test('looks into annotations and keys with dots', () => {
  const file = { data: { 'nats.conf': 'dynamo-nats' } };
  const annotated = {
    ...object('Other', 'o'),
    metadata: { name: 'o', namespace: 'dynamo', annotations: { 'cert-manager.io/inject-ca-from': 'dynamo/dynamo-nats' } },
  };
  const paths = wireNames([...services, object('ConfigMap', 'c', file), annotated], 'dynamo').replacements.map(
    (r) => (r as unknown as Replacement).targets[0]?.fieldPaths[0],
  );
  expect(paths).toEqual([
    'data.[nats.conf]',
    'metadata.annotations.[cert-manager.io/inject-ca-from]',
    'metadata.annotations.[cert-manager.io/inject-ca-from]',
  ]);
});

test('pieces are left out of what is built', () => {
  const objects = [...services, object('Deployment', 'd', { text: 'nats://dynamo-nats.dynamo:1' })];
  expect(wireNames(objects, 'dynamo').pieces?.metadata).toEqual({
    name: 'dynamo-cdk8s-name-pieces',
    namespace: 'dynamo',
    annotations: { 'config.kubernetes.io/local-config': 'true' },
  });
});

test('of two names the longer one is meant, also where the rest could be the number of a pod', () => {
  const objects = [
    object('Service', 'dynamo-nats'),
    object('Service', 'dynamo-nats-2'),
    object('Deployment', 'd', { text: 'dynamo-nats-2' }),
  ];
  expect(wireNames(objects, 'dynamo').replacements).toMatchObject([{ source: { name: 'dynamo-nats-2' } }]);
});

test('nothing is wired twice', () => {
  const objects = [...services, object('Deployment', 'd', { text: '--a=nats://dynamo-nats.dynamo.svc' })];
  expect(wireNames(objects, 'dynamo').replacements).toHaveLength(3);
});

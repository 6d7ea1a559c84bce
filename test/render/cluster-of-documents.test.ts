import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { clusterOfDocuments } from '../../lib/render/index.ts';
import { registryHost } from '../../lib/render/pod/pull-secrets.ts';

const cluster = (...documents: readonly Json[]) => clusterOfDocuments(documents, new Set(['grove.io']), 'ns');
const object = (kind: string, name: string, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...metadata },
  ...more,
});

test('knows what documents say, in the namespace that is theirs', () => {
  const found = cluster(object('PersistentVolumeClaim', 'p'), object('ServiceAccount', 's', {}, { namespace: 'other' }), 'text');
  expect([found.hasApiGroup('grove.io'), found.hasApiGroup('x')]).toEqual([true, false]);
  expect([found.claim('ns', 'p'), found.claim('other', 'p'), found.claim('ns', 'q')]).toEqual(['present', 'unknown', 'unknown']);
  expect(found.find('ServiceAccount', 'other', 's')).toMatchObject({ kind: 'ServiceAccount' });
  expect(found.find('ServiceAccount', 'ns', 's')).toBeUndefined();
  expect(found.clusterRole('any')).toBe('unknown');
});

test('queues are known where any is given', () => {
  const queue = (name: string, apiVersion = 'scheduling.run.ai/v2'): JsonObject => ({ ...object('Queue', name), apiVersion });
  expect(cluster().queue('q')).toBe('unknown');
  expect(cluster(queue('q')).queue('q')).toBe('present');
  expect(cluster(queue('q')).queue('r')).toBe('absent');
  expect(cluster(queue('q', 'other.io/v1')).queue('q')).toBe('unknown');
  expect(cluster({ ...queue('q'), kind: 'Other' }).queue('q')).toBe('unknown');
});

test('keys of a ConfigMap are those of its data', () => {
  expect(cluster(object('ConfigMap', 'c', { data: { a: '', b: '' } })).configMapKeys('ns', 'c')).toEqual(['a', 'b']);
  expect(cluster(object('ConfigMap', 'c')).configMapKeys('ns', 'c')).toEqual([]);
  expect(cluster().configMapKeys('ns', 'c')).toBeUndefined();
});

test('the account of pods is the first of those marked, by name', () => {
  const account = (name: string, value = 'true', namespace = 'ns') =>
    object('ServiceAccount', name, {}, { namespace, labels: { 'nvidia.com/dynamo-component-pod': value } });
  expect(cluster(account('b'), account('a'), account('0', 'false'), account('1', 'true', 'x')).podServiceAccount('ns')).toBe('a');
  expect(cluster({ ...account('a'), kind: 'Other' }, account('b', 'no')).podServiceAccount('ns')).toBeUndefined();
});

describe('pull secrets', () => {
  const type = 'kubernetes.io/dockerconfigjson';
  const config = (...hosts: readonly string[]): string =>
    JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, {}])) });
  const plain = (name: string, text: string, metadata: JsonObject = {}) =>
    object('Secret', name, { type, stringData: { '.dockerconfigjson': text } }, metadata);
  const encoded = (name: string, text: string) =>
    object('Secret', name, { type, data: { '.dockerconfigjson': Buffer.from(text).toString('base64') } });

  test('are found by the hosts they are for, in the order of their names', () => {
    const found = cluster(plain('b', config('nvcr.io', 'https://index.docker.io/v1/')), encoded('a', config('nvcr.io')));
    expect(found.pullSecrets('ns', 'nvcr.io')).toEqual(['a', 'b']);
    expect(found.pullSecrets('ns', 'index.docker.io')).toEqual(['b']);
    expect(found.pullSecrets('ns', 'other')).toEqual([]);
    expect(found.pullSecrets('other', 'nvcr.io')).toEqual([]);
    expect(cluster(plain('a', config('nvcr.io'), { namespace: 'x' })).pullSecrets('x', 'nvcr.io')).toEqual(['a']);
  });

  // https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/secret-v1/
  test('are read from stringData where both are given, which the API server lets win', () => {
    const both = { ...encoded('a', config('nvcr.io')), stringData: { '.dockerconfigjson': config('docker.io') } };
    expect(['nvcr.io', 'docker.io'].map((host) => cluster(both).pullSecrets('ns', host))).toEqual([[], ['a']]);
  });

  test('that cannot be read leave none at all, as in the original', () => {
    const good = plain('a', config('nvcr.io'));
    for (const bad of [plain('z', '{'), plain('z', ''), object('Secret', 'z', { type }), plain('z', config('no host'))])
      expect(cluster(good, bad).pullSecrets('ns', 'nvcr.io')).toEqual([]);
  });

  test('that say nothing, or are of another type, do no harm', () => {
    const good = plain('a', config('nvcr.io'));
    for (const other of [
      plain('z', '{}'),
      plain('z', '[]'),
      { ...plain('z', '{'), type: 'Opaque' },
      { ...plain('z', '{'), kind: 'Other' },
    ])
      expect(cluster(good, other).pullSecrets('ns', 'nvcr.io')).toEqual(['a']);
  });
});

test.each([
  ['nvcr.io/nvidia/x:1', 'nvcr.io'],
  ['https://index.docker.io/v1/', 'index.docker.io'],
  ['host:5000/x', 'host:5000'],
  ['user@host/x', 'host'],
  ['user:p@ss@host/x', 'host'],
  ['[::1]:5000/x', '[::1]:5000'],
  ['[::1]/x', '[::1]'],
  ['host?x', 'host'],
  ['host#x', 'host'],
  ['nginx', 'nginx'],
  ['nginx:1.2', undefined],
  ['nginx:latest', undefined],
  ['', undefined],
  ['/x', undefined],
  ['a b/x', undefined],
])('the registry of %j is %s', (text, host) => expect(registryHost(text)).toBe(host));

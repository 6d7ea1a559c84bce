/** What `values.schema.json` accepts and rejects; combinations of values are left to the guards. */
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { nest } from '../../../lib/gitops/helm/open-values.ts';
import { chartReadme } from '../../../lib/gitops/helm/readme.ts';
import { valuesFile } from '../../../lib/gitops/helm/values-file.ts';
import { chartValuesSchema } from '../../../lib/gitops/helm/values-schema.ts';
import type { Json, JsonObject } from '../../../lib/json/index.ts';
import { chartValues } from './quick-chart.ts';

const made: JsonObject = { etcd: { replicaCount: 9 }, nats: { config: { cluster: { replicas: 7 } } } };

/** What is wrong with values; empty where they are taken. Of the chart's values only those with the given path are known, or all. */
function problems(values: JsonObject, path?: string): readonly string[] {
  const all = chartValues('original', made);
  const known = all.filter((value) => value.path === path);
  const validate = new Ajv({ strict: false }).compile(chartValuesSchema(known.length > 0 ? known : all));
  return validate(values) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

test('takes the defaults of values.yaml', () => {
  expect(problems(parse(valuesFile(made, chartValues('original', made))))).toEqual([]);
});

test('is a schema that editors and helm know, with a description on every value', () => {
  const schema = chartValuesSchema(chartValues());
  expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  expect(schema['title']).toBe('Values of the Dynamo platform chart');
  const texts = [...JSON.stringify(schema).matchAll(/"description":"([^"]*)"/g)].map(([, text]) => text);
  expect(texts.length).toBe(chartValues().length + 1);
  expect(texts.filter((text) => text === undefined || text.length < 7)).toEqual([]);
});

test('and README list the same values', () => {
  const readme = chartReadme(chartValues('original', made), made, []);
  const rows = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);
  const leaves = (node: object, path = ''): readonly string[] =>
    Object.entries(node).flatMap(([key, value]) =>
      value.description === undefined ? leaves(value.properties, `${path}${key}.`) : [`${path}${key}`],
    );
  const { properties } = JSON.parse(JSON.stringify(chartValuesSchema(chartValues())));
  expect(rows.toSorted()).toEqual(
    leaves(properties)
      .filter((path) => path !== 'enabled')
      .toSorted(),
  );
  expect(rows.length).toBeGreaterThan(60);
  expect(readme).toContain('| `etcd.replicaCount` | integer | `9` | members of etcd');
  expect(readme).toContain('| `platform.monitoring.enabled` | boolean or null | `null` |');
});

const long = 'a'.repeat(64);
const digest = `sha256:${'a'.repeat(64)}`;
const tag = 'dynamo-operator.controllerManager.manager.image.tag';
const lease = 'dynamo-operator.namespaceRestriction.lease.duration';
const delay = 'dynamo-operator.dynamo.groveTerminationDelay';
const secret = 'dynamo-operator.dynamo.mpiRun.secretName';
const size = 'nats.config.jetstream.fileStore.pvc.size';
const storage = 'etcd.persistence.storageClass';
const bundle = 'dynamo-operator.webhook.caBundle';

/** A value, those that are taken there, those that are not. */
const forms: readonly (readonly [path: string, taken: readonly Json[], refused: readonly Json[]])[] = [
  ['global.anything', [{ of: 'an umbrella chart' }], []],
  ['enabled', [true, false], ['yes']],
  ['unknown', [], [1]],
  ['nats.unknown', [], [1]],
  ['platform.unknown.deep', [], [1]],
  ['nats.enabled', [true, false], [null, 'true', 1]],
  ['platform.monitoring.enabled', [true, false, null], ['auto', 1]],
  ['platform.queues.enabled', [true, false, null], ['auto', 1]],
  ['grove.enabled', [true], [null]],
  [
    'global.imageRegistry',
    ['mirror.io', 'mirror.io:5000/a/b/', 'mirror', '[::1]:5000', '', null],
    ['https://mirror.io', 'mirror.io/A', 'two words', 'Fast_SSD', '-1', 1, {}],
  ],
  [
    'dynamo-operator.controllerManager.manager.image.repository',
    ['nvcr.io/nvidia/ai-dynamo/kubernetes-operator', 'localhost:5000/op', 'op', 'team/op__x'],
    ['', 'https://r.io/op', 'r.io/Op', 'r.io//op', 'r.io/op:1', 'two words', 'r.io/op_', 'a'.repeat(256)],
  ],
  ['nats.fullnameOverride', ['', 'bus', 'b-1', 'a'.repeat(63)], ['1bus', 'b-', 'B', 'x", evil: "', long]],
  ['dynamo-operator.namespaceRestriction.targetNamespace', ['', '1-team'], ['Team', 'a.b', '-a', 'a-', long]],
  [secret, ['ssh', 'a.b-c', '1'], ['', 'A', 'a.', '.a', 'a'.repeat(254)]],
  ['etcd.priorityClassName', ['', 'high', 'a.b'], ['High', 'a.', '-a', 'a'.repeat(254)]],
  [storage, ['', '-', 'fast.ssd'], ['Fast_SSD', '--', 'a-', 'a'.repeat(254)]],
  [
    size,
    ['10Gi', '1.5Gi', '500M', '7k', 1, '100'],
    ['10Gigs', '0', '0Gi', '0.0', 0, '1.', '.5Gi', '10gi', 'ten', '10Gi\n---', '10Gi, x'],
  ],
  [lease, ['30s', '1m30s', '150ms', '1h'], ['', '30', '4hours', 's', '1 m']],
  [delay, ['', '1h', '4h30m'], ['4hours', '4', ' ']],
  [bundle, ['', 'QUJD', 'QUI=', 'QUJD\nQUI=\n'], ['<base64-encoded-ca-cert>', 'QU=D']],
  [tag, ['', null, '0.9.1', `0.9.1@${digest}`, '_x'], ['.x', '-x', 'a b', 'a'.repeat(129), 'a@sha256:short', `a@${digest}a`, 9]],
  ['dynamo-operator.webhook.timeoutSeconds', [1, 30], [0, 31, 1.5, '10']],
  ['dynamo-operator.controllerManager.replicas', [1, 5], [0, -1, 1.5]],
  ['etcd.startupProbe.initialDelaySeconds', [0, 60], [-1, '60']],
  ['etcd.startupProbe.periodSeconds', [1, 60], [0, -1]],
  ['platform.imageDigests', [{ 'nats:1': digest }, null], [{ 'nats:1': 'latest' }, { 'nats:1': `${digest}0` }, []]],
  ['etcd.replicaCount', [1, 3, 5, 7, 9], [0, 2, 4, 8, '3']],
  ['nats.config.cluster.replicas', [3, 5, 7], [1, 2, 4, 9]],
  ['nats.config.cluster.enabled', [true, false], [null]],
  ['dynamo-operator.webhook.failurePolicy', ['Fail', 'Ignore'], ['Retry', '']],
  ['dynamo-operator.controllerManager.manager.image.pullPolicy', ['Always', 'Never', 'IfNotPresent'], ['Sometimes']],
  ['dynamo-operator.discoveryBackend', ['kubernetes', 'etcd'], ['zookeeper']],
  ['platform.certificates.mode', ['cert-manager', 'external'], ['jobs', 'self-managed', 'off']],
  ['platform.operator.kind', ['original'], ['dynamo-cdk8s']],
  ['dynamo-operator.imagePullSecrets', [[{ name: 'a' }], [], null], [['a'], [{ secret: 'a' }], [{ name: 1 }]]],
  ['global.imagePullSecrets', [['a', { name: 'b' }], [], null], [[1], [{ secret: 'a' }]]],
  ['platform.monitoring.labels', [{ 'x.io/a': 'b', a: '' }, {}, null], [{ 'a b': 'c' }, { a: 1 }, { a: 'b c' }, []]],
];

describe.each(forms)('%s', (path, taken, refused) => {
  test.runIf(taken.length > 0).each(taken.map((value) => ({ value })))('takes $value', ({ value }) => {
    expect(problems(nest(path, value), path)).toEqual([]);
  });

  test.runIf(refused.length > 0).each(refused.map((value) => ({ value })))('refuses $value', ({ value }) => {
    expect(problems(nest(path, value), path)).not.toEqual([]);
  });
});

/** What no value may be whose path ends in a word, wherever it is. */
const wrong: Readonly<Record<string, Json>> = {
  resources: { limit: {} },
  tolerations: [{ operator: 'Equals' }],
  nodeSelector: { 'bad key!': 'x' },
  labels: { 'bad key!': 'x' },
  clientNamespaceLabels: { 'bad key!': 'x' },
  affinity: { nodeAfinity: {} },
  updateStrategy: { type: 'Recreate' },
  strategy: { type: 'OnDelete' },
  priorityClassName: 'High',
  imagePullSecrets: [{ secret: 'x' }],
  initialDelaySeconds: -1,
  periodSeconds: 0,
  timeoutSeconds: 0,
  failureThreshold: 0,
  size: '10Gigs',
  storageClass: 'Fast_SSD',
  defaultStorageClass: 'Fast_SSD',
  storageClassName: 'Fast_SSD',
  fullnameOverride: 'Bus',
  targetNamespace: 'Team',
  tag: 'a b',
  secretName: 'A',
  tlsSecretName: 'A',
  caBundle: '<none>',
  duration: '4hours',
  renewInterval: '4hours',
  groveTerminationDelay: '4hours',
  replicas: 0,
  imageDigests: { x: 'latest' },
};

test.each(Object.entries(wrong))('no value %s is %j', (word, value) => {
  const paths = chartValues().flatMap(({ path }) => (path.endsWith(`.${word}`) ? [path] : []));
  expect(paths).not.toEqual([]);
  expect(paths.filter((path) => problems(nest(path, value), path).length === 0)).toEqual([]);
});

test('the chart of the operator of this package has its image and its own certificate, no metrics proxy', () => {
  const own = new Ajv({ strict: false }).compile(chartValuesSchema(chartValues('dynamo-cdk8s')));
  expect(own({ platform: { certificates: { mode: 'self-managed' }, operator: { kind: 'dynamo-cdk8s' } } })).toBe(true);
  for (const image of ['example.com/own:1', 'localhost:5000/own', `own@${digest}`])
    expect(own({ platform: { operator: { image } } }), image).toBe(true);
  for (const image of ['', 'own image', '/own', `own@${digest}a`, null])
    expect(own({ platform: { operator: { image } } }), String(image)).toBe(false);
  expect(own({ 'dynamo-operator': { controllerManager: { kubeRbacProxy: { image: { tag: 'v1' } } } } })).toBe(false);
});

import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { crds } from '../../../lib/api/crds.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { crdsChart, helmChart } from '../../../lib/gitops/helm/index.ts';
import type { OutputFile } from '../../../lib/gitops/layout.ts';
import type { KubernetesObject } from '../../../lib/platform/part.ts';

const values: JsonObject = {
  etcd: { podSecurityContext: { fsGroup: 731003 }, containerSecurityContext: { runAsUser: 731003 }, replicaCount: 9 },
  nats: { container: { env: { MARK: 'zz731004zz' } } },
};
const graph: KubernetesObject = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'qwen', namespace: 'models', annotations: { note: '{{ literal }}' } },
};
const service = (apiVersion: string, name: string): KubernetesObject => ({
  apiVersion,
  kind: 'Service',
  metadata: { name, namespace: 'models' },
});
const services = [service('v1', 'web'), service('serving.knative.dev/v1', 'web'), service('v1', 'web-2')];
const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'models' } };
const chart = helmChart({ values, options: {}, crds: crds(), graphs: [namespace, graph, ...services], version: '1.2.3' });
const text = (path: string, files: readonly OutputFile[] = chart): string => {
  const found = files.find((f) => f.path === path);
  if (!found) throw new Error(`no ${path}`);
  return found.text;
};

describe('values that look like placeholders', () => {
  test('stay as they are', () => {
    expect(text('templates/etcd.yaml')).toContain('fsGroup: 731003');
    expect(text('templates/etcd.yaml')).toContain('runAsUser: 731003');
    expect(text('templates/nats.yaml')).toContain('value: zz731004zz');
  });

  test('no placeholder is left over in any file', () => {
    const left = chart.filter((f) => /zz\d{6}zz|: 'zz'|: zz$/m.test(f.text.replaceAll('zz731004zz', '')));
    expect(left.map((f) => f.path)).toEqual([]);
  });
});

test('objects of one kind and name in different API groups all have files', () => {
  expect(
    chart
      .filter((f) => /graphs\/service/.test(f.path))
      .map((f) => [f.path, parse(f.text.replaceAll(/\{\{.*?\}\}/g, '')).apiVersion]),
  ).toEqual([
    ['templates/graphs/service-models.web.yaml', 'v1'],
    ['templates/graphs/service.serving.knative.dev-models.web.yaml', 'serving.knative.dev/v1'],
    ['templates/graphs/service-models.web-2.yaml', 'v1'],
  ]);
  expect(new Set(chart.map((f) => f.path)).size).toBe(chart.length);
});

test('removing graphs leaves their namespace', () => {
  expect(text('templates/graphs/namespace-models.yaml')).toContain('helm.sh/resource-policy: keep');
  expect(text('templates/graphs/dynamographdeployment-models.qwen.yaml')).not.toContain('resource-policy');
});

test('the list of files stays out of packages', () => {
  expect(text('.helmignore').split('\n')).toContain('.dynamo-cdk8s-files');
});

test('the chart says who it is for', () => {
  expect(parse(text('Chart.yaml'))).toMatchObject({
    name: 'dynamo-platform',
    version: '1.2.3',
    kubeVersion: '>=1.28.0-0',
    icon: expect.stringMatching(/^https:/),
    maintainers: [{ name: expect.any(String) }],
  });
});

test('graphs wait for the webhook that checks them, and keep their braces', () => {
  const file = text('templates/graphs/dynamographdeployment-models.qwen.yaml');
  expect(file).toMatch(/^\{\{- if \.Values\.graphs\.enabled \}\}\n/);
  expect(file).toContain('{{ "{{" }} literal {{ "}}" }}');
  expect(parse(text('values.yaml')).graphs).toEqual({ enabled: false });
  expect(text('templates/NOTES.txt')).toContain('--set graphs.enabled=true');
  expect(text('README.md')).toContain('--set graphs.enabled=true');
});

describe('values.schema.json', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(text('values.schema.json')));
  const nest = (path: string, value: unknown): object =>
    path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

  test('takes the defaults of values.yaml', () => {
    expect(validate(parse(text('values.yaml'))), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each([
    ['global.anything', { of: 'an umbrella chart' }],
    ['global.imagePullSecrets', ['a', { name: 'b' }]],
    ['enabled', true],
    ['etcd.replicaCount', 3],
    ['etcd.replicaCount', 9],
    ['nats.config.cluster.replicas', 5],
    ['nats.config.cluster.enabled', true],
    ['nats.container.merge.resources', { limits: { cpu: '1' } }],
    ['nats.podTemplate.merge.spec.tolerations', [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }]],
    ['etcd.tolerations', [{ operator: 'Exists' }]],
    ['grove.enabled', true],
    ['kai-scheduler.enabled', true],
    ['platform.monitoring.enabled', null],
    ['platform.queues.enabled', null],
    ['etcd.persistence.size', '1.5Gi'],
    ['etcd.persistence.storageClass', '-'],
    ['dynamo-operator.webhook.timeoutSeconds', 30],
    ['dynamo-operator.namespaceRestriction.lease.duration', '1m30s'],
    ['dynamo-operator.controllerManager.manager.image.tag', `0.9.1@sha256:${'a'.repeat(64)}`],
  ])('takes %s: %j', (path, value) => {
    expect(validate(nest(path, value)), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each([
    ['unknown', 1],
    ['nats.unknown', 1],
    ['etcd.replicaCount', 2],
    ['etcd.replicaCount', 0],
    ['nats.config.cluster.replicas', 2],
    ['nats.config.jetstream.fileStore.pvc.size', '10Gigs'],
    ['nats.config.jetstream.fileStore.pvc.size', '10Gi\n---\napiVersion: v1'],
    ['nats.config.jetstream.fileStore.pvc.size', '10Gi, store_dir: /evil'],
    ['etcd.persistence.size', 'ten'],
    ['etcd.persistence.storageClass', 'Fast_SSD'],
    ['etcd.tolerations', [{ operator: 'Equals' }]],
    ['dynamo-operator.webhook.timeoutSeconds', 60],
    ['dynamo-operator.webhook.timeoutSeconds', 0],
    ['dynamo-operator.webhook.caBundle', '<base64-encoded-ca-cert>'],
    ['dynamo-operator.webhook.failurePolicy', 'Retry'],
    ['dynamo-operator.controllerManager.replicas', 0],
    ['dynamo-operator.dynamo.groveTerminationDelay', '4hours'],
    ['dynamo-operator.dynamo.mpiRun.secretName', ''],
    ['dynamo-operator.discoveryBackend', 'zookeeper'],
    ['platform.certificates.mode', 'jobs'],
    ['platform.imageDigests', { 'nats:1': 'latest' }],
    ['nats.fullnameOverride', 'x", evil: "'],
  ])('refuses %s: %j', (path, value) => {
    expect(validate(nest(path, value))).toBe(false);
  });
});

test('the README lists every value with type and default, and what must be there first', () => {
  const readme = text('README.md');
  expect(readme).toContain('| `etcd.replicaCount` | integer | `9` | members of etcd');
  expect(readme).toContain('| `platform.monitoring.enabled` | boolean or null | `null` |');
  expect(readme).toContain('- cert-manager must be installed: it makes the certificate of the webhooks');
  expect(readme).toContain('kubectl apply --server-side --force-conflicts -f crds/');
  const leaves = (node: object, path = ''): readonly string[] =>
    Object.entries(node).flatMap(([key, value]) =>
      value.description === undefined ? leaves(value.properties, `${path}${key}.`) : [`${path}${key}`],
    );
  const documented = leaves(JSON.parse(text('values.schema.json')).properties).filter((path) => path !== 'enabled');
  expect(documented.filter((path) => !readme.includes(`| \`${path}\` |`))).toEqual([]);
  expect(documented.length).toBeGreaterThan(60);
});

test('every expression of a template names a value that the schema knows', () => {
  const { properties } = JSON.parse(text('values.schema.json'));
  const known = (path: readonly string[]): boolean => {
    let node = { properties };
    for (const step of path) {
      if (node.properties === undefined) return true;
      node = node.properties[step];
      if (node === undefined) return false;
    }
    return true;
  };
  const used = chart
    .filter((f) => f.path.startsWith('templates/'))
    .flatMap((f) => [
      ...[...f.text.matchAll(/\.Values\.([\w.]+)/g)].map((m) => m[1]?.split('.') ?? []),
      ...[...f.text.matchAll(/\$operator\.([\w.]+)/g)].map((m) => ['dynamo-operator', ...(m[1]?.split('.') ?? [])]),
    ]);
  expect(used.length).toBeGreaterThan(100);
  expect([...new Set(used.filter((path) => !known(path)).map((path) => path.join('.')))]).toEqual([]);
});

test('the chart of CRDs holds the six as templates that removing it leaves', () => {
  const files = crdsChart(crds(), '2.0.0');
  const templates = files.filter((f) => f.path.startsWith('templates/'));
  expect(templates).toHaveLength(6);
  for (const { text: crd } of templates)
    expect(parse(crd.replaceAll(/\{\{ "(..)" \}\}/g, '$1')).metadata.annotations['helm.sh/resource-policy']).toBe('keep');
  expect(parse(text('Chart.yaml', files))).toMatchObject({ name: 'dynamo-crds', version: '2.0.0' });
});

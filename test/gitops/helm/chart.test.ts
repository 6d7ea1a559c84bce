import type { KubernetesObject } from '../../../lib/api/index.ts';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { crds } from '../../../lib/api/crds.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { crdsChart, helmChart } from '../../../lib/gitops/helm/index.ts';
import type { OutputFile } from '../../../lib/gitops/layout.ts';
import { fileOf, helmTemplate, templateFile } from './go-template/helm-template.ts';

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
const make = (): readonly OutputFile[] =>
  helmChart({ values, options: {}, crds: crds().slice(0, 1), graphs: [namespace, graph, ...services], version: '1.2.3' });

test('a chart has the files that helm knows, a template for each part, CRDs and graphs', () => {
  const chart = make();
  expect(chart.map((f) => f.path).toSorted()).toEqual([
    '.helmignore',
    'Chart.yaml',
    'README.md',
    'crds/customresourcedefinition-dynamographdeployments.nvidia.com.yaml',
    'templates/NOTES.txt',
    'templates/_helpers.tpl',
    'templates/dynamo-operator.yaml',
    'templates/etcd.yaml',
    'templates/graphs/dynamographdeployment-models.qwen.yaml',
    'templates/graphs/namespace-models.yaml',
    'templates/graphs/service-models.web-2.yaml',
    'templates/graphs/service-models.web.yaml',
    'templates/graphs/service.serving.knative.dev-models.web.yaml',
    'templates/grove.yaml',
    'templates/kai-scheduler.yaml',
    'templates/nats.yaml',
    'templates/queues.yaml',
    'templates/tests/connection.yaml',
    'templates/validate.yaml',
    'values.schema.json',
    'values.yaml',
  ]);
  const left = chart.filter((f) => /zz\d{6}zz|: 'zz'|: zz$/m.test(f.text.replaceAll('zz731004zz', '')));
  expect(left.map((f) => f.path)).toEqual([]);
  expect(fileOf(chart, '.helmignore').split('\n')).toEqual(['.dynamo-cdk8s-files', '.git/', '']);
  expect(parse(fileOf(chart, 'Chart.yaml'))).toMatchObject({
    name: 'dynamo-platform',
    description: expect.stringContaining('NVIDIA Dynamo platform'),
    version: '1.2.3',
  });
  expect(parse(fileOf(chart, 'values.yaml')).graphs).toEqual({ enabled: false });
  expect(JSON.parse(fileOf(chart, 'values.schema.json')).properties.graphs.properties).toHaveProperty('enabled');
  expect(fileOf(chart, 'README.md')).toContain('- cert-manager must be installed: it issues the certificate of the webhooks');
  for (const page of ['templates/NOTES.txt', 'README.md']) expect(fileOf(chart, page)).toContain('--set graphs.enabled=true');
  expectKnownValues(chart);
  expectGraphs(chart);
  expectSwitches(chart);
});

/** Each part comes where its own `enabled` says so, and the queues of KAI with theirs. */
function expectSwitches(chart: readonly OutputFile[]): void {
  const objects = (file: string, values: object): number =>
    templateFile(chart, `templates/${file}.yaml`, { values }).match(/^kind: /gm)?.length ?? 0;
  for (const key of ['dynamo-operator', 'nats', 'etcd', 'grove', 'kai-scheduler']) {
    const others = { 'dynamo-operator': { enabled: key !== 'dynamo-operator' } };
    expect(objects(key, { ...others, [key]: { enabled: true } }), `${key} on`).toBeGreaterThan(0);
    expect(objects(key, { ...others, [key]: { enabled: false } }), `${key} off`).toBe(0);
  }
  expect(objects('queues', { platform: { queues: { enabled: true } } })).toBe(2);
  expect(objects('queues', { platform: { queues: { enabled: false } } })).toBe(0);
}

/** Graphs come when they are asked for, in the namespace that they name, and removing them leaves it. */
function expectGraphs(chart: readonly OutputFile[]): void {
  const graphs = (enabled: boolean): readonly KubernetesObject[] =>
    [...helmTemplate(chart, { values: { graphs: { enabled } } }).values()].filter((o) => o.metadata.namespace === 'models');
  expect(graphs(false)).toEqual([]);
  expect(graphs(true)).toEqual(expect.arrayContaining([graph]));
  expect(helmTemplate(chart, { values: { graphs: { enabled: true } } }).get('Namespace /models')).toEqual({
    ...namespace,
    metadata: { name: 'models', annotations: { 'helm.sh/resource-policy': 'keep' } },
  });
  const apis = ['service-models.web', 'service.serving.knative.dev-models.web', 'service-models.web-2'].map(
    (name) => parse(templateFile(chart, `templates/graphs/${name}.yaml`, { values: { graphs: { enabled: true } } })).apiVersion,
  );
  expect(apis).toEqual(['v1', 'serving.knative.dev/v1', 'v1']);
}

/** Every expression of a template names a value that the schema knows. */
function expectKnownValues(chart: readonly OutputFile[]): void {
  const { properties } = JSON.parse(fileOf(chart, 'values.schema.json'));
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
}

test('the chart of CRDs holds the six as templates that removing it leaves', () => {
  const files = crdsChart(crds(), '2.0.0');
  const templates = files.filter((f) => f.path.startsWith('templates/'));
  expect(templates).toHaveLength(6);
  for (const { text: crd } of templates)
    expect(parse(crd.replaceAll(/\{\{ "(..)" \}\}/g, '$1')).metadata.annotations['helm.sh/resource-policy']).toBe('keep');
  expect(parse(fileOf(files, 'Chart.yaml'))).toMatchObject({
    name: 'dynamo-crds',
    description: 'Custom resource definitions of NVIDIA Dynamo',
    version: '2.0.0',
  });
  expect(files.map((f) => f.path)).toEqual(expect.arrayContaining(['.helmignore', 'README.md', 'values.yaml']));
  expect(fileOf(files, 'values.yaml')).toBe('# This chart has no values.\n');
  for (const words of ['helm upgrade --install dynamo-crds .', '--skip-crds', '--take-ownership', 'keeps\nthem and every graph'])
    expect(fileOf(files, 'README.md')).toContain(words);
});

import { App, Chart, JsonPatch } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { isObject, objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { DynamoChart, DynamoGraph, Engine, Model } from '../../lib/graph/index.ts';
import { DynamoPlatform, OperatorDeployment } from '../../lib/platform/index.ts';

const quiet = { warnings: 'ignore' } as const;
const objects = (chart: Chart): readonly JsonObject[] => chart.toJson().filter((object: unknown) => isObject(object));
const find = (chart: Chart, kind: string, name: string): JsonObject =>
  objects(chart).find((o) => o['kind'] === kind && objectAt(o, 'metadata')['name'] === name) ?? {};
const manager = 'dynamo-platform-dynamo-operator-controller-manager';
const sidecar = { name: 'proxy', image: 'example.com/proxy:1', ports: [{ name: 'proxy', containerPort: 8888 }] };

describe('labels of a chart', () => {
  const labels = { team: 'ml', 'app.kubernetes.io/name': 'not-this' };

  test('are on the pods of the platform, where their own win and selectors stay', () => {
    const values = { etcd: { enabled: true, defrag: { enabled: true } } };
    const plain = new Chart(new App(), 'c', { disableResourceNameHashes: true });
    new DynamoPlatform(plain, 'p', { values, ...quiet });
    const chart = new Chart(new App(), 'c', { labels, disableResourceNameHashes: true });
    new DynamoPlatform(chart, 'p', { values, ...quiet });
    const templates = objects(chart).flatMap((object) => {
      const spec = objectAt(object, 'spec');
      const template = objectAt(spec, 'template', 'metadata', 'labels');
      const ofJob = objectAt(spec, 'jobTemplate', 'spec', 'template', 'metadata', 'labels');
      return spec['template'] === undefined && spec['jobTemplate'] === undefined
        ? []
        : [{ object, pod: { ...template, ...ofJob } }];
    });
    expect(templates.map(({ object }) => stringAt(object, 'kind')).toSorted()).toEqual([
      'CronJob',
      'Deployment',
      'StatefulSet',
      'StatefulSet',
    ]);
    for (const { object, pod } of templates) {
      expect(pod).toMatchObject({ team: 'ml' });
      const { kind, metadata, spec } = object;
      const before = find(plain, stringAt(kind), stringAt(metadata, 'name'));
      expect(objectAt(spec)['selector']).toEqual(objectAt(before, 'spec')['selector']);
      expect(pod['app.kubernetes.io/name']).not.toBe('not-this');
    }
  });

  test('are on the pods of graphs, where those of a component win', () => {
    const chart = new DynamoChart(new App(), 'c', { labels: { team: 'ml', tier: 'chart' }, ...quiet });
    const graph = { model: Model.huggingFace('Qwen/Qwen3-0.6B'), engine: Engine.vllm() };
    DynamoGraph.aggregated(chart, 'chat', { ...graph, worker: { podLabels: { tier: 'own' } } });
    const services = objectAt(find(chart, 'DynamoGraphDeployment', 'chat'), 'spec', 'services');
    expect(objectAt(services, 'Frontend', 'extraPodMetadata', 'labels')).toEqual({ team: 'ml', tier: 'chart' });
    expect(objectAt(services, 'worker', 'extraPodMetadata', 'labels')).toEqual({ team: 'ml', tier: 'own' });
  });
});

describe('a sidecar of the operator', () => {
  test('gets the rights of the profile, and keeps its own', () => {
    const chart = new Chart(new App(), 'c');
    const platform = new DynamoPlatform(chart, 'p', quiet);
    platform.addOperatorSidecar({ ...sidecar, securityContext: { readOnlyRootFilesystem: false } });
    const containers = objectAt(find(chart, 'Deployment', manager), 'spec', 'template', 'spec')['containers'];
    expect(containers).toContainEqual({
      ...sidecar,
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: false,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(chart.node.findAll().flatMap((node) => node.node.validate())).toEqual([]);
  });

  test('is as it was given in the profile parity', () => {
    const chart = new Chart(new App(), 'c');
    new OperatorDeployment(chart, 'o', { profile: 'parity', ...quiet }).addSidecar(sidecar);
    expect(objectAt(find(chart, 'Deployment', manager), 'spec', 'template', 'spec')['containers']).toContainEqual(sidecar);
  });

  test('fails where no operator is rendered', () => {
    const platform = new DynamoPlatform(new Chart(new App(), 'c'), 'p', {
      values: { 'dynamo-operator': { enabled: false } },
      ...quiet,
    });
    expect(() => platform.addOperatorSidecar(sidecar)).toThrow('container proxy: there is no operator Deployment to add it to');
  });
});

describe('patches of the platform', () => {
  test.each([
    [
      'a name twice',
      JsonPatch.add('/spec/template/spec/containers/-', { ...sidecar, name: 'manager' }),
      'containers[2].name: Duplicate value',
    ],
    ['a field that does not exist', JsonPatch.add('/spec/replica', 2), 'spec.replica: unknown field'],
    [
      'a quantity that is none',
      JsonPatch.add('/spec/template/spec/containers/0/resources', { limits: { memory: '2GB' } }),
      '"2GB": must be a quantity',
    ],
  ])('are refused at synth: %s', (_, patch, message) => {
    const app = new App();
    const chart = new Chart(app, 'c');
    const platform = new DynamoPlatform(chart, 'p', quiet);
    platform.objects.find(({ kind, name }) => kind === 'Deployment' && name === manager)?.addJsonPatch(patch);
    const errors = platform.node.validate();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`the API server rejects Deployment ${manager} because of a patch: `);
    expect(errors[0]).toContain(message);
  });
});

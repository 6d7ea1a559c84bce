// Our constructs beside those of `cdk8s import` and cdk8s-plus-28.
import { ApiObject, App, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import { ClusterRole, ConfigMap, Namespace, NetworkPolicy, Pod, Secret, ServiceAccount, Volume } from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import * as imports from '../../imports/nvidia.com.ts';
import {
  DynamoChart,
  DynamoGraph,
  DynamoGraphRequest,
  DynamoModel,
  Engine,
  LoraStore,
  Model,
  ModelCache,
  Platform,
  Search,
} from '../../lib/graph/index.ts';
import { isObject, valueAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { Duration } from 'cdk8s';

const model = Model.huggingFace('Qwen/Qwen3-0.6B');
const chartOf = (props: ConstructorParameters<typeof DynamoChart>[2] = {}): DynamoChart =>
  new DynamoChart(new App(), 'c', { namespace: 'models', warnings: 'ignore', ...props });
const manifests = (chart: Chart): readonly JsonObject[] => (Testing.synth(chart) as Json[]).filter(isObject);
const find = (chart: Chart, kind: string): JsonObject => manifests(chart).find((object) => object['kind'] === kind) ?? {};

describe('a resource', () => {
  test('is one of the class that cdk8s import writes', () => {
    const chart = chartOf();
    const graph = DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.vllm() });
    const adapter = new DynamoModel(chart, 'm', { modelName: 'm', baseModelName: 'b' });
    const request = new DynamoGraphRequest(chart, 'r', {
      model,
      backend: 'trtllm',
      sla: { isl: 1, osl: 1, ttft: Duration.millis(1), itl: Duration.millis(1) },
      search: Search.aiConfigurator({ system: 'h200_sxm' }),
    });
    const resource: imports.DynamoGraphDeployment = graph.resource;
    expect(resource).toBeInstanceOf(imports.DynamoGraphDeployment);
    expect(adapter.resource).toBeInstanceOf(imports.DynamoModel);
    expect(request.resource).toBeInstanceOf(imports.DynamoGraphDeploymentRequest);
    expect(ApiObject.of(graph)).toBe(resource);
    expect(manifests(chart).map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual([
      ['nvidia.com/v1alpha1', 'DynamoGraphDeployment'],
      ['nvidia.com/v1alpha1', 'DynamoModel'],
      ['nvidia.com/v1alpha1', 'DynamoGraphDeploymentRequest'],
    ]);
  });

  test('keeps a port given as a number and keys that no type knows, which the class alone loses', () => {
    const spec = {
      services: { W: { componentType: 'worker', livenessProbe: { httpGet: { path: '/live', port: 8080 } }, surprise: 1 } },
    };
    const chart = chartOf({ errors: 'print' });
    const graph = new DynamoGraph(chart, 'g', { frontend: false });
    graph.addManifest('W', spec.services.W);
    graph.addPatch(JsonPatch.add('/wonder', { a: 1 }));
    const written = find(chart, 'DynamoGraphDeployment');
    expect(valueAt(written, 'spec', 'services', 'W')).toEqual(spec.services.W);
    expect(written['wonder']).toEqual({ a: 1 });
    const plain = new Chart(new App(), 'plain');
    new imports.DynamoGraphDeployment(plain, 'g', { metadata: { name: 'g' }, spec: spec as never });
    expect(valueAt(find(plain, 'DynamoGraphDeployment'), 'spec', 'services', 'W')).toEqual({
      componentType: 'worker',
      livenessProbe: { httpGet: { path: '/live' } },
    });
  });
});

describe('resources of cdk8s-plus', () => {
  test('are taken wherever another object is named, as names are', () => {
    const specs = (['plus', 'names'] as const).map((how) => {
      const chart = chartOf();
      const plus = how === 'plus';
      const token = plus ? Secret.fromSecretName(chart, 'token', 'my-token') : 'my-token';
      const pull = plus ? Secret.fromSecretName(chart, 'pull', 'registry') : 'registry';
      const account = plus ? new ServiceAccount(chart, 'account', { metadata: { name: 'runner' } }) : 'runner';
      const profile = plus ? ConfigMap.fromConfigMapName(chart, 'profile', 'measured') : 'measured';
      const credentials = plus ? Secret.fromSecretName(chart, 'store', 'minio') : 'minio';
      const graph = new DynamoGraph(chart, 'g', {
        model: Model.huggingFace('Qwen/Qwen3-0.6B', { token }),
        engine: Engine.vllm(),
      });
      graph.addFrontend({ imagePullSecrets: [pull], serviceAccount: account, envFromSecret: token });
      graph.addWorker('w', {
        engine: Engine.vllm({ lora: { maxRank: 8, store: LoraStore.s3({ bucket: 'b', credentials }) } }),
      });
      graph.addPlanner({ profile });
      graph.suppress('DYN-REF-006', 'only names matter here');
      return valueAt(find(chart, 'DynamoGraphDeployment'), 'spec');
    });
    expect(specs[0]).toEqual(specs[1]);
    expect(valueAt(specs[0], 'services', 'Frontend')).toMatchObject({
      envFromSecret: 'my-token',
      extraPodSpec: { serviceAccountName: 'runner', imagePullSecrets: [{ name: 'registry' }] },
    });
    expect(JSON.stringify(specs[0])).toContain('"secretKeyRef":{"key":"AWS_ACCESS_KEY_ID","name":"minio"}');
    expect(valueAt(specs[0], 'services', 'Planner', 'extraPodSpec', 'volumes', 0)).toMatchObject({
      configMap: { name: 'measured' },
    });
  });

  test('are the token of a platform and the namespace of a chart', () => {
    const app = new App();
    const around = new Chart(app, 'namespaces');
    const token = Secret.fromSecretName(around, 'token', 'shared-token');
    const namespace = new Namespace(around, 'team', { metadata: { name: 'team' } });
    const chart = new DynamoChart(app, 'c', { namespace, platform: new Platform({ tokenSecret: token }) });
    const graph = DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.vllm() });
    expect(graph.dynamoNamespace).toBe('team-g');
    expect(graph.tokenSecret?.name).toBe('shared-token');
    expect(graph.tokenSecret).toBe(graph.tokenSecret);
    expect(find(chart, 'DynamoGraphDeployment')['metadata']).toEqual({ name: 'g', namespace: 'team' });
  });

  test('are what a cache and a worker hand out, for pods beside the graph', () => {
    const chart = chartOf();
    const cache = new ModelCache(chart, 'weights', { model, size: Size.gibibytes(1), compilation: Size.gibibytes(1) });
    const engine = Engine.trtllm({ config: { max_batch_size: 4 } });
    const graph = DynamoGraph.aggregated(chart, 'g', { model, engine, modelCache: cache });
    const worker = graph.components.find((c) => 'configMap' in c) as ReturnType<typeof graph.addWorker>;
    const pod = new Pod(chart, 'look', { metadata: { name: 'look' }, containers: [{ image: 'busybox:1' }] });
    pod.addVolume(Volume.fromPersistentVolumeClaim(chart, 'volume', cache.claim));
    expect(cache.claim).toBe(cache.claim);
    expect(cache.compilationClaim?.name).toBe('weights-compilation');
    expect(worker.configMap?.name).toBe('g-worker-config');
    expect(valueAt(find(chart, 'Pod'), 'spec', 'volumes', 0, 'persistentVolumeClaim', 'claimName')).toBe('weights');
    expect(manifests(chart).filter(({ kind }) => kind === 'PersistentVolumeClaim')).toHaveLength(2);
  });
});

test('a chart hands out its namespace and a graph its account, and neither is written again', () => {
  const chart = chartOf({ createNamespace: true });
  const graph = DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.vllm() });
  const policies = new Chart(new App(), 'policies', { disableResourceNameHashes: true });
  const namespace = chart.kubernetesNamespace;
  if (namespace === undefined) throw new Error('no namespace');
  expect(chart.kubernetesNamespace).toBe(namespace);
  const policy = new NetworkPolicy(policies, 'from-models');
  policy.addIngressRule(namespace);
  expect(valueAt(find(policies, 'NetworkPolicy'), 'spec', 'ingress', 0, 'from', 0, 'namespaceSelector')).toEqual({
    matchLabels: { 'kubernetes.io/metadata.name': 'models' },
  });
  const role = new ClusterRole(policies, 'reader');
  role.bindInNamespace('models', graph.serviceAccount);
  expect(valueAt(find(policies, 'RoleBinding'), 'subjects')).toEqual([
    { apiGroup: '', kind: 'ServiceAccount', name: 'g-k8s-service-discovery', namespace: 'models' },
  ]);
  expect(manifests(chart).map(({ kind }) => kind)).toEqual(['Namespace', 'DynamoGraphDeployment']);
  expect(chartOf({ namespace: new Namespace(policies, 'n', { metadata: { name: 'n' } }) }).kubernetesNamespace?.name).toBe('n');
});

test('a chart writes its namespace where it is told to, outside of any namespace', () => {
  const chart = chartOf({ createNamespace: true });
  DynamoGraph.aggregated(chart, 'g', { model, engine: Engine.vllm() });
  expect(manifests(chart)[0]).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'models' } });
  expect(() => new DynamoChart(new App(), 'c', { createNamespace: true })).toThrow('chart c has no namespace to create');
});

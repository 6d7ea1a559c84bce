import { describe, expect, test } from 'vitest';
import { admit, type AdmissionContext, type User } from '../../lib/admission/index.ts';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { graph, resource } from './objects.ts';

const texts = (object: JsonObject, context: AdmissionContext = {}): readonly string[] =>
  admit({ operation: 'CREATE', object }, context).issues.map((issue) => issue.text);

const update = (oldObject: JsonObject, object: JsonObject, user?: User, context: AdmissionContext = {}): readonly string[] =>
  admit({ operation: 'UPDATE', object, oldObject, user }, context).issues.map((issue) => issue.text);

const component = (spec: JsonObject): JsonObject => resource('DynamoComponentDeployment', spec);
const epp = (spec: JsonObject): JsonObject => component({ componentType: 'epp', ...spec });
const picker = { configMapRef: { name: 'c', key: 'k' } };

describe('rules of a component', () => {
  const cases: [string, JsonObject, string[]][] = [
    ['accepts no replicas at all', component({ replicas: 0 }), []],
    ['rejects negative replicas', component({ replicas: -1 }), ['spec.replicas must be non-negative']],
    [
      'rejects an ingress without host',
      component({ ingress: { enabled: true, host: '' } }),
      ['spec.ingress.host is required when ingress is enabled'],
    ],
    ['accepts an ingress that is off', component({ ingress: { enabled: false } }), []],
    [
      'rejects the first mount without mount point',
      component({ volumeMounts: [{ name: 'a', mountPoint: '/a' }, { name: 'b' }, { name: 'c' }] }),
      ['spec.volumeMounts[1].mountPoint is required when useAsCompilationCache is false'],
    ],
    [
      'accepts a compilation cache without mount point',
      component({ volumeMounts: [{ name: 'a', useAsCompilationCache: true }] }),
      [],
    ],
    ['accepts shared memory of some size', component({ sharedMemory: { size: '2Gi' } }), []],
    ['accepts a size given as a number', component({ sharedMemory: { size: 1024 } }), []],
    ['accepts shared memory that is off', component({ sharedMemory: { disabled: true } }), []],
    [
      'rejects an endpoint picker over several nodes',
      epp({ eppConfig: picker, multinode: { nodeCount: 2 } }),
      ['spec: EPP component cannot be multinode (multinode field must be nil or nodeCount must be 1)'],
    ],
    ['accepts an endpoint picker of one node', epp({ eppConfig: picker, multinode: { nodeCount: 1 } }), []],
    [
      'rejects an endpoint picker without replicas',
      epp({ eppConfig: picker, replicas: 0 }),
      ['spec: EPP component must have exactly 1 replica (found 0 replicas)'],
    ],
    ['rejects an endpoint picker without config', epp({}), ['spec.eppConfig is required for EPP components']],
    ['looks at no picker config of other components', component({ componentType: 'worker', eppConfig: {} }), []],
  ];
  for (const zero of ['0', 0, '0Gi', '0.0', '0e3', '-0', '+0m', '.0']) {
    cases.push([
      `rejects shared memory of size ${JSON.stringify(zero)}`,
      component({ sharedMemory: { size: zero } }),
      ['spec.sharedMemory.size is required when disabled is false'],
    ]);
  }
  for (const [name, object, want] of cases) test(name, () => expect(texts(object)).toEqual(want));

  test('asks for the inference API only in a graph, and only when the API groups are known', () => {
    const service = { componentType: 'epp', eppConfig: picker };
    expect(texts(graph({ epp: service }))).toEqual([]);
    expect(texts(graph({ epp: service }), { apiGroups: new Set(['inference.networking.k8s.io']) })).toEqual([]);
    expect(texts(component(service), { apiGroups: new Set() })).toEqual([]);
    const [text] = texts(graph({ epp: service }), { apiGroups: new Set(['apps']) });
    expect(text).toMatch(/^spec\.services\[epp\]: .*inference\.networking\.k8s\.io.*Gateway API Inference Extension/);
  });
});

describe('rules of a graph', () => {
  test('tells the missing restart id together with a wrong order', () => {
    const object = graph({ a: {}, b: {} }, { restart: { id: '', strategy: { order: ['a', 'ghost', 'ghost'] } } });
    expect(texts(object)).toEqual([
      'spec.restart.id is required',
      'spec.restart.strategy.order must be unique',
      'spec.restart.strategy.order contains unknown service: ghost',
    ]);
  });

  test('tells the first bad service by key and no other', () => {
    const bad = { sharedMemory: {} };
    expect(texts(graph({ b: bad, a: bad }))).toEqual(['spec.services[a].sharedMemory.size is required when disabled is false']);
  });

  test('tells every bad service, PVC and rule when asked to be thorough', () => {
    const object = graph(
      { b: { sharedMemory: {}, ingress: { enabled: true } }, a: { volumeMounts: [{ name: 'm' }] } },
      { pvcs: [{ name: '' }, { create: true, name: 'p' }] },
    );
    expect(admit({ operation: 'CREATE', object }, { thorough: true }).issues.map(({ path }) => formatPath(path))).toEqual([
      'spec.pvcs[0].name',
      'spec.pvcs[1].storageClass',
      'spec.pvcs[1].size',
      'spec.pvcs[1].volumeAccessMode',
      'spec.services.a.volumeMounts[0].mountPoint',
      'spec.services.b.ingress.host',
      'spec.services.b.sharedMemory.size',
    ]);
  });

  test('rejects a service that is null', () => {
    expect(texts(graph({ a: null }))).toEqual(['spec.services[a] must be an object']);
  });

  test('lists added and removed services sorted', () => {
    expect(update(graph({ a: {}, z: {}, y: {} }), graph({ a: {}, c: {}, b: {} }))).toEqual([
      'service topology is immutable and cannot be modified after creation: services added: [b c], services removed: [y z]',
    ]);
  });

  test('judges the update by the stages of the webhook', () => {
    const before = graph({ a: { replicas: 1, scalingAdapter: { enabled: true } } }, { backendFramework: 'vllm' });
    const after = graph(
      { a: { replicas: 2, scalingAdapter: { enabled: true }, multinode: { nodeCount: 2 } }, b: {} },
      { backendFramework: 'sglang' },
    );
    expect(update(before, after)).toHaveLength(2);
    expect(update(before, after, undefined, { thorough: true })).toHaveLength(4);
  });
});

describe('who may change replicas under a scaling adapter', () => {
  const [before, after] = [1, 5].map((replicas) => graph({ a: { replicas, scalingAdapter: { enabled: true } } }));
  const users: [string, boolean][] = [
    ['system:serviceaccount:dynamo-system:dynamo-platform-dynamo-operator-controller-manager', true],
    ['system:serviceaccount:any:planner-serviceaccount', true],
    ['system:serviceaccount:x:myplanner-serviceaccount', true],
    ['system:serviceaccount:x:dynamo-operator-controller-manager', false],
    ['system:serviceaccount:x:default', false],
    ['kubernetes-admin', false],
    ['planner-serviceaccount', false],
    ['system:serviceaccount:a:b:planner-serviceaccount', false],
    ['system:serviceaccount:x:planner-serviceaccount:y', false],
    ['other:serviceaccount:x:planner-serviceaccount', false],
    ['system:user:x:planner-serviceaccount', false],
    ['', false],
  ];
  for (const [username, may] of users) {
    test(`${username || 'nobody'} ${may ? 'may' : 'may not'}`, () => {
      expect(update(before ?? {}, after ?? {}, { username })).toHaveLength(may ? 0 : 1);
    });
  }
});

describe('rules of a request', () => {
  const request = (spec: JsonObject): JsonObject =>
    resource('DynamoGraphDeploymentRequest', { model: 'm', backend: 'vllm', ...spec });

  test('tells all that is wrong at once and keeps the warnings of a denial', () => {
    const object = request({
      enableGpuDiscovery: true,
      profilingConfig: { profilerImage: '', config: { engine: { backend: 'sglang' } } },
    });
    const { issues, warnings } = admit({ operation: 'CREATE', object }, { restrictedNamespace: 'ns' });
    expect(issues.map((issue) => issue.text)).toEqual([
      'spec.profilingConfig.profilerImage is required',
      expect.stringMatching(/^spec\.enableGpuDiscovery can only be set to true for cluster-wide operators/),
    ]);
    expect(warnings.map((warning) => warning.text)).toEqual([
      'spec.profilingConfig.config.engine.backend (sglang) will be overwritten by spec.backend (vllm)',
    ]);
  });

  test('lets a cluster-wide operator discover GPUs', () => {
    expect(texts(request({ enableGpuDiscovery: true, profilingConfig: { profilerImage: 'p', config: {} } }))).toEqual([]);
  });
});

describe('rules of a model', () => {
  const model = (spec: JsonObject): JsonObject => resource('DynamoModel', { modelName: 'm', baseModelName: 'b', ...spec });
  const cases: [JsonObject, string[]][] = [
    [model({ baseModelName: '' }), ['spec.baseModelName is required']],
    [model({ modelType: 'lora', source: { uri: '' } }), ["spec.source.uri must be specified when modelType is 'lora'"]],
    [
      model({ modelType: 'lora', source: { uri: 'file:///x' } }),
      ["source URI must start with 's3://' or 'hf://', got: file:///x"],
    ],
    [model({ modelType: 'adapter', source: { uri: 'http://x' } }), []],
  ];
  for (const [object, want] of cases)
    test(`says of ${JSON.stringify(object['spec'])}: ${want.join() || 'nothing'}`, () => expect(texts(object)).toEqual(want));
});

describe('what is skipped', () => {
  const invalid = resource('DynamoModel', {});
  test('deletions', () => expect(admit({ operation: 'DELETE', object: invalid })).toEqual({ issues: [], warnings: [] }));
  test('updates of what is being deleted', () => {
    expect(update(invalid, resource('DynamoModel', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toEqual([]);
  });
  test('namespaces with an operator of their own, for a cluster-wide operator only', () => {
    const excludedNamespaces = new Set(['ns']);
    expect(texts(invalid, { excludedNamespaces })).toEqual([]);
    expect(texts(invalid, { excludedNamespaces, restrictedNamespace: 'ns' })).toEqual(['spec.modelName is required']);
    expect(texts(resource('DynamoModel', {}, { namespace: '' }), { excludedNamespaces: new Set(['']) })).toEqual([
      'spec.modelName is required',
    ]);
  });
  test('kinds without rules', () => expect(texts(resource('DynamoGraphDeploymentScalingAdapter', {}))).toEqual([]));
});

test('a broken rule has a path for people and the text of the webhook', () => {
  const { issues } = admit({ operation: 'CREATE', object: graph({ 'a.b': { sharedMemory: {} } }) });
  expect(issues).toEqual([
    {
      path: ['spec', 'services', 'a.b', 'sharedMemory', 'size'],
      code: 'required',
      message: 'is required when disabled is false',
      text: 'spec.services[a.b].sharedMemory.size is required when disabled is false',
    },
  ]);
});

/** Every rule of section 12 of the contract: its field, its code, its message, and the message of the webhook. */
import { describe, expect, test } from 'vitest';
import { admit } from '../../lib/admission/index.ts';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { graph, resource } from './objects.ts';

const component = (spec: JsonObject): JsonObject => resource('DynamoComponentDeployment', spec);
const epp = (spec: JsonObject): JsonObject => component({ componentType: 'epp', ...spec });
const ref = { configMapRef: { name: 'c', key: 'k' } };
const config = { config: { plugins: [], schedulingProfiles: [] } };
const request = (profilingConfig: JsonObject, more: JsonObject = {}): JsonObject =>
  resource('DynamoGraphDeploymentRequest', { model: 'm', backend: 'vllm', profilingConfig, ...more });
const model = (spec: JsonObject): JsonObject => resource('DynamoModel', { modelName: 'm', baseModelName: 'b', ...spec });
const pvc = { name: 'p', create: true, storageClass: 's', size: '1Gi', volumeAccessMode: 'ReadWriteOnce' };

/** `path code: message`, and the text of the webhook where it does not follow from these. */
function verdict(object: JsonObject, oldObject?: JsonObject, restrictedNamespace?: string) {
  const { issues, warnings } = admit({ operation: oldObject ? 'UPDATE' : 'CREATE', object, oldObject }, { restrictedNamespace });
  const told = ({ path, code, message }: (typeof issues)[number]): string => `${formatPath(path)} ${code}: ${message}`;
  return { issues: issues.map(told), warnings: warnings.map(told), texts: [...issues, ...warnings].map(({ text }) => text) };
}

describe('on a new object', () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ['S1', component({ replicas: -1 }), ['spec.replicas negative: must be non-negative']],
    ['S2', component({ ingress: { enabled: true } }), ['spec.ingress.host required: is required when ingress is enabled']],
    [
      'S3',
      component({ volumeMounts: [{ name: 'd' }] }),
      ['spec.volumeMounts[0].mountPoint required: is required when useAsCompilationCache is false'],
    ],
    [
      'S3, cache off',
      component({ volumeMounts: [{ name: 'd', useAsCompilationCache: false }] }),
      ['spec.volumeMounts[0].mountPoint required: is required when useAsCompilationCache is false'],
    ],
    [
      'S4',
      component({ sharedMemory: { disabled: false } }),
      ['spec.sharedMemory.size required: is required when disabled is false'],
    ],
    [
      'S6',
      epp({ eppConfig: ref, multinode: { nodeCount: 2 } }),
      ['spec not_allowed: EPP component cannot be multinode (multinode field must be nil or nodeCount must be 1)'],
    ],
    [
      'S7',
      epp({ eppConfig: ref, replicas: 2 }),
      ['spec not_allowed: EPP component must have exactly 1 replica (found 2 replicas)'],
    ],
    ['S7 kept', epp({ eppConfig: ref, replicas: 1 }), []],
    ['S8', epp({}), ['spec.eppConfig required: is required for EPP components']],
    [
      'S9',
      epp({ eppConfig: {} }),
      ['spec.eppConfig required: either configMapRef or config must be specified (no default configuration provided)'],
    ],
    ['S9 kept', epp({ eppConfig: config }), []],
    [
      'S10',
      epp({ eppConfig: { ...ref, ...config } }),
      ['spec.eppConfig conflict: configMapRef and config are mutually exclusive, only one can be specified'],
    ],
    ['S11', epp({ eppConfig: { configMapRef: { key: 'k' } } }), ['spec.eppConfig.configMapRef.name required: is required']],
    ['only the first', component({ replicas: -1, sharedMemory: {} }), ['spec.replicas negative: must be non-negative']],
    ['G1', graph({}), ['spec.services required: must have at least one service']],
    ['G1, no spec', { ...graph({}), spec: undefined }, ['spec.services required: must have at least one service']],
    [
      'G2 to G5 of the first bad claim',
      graph({ a: {} }, { pvcs: [pvc, { create: true }, { name: '' }] }),
      [
        'spec.pvcs[1].name required: is required',
        'spec.pvcs[1].storageClass required: is required when create is true',
        'spec.pvcs[1].size required: is required when create is true',
        'spec.pvcs[1].volumeAccessMode required: is required when create is true',
      ],
    ],
    [
      'G4, zero',
      graph({ a: {} }, { pvcs: [{ ...pvc, size: 0 }] }),
      ['spec.pvcs[0].size required: is required when create is true'],
    ],
    ['G2 kept', graph({ a: {} }, { pvcs: [pvc, { name: 'q' }, { name: 'r', create: false }] }), []],
    ['G6', graph({ a: {} }, { restart: {} }), ['spec.restart.id required: is required']],
    [
      'G6 and G7',
      graph({ a: {} }, { restart: { strategy: { type: 'Parallel', order: ['a'] } } }),
      [
        'spec.restart.id required: is required',
        'spec.restart.strategy.order not_allowed: cannot be specified when strategy is parallel',
      ],
    ],
    ['G7 kept', graph({ a: {} }, { restart: { id: 'r', strategy: { type: 'Parallel', order: [] } } }), []],
    [
      'G8',
      graph({ a: {}, b: {} }, { restart: { id: 'r', strategy: { type: 'Sequential', order: ['a', 'a', 'b'] } } }),
      ['spec.restart.strategy.order duplicate: must be unique'],
    ],
    [
      'G9',
      graph({ a: {}, b: {}, c: {} }, { restart: { id: 'r', strategy: { order: ['a', 'b'] } } }),
      ['spec.restart.strategy.order incomplete: must have the same number of unique services as the deployment'],
    ],
    [
      'G10',
      graph({ a: {}, b: {} }, { restart: { id: 'r', strategy: { order: ['x', 'y'] } } }),
      [
        'spec.restart.strategy.order[0] unknown_service: unknown service: x',
        'spec.restart.strategy.order[1] unknown_service: unknown service: y',
      ],
    ],
    [
      'G10, keys of prototypes',
      graph({ a: {} }, { restart: { id: 'r', strategy: { order: ['toString'] } } }),
      ['spec.restart.strategy.order[0] unknown_service: unknown service: toString'],
    ],
    ['G8 to G10 kept', graph({ a: {}, b: {} }, { restart: { id: 'r', strategy: { order: ['b', 'a'] } } }), []],
    [
      'claims before restart, restart before services',
      graph({ a: { replicas: -1 } }, { pvcs: [{ name: '' }], restart: { id: '' } }),
      ['spec.pvcs[0].name required: is required'],
    ],
    [
      'restart before services',
      graph({ a: { replicas: -1 } }, { restart: { id: '' } }),
      ['spec.restart.id required: is required'],
    ],
    [
      'R1 and R2',
      request({}),
      [
        'spec.profilingConfig.profilerImage required: is required',
        'spec.profilingConfig.config required: is required and must not be empty',
      ],
    ],
    ['R2 kept', request({ profilerImage: 'p', config: {} }), []],
    ['R4', request({ profilerImage: 'p', config: '{invalid' }), ['spec.profilingConfig.config invalid: must be a map']],
    ['M1', model({ modelName: '', baseModelName: '' }), ['spec.modelName required: is required']],
    ['M3', model({ modelType: 'lora' }), ["spec.source required: is required when modelType is 'lora'"]],
    ['M4', model({ modelType: 'lora', source: {} }), ["spec.source.uri required: must be specified when modelType is 'lora'"]],
    [
      'M5',
      model({ modelType: 'lora', source: { uri: 'S3://b' } }),
      ["spec.source.uri invalid: must start with 's3://' or 'hf://', got: S3://b"],
    ],
    ['M5 kept, s3', model({ modelType: 'lora', source: { uri: 's3://b/a' } }), []],
    ['M5 kept, hf', model({ modelType: 'lora', source: { uri: 'hf://' } }), []],
    ['M3 of other types', model({ modelType: 'base' }), []],
  ])('%s', (_rule, object, wanted) => expect(verdict(object).issues).toEqual(wanted));

  test('R3: a restricted operator discovers no GPUs', () => {
    const discover = request({ profilerImage: 'p', config: {} }, { enableGpuDiscovery: true });
    const text =
      'can only be set to true for cluster-wide operators. Namespace-restricted operators cannot access cluster nodes for GPU discovery. ' +
      'Please set enableGpuDiscovery to false and provide hardware configuration (hardware.min_num_gpus_per_engine, ' +
      'hardware.max_num_gpus_per_engine, hardware.num_gpus_per_node) in spec.profilingConfig.config';
    expect(verdict(discover, undefined, 'ns').issues).toEqual([`spec.enableGpuDiscovery not_allowed: ${text}`]);
    expect(verdict(discover).issues).toEqual([]);
    expect(verdict(request({ profilerImage: 'p', config: {} }, { enableGpuDiscovery: false }), undefined, 'ns').issues).toEqual(
      [],
    );
  });

  test('texts that do not follow from the path', () => {
    expect(verdict(request({ profilerImage: 'p', config: [] })).texts).toEqual([
      'failed to parse spec.profilingConfig.config: not a map',
    ]);
    expect(verdict(epp({ eppConfig: {} })).texts).toEqual([
      'spec.eppConfig: either configMapRef or config must be specified (no default configuration provided)',
    ]);
  });
});

describe('warnings', () => {
  test('W1 and W2, of a component of a graph and of one without', () => {
    const spec = { dynamoNamespace: 'old', autoscaling: {} };
    const owned = (ownerReferences: readonly JsonObject[]) => ({
      ...component(spec),
      metadata: { name: 'x', namespace: 'ns', ownerReferences },
    });
    const replaced = (object: JsonObject) => verdict(object).warnings.map((warning) => /with '(.*)'\./.exec(warning)?.[1]);
    expect(verdict(component(spec)).warnings).toEqual([
      "spec.dynamoNamespace deprecated: is deprecated and ignored. Value 'old' will be replaced with 'ns-'. Remove this field from your configuration",
      'spec.autoscaling deprecated: is deprecated and ignored. Use DynamoGraphDeploymentScalingAdapter with HPA, KEDA, or Planner for autoscaling instead. See docs/kubernetes/autoscaling.md',
    ]);
    expect(
      replaced(
        owned([
          { kind: 'Pod', name: 'p' },
          { kind: 'DynamoGraphDeployment', name: 'g' },
        ]),
      )[0],
    ).toBe('ns-g');
    expect(replaced(owned([{ kind: 'Pod', name: 'p' }]))[0]).toBe('ns-');
    expect(verdict(component({ dynamoNamespace: '' })).warnings).toEqual([]);
    expect(verdict(graph({ b: spec, a: spec })).warnings.map((text) => text.split(' ')[0])).toEqual([
      'spec.services.a.dynamoNamespace',
      'spec.services.a.autoscaling',
      'spec.services.b.dynamoNamespace',
      'spec.services.b.autoscaling',
    ]);
    expect(verdict(graph({ a: { ...spec, replicas: -1 } })).warnings).toEqual([]);
    expect(verdict(component({ ...spec, replicas: -1 })).warnings).toEqual([]);
  });

  test('RW1 and RW2', () => {
    const config = (values: JsonObject) => verdict(request({ profilerImage: 'p', config: values })).warnings;
    expect(config({ engine: { backend: 'sglang' }, deployment: { model: 'other' } })).toEqual([
      'spec.profilingConfig.config.engine.backend overwritten: (sglang) will be overwritten by spec.backend (vllm)',
      'spec.profilingConfig.config.deployment.model overwritten: (other) will be overwritten by spec.model (m)',
    ]);
    expect(config({ engine: { backend: 'vllm' }, deployment: { model: 'm' } })).toEqual([]);
    expect(config({ engine: { backend: '' }, deployment: { model: 1 } })).toEqual([]);
    expect(config({ engine: 'sglang' })).toEqual([]);
  });
});

describe('on an update', () => {
  const backend = (backendFramework?: string): JsonObject => (backendFramework === undefined ? {} : { backendFramework });
  const immutable = (field: string): string => `spec.${field} immutable: is immutable and cannot be changed after creation`;
  const changing = (field: string, effect: string): string => `spec.${field} immutable: Changing spec.${field} ${effect}`;

  test.each([
    ['sglang', 'vllm'],
    [undefined, 'vllm'],
    ['vllm', undefined],
  ])('CU1 and GU1: backend %s to %s', (before, after) => {
    for (const of of [component, (spec: JsonObject) => graph({ a: {} }, spec)])
      expect(verdict(of(backend(after)), of(backend(before)))).toEqual({
        issues: [immutable('backendFramework')],
        warnings: [changing('backendFramework', 'may cause unexpected behavior')],
        texts: [
          'spec.backendFramework is immutable and cannot be changed after creation',
          'Changing spec.backendFramework may cause unexpected behavior',
        ],
      });
  });

  test('everything else of a component may change', () => {
    const before = component({
      backendFramework: 'vllm',
      replicas: 1,
      scalingAdapter: { enabled: true },
      multinode: { nodeCount: 2 },
    });
    expect(verdict(component({ backendFramework: 'vllm', replicas: 3 }), before).issues).toEqual([]);
  });

  const nodes = (count?: number): JsonObject => (count === undefined ? {} : { multinode: { nodeCount: count } });
  test.each<[number | undefined, number | undefined, boolean]>([
    [2, 4, true],
    [undefined, undefined, true],
    [undefined, 1, true],
    [undefined, 2, false],
    [3, undefined, false],
    [1, 2, false],
    [2, 1, false],
  ])('GU2: nodes %s to %s: %s', (before, after, passes) => {
    expect(
      verdict(graph({ a: nodes(after), b: nodes(after), c: {} }), graph({ a: nodes(before), b: nodes(before), c: {} })).issues,
    ).toEqual(
      passes
        ? []
        : ['a', 'b'].map(
            (key) =>
              `spec.services.${key} immutable: cannot change node topology (between single-node and multi-node) after creation`,
          ),
    );
  });

  test.each<[JsonObject, JsonObject, string]>([
    [{ a: {} }, { a: {}, b: nodes(2), c: {} }, 'services added: [b c]'],
    [{ a: {}, c: {}, b: {} }, { a: {} }, 'services removed: [b c]'],
    [{ a: {}, b: {} }, { a: {}, c: {} }, 'services added: [c], services removed: [b]'],
  ])('GU3: %j to %j', (before, after, changes) => {
    const { issues, texts } = verdict(graph(after), graph(before));
    const text = `service topology is immutable and cannot be modified after creation: ${changes}`;
    expect({ issues, texts }).toEqual({ issues: [`spec.services immutable: ${text}`], texts: [text] });
  });

  const scaled = (replicas: number | undefined, enabled: boolean): JsonObject => ({
    ...(replicas === undefined ? {} : { replicas }),
    scalingAdapter: { enabled },
  });
  test.each<[JsonObject, JsonObject, boolean]>([
    [scaled(2, true), scaled(2, true), true],
    [scaled(undefined, true), scaled(1, true), true],
    [scaled(1, true), scaled(undefined, true), true],
    [scaled(1, false), scaled(5, false), true],
    [scaled(2, true), scaled(5, false), true],
    [scaled(2, true), scaled(5, true), false],
    [scaled(2, false), scaled(5, true), false],
    [scaled(3, true), scaled(undefined, true), false],
    [{ replicas: 1 }, { replicas: 2 }, true],
  ])('GU4: %j to %j: %s', (before, after, passes) => {
    const message =
      'cannot be modified directly when scaling adapter is enabled; scale or update the related DynamoGraphDeploymentScalingAdapter instead';
    expect(verdict(graph({ a: after }), graph({ a: before })).issues).toEqual(
      passes ? [] : [`spec.services.a.replicas immutable: ${message}`],
    );
  });

  test('GU1 and GU2 together, then GU3 alone, then GU4', () => {
    const before = graph({ a: scaled(1, true), b: {} }, backend('vllm'));
    const codes = (object: JsonObject): readonly string[] =>
      verdict(object, before).issues.map((text) => text.split(':')[0] ?? '');
    expect(codes(graph({ a: { ...scaled(2, true), ...nodes(2) }, c: {} }, backend('sglang')))).toEqual([
      'spec.backendFramework immutable',
      'spec.services.a immutable',
    ]);
    expect(codes(graph({ a: scaled(2, true), c: {} }, backend('vllm')))).toEqual(['spec.services immutable']);
    expect(codes(graph({ a: scaled(2, true), b: {} }, backend('vllm')))).toEqual(['spec.services.a.replicas immutable']);
  });

  test('a broken rule of its own comes before what changed', () => {
    const before = graph({ a: {} }, backend('vllm'));
    expect(verdict(graph({ a: { replicas: -1 } }, backend('sglang')), before)).toMatchObject({
      issues: ['spec.services.a.replicas negative: must be non-negative'],
      warnings: [],
    });
    expect(verdict(graph({ a: { autoscaling: {} } }, backend('vllm')), before).warnings).toHaveLength(1);
  });

  test('a request may change in everything', () => {
    const [before, after] = ['a', 'b'].map((name) => request({ profilerImage: 'p', config: {} }, { model: name }));
    expect(verdict(after ?? {}, before)).toEqual({ issues: [], warnings: [], texts: [] });
  });

  test('MU1 before MU2', () => {
    const before = model({ modelType: 'base' });
    expect(verdict(model({ modelType: 'adapter', baseModelName: 'c' }), before)).toMatchObject({
      issues: [immutable('modelType')],
      warnings: [changing('modelType', 'may cause unexpected behavior')],
    });
    expect(verdict(model({ modelType: 'base', baseModelName: 'c' }), before)).toMatchObject({
      issues: [immutable('baseModelName')],
      warnings: [changing('baseModelName', 'will break endpoint discovery')],
    });
    expect(verdict(model({ modelType: 'base', modelName: 'other' }), before).issues).toEqual([]);
  });
});

test('all broken rules of a model, where all are asked for', () => {
  const object = model({ modelName: '', baseModelName: '', modelType: 'lora' });
  expect(admit({ operation: 'CREATE', object }, { thorough: true }).issues.map(({ path }) => formatPath(path))).toEqual([
    'spec.modelName',
    'spec.baseModelName',
    'spec.source',
  ]);
});

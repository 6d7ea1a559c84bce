import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { lintResource, buildLintIndex, type Finding, type LintContext } from '../../lib/lint/index.ts';
import { decode, frontend, graph, object, pathModel, prefill, vllmModel, worker } from '../../lib/lint/sample.ts';

function lintAll(resources: readonly JsonObject[], context: LintContext = {}): readonly Finding[] {
  const plain = JSON.parse(JSON.stringify(resources)) as JsonObject[];
  const around = buildLintIndex({ ...context, resources: plain });
  return plain.flatMap((resource) => lintResource(resource, around).findings);
}

const withWorker = (one: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}) =>
  graph({ Frontend: frontend(), Worker: one }, spec, metadata);
const vllm = (args: readonly string[] = [], extra: JsonObject = {}, container: JsonObject = {}) =>
  worker('vllm', [...vllmModel, ...args], extra, container);
const shell = (script: string, extra: JsonObject = {}) => worker('vllm', [script], extra, { command: ['/bin/sh', '-c'] });
const request = (spec: JsonObject, name = 'sla') => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeploymentRequest',
  metadata: { name },
  spec: { model: 'm', backend: 'trtllm', autoApply: false, ...spec },
});
const twoNodes = (gpu: string) => ({
  multinode: { nodeCount: 2 },
  resources: { limits: { gpu } },
  sharedMemory: { size: '80Gi' },
});
const planner = (args: readonly string[]) => ({
  componentType: 'planner',
  replicas: 1,
  extraPodSpec: { mainContainer: { image: 'vllm-runtime:0.9.0', command: ['python3', '-m', 'planner_sla'], args } },
});
const sglang = (role: string, port: string) =>
  worker('sglang', [...pathModel, '--disaggregation-mode', role, '--disaggregation-bootstrap-port', port], {
    subComponentType: role,
  });

/** What else each rule reports: rule, what, severity, resources, where, context. */
const fires: readonly (readonly [
  id: string,
  what: string,
  severity: string,
  resources: readonly JsonObject[],
  path: string,
  context?: LintContext,
])[] = [
  ['DYN-ROLE-001', 'a decode worker alone', 'error', [graph({ Frontend: frontend(), D: decode() })], 'spec.services.D'],
  [
    'DYN-ROLE-002',
    'a prefill type without its flag',
    'warning',
    [graph({ Frontend: frontend(), P: vllm([], { subComponentType: 'prefill' }), D: decode() })],
    'spec.services.P',
  ],
  ['DYN-ROLE-003', 'a missing type', 'warning', [withWorker({ ...vllm(), componentType: undefined })], 'spec.services.Worker'],
  [
    'DYN-ROLE-004',
    'two bootstrap ports',
    'error',
    [graph({ Frontend: frontend(), P: sglang('prefill', '1'), D: sglang('decode', '2') })],
    'spec.services.D',
  ],
  [
    'DYN-ROLE-004',
    'connector none on one side',
    'error',
    [graph({ Frontend: frontend(), P: prefill(), D: decode(['--connector', 'none']) })],
    'spec.services.D.extraPodSpec.mainContainer.args[3]',
  ],
  [
    'DYN-ROLE-004',
    'a connector that moves nothing between workers',
    'error',
    [graph({ Frontend: frontend(), P: prefill(['--connector', 'lmcache']), D: decode() })],
    'spec.services.P.extraPodSpec.mainContainer.args[3]',
  ],
  ['DYN-ROLE-006', 'no service at all', 'error', [graph({})], 'spec'],
  [
    'DYN-ROLE-006',
    'two endpoint pickers',
    'error',
    [graph({ Frontend: frontend(), A: { componentType: 'epp' }, B: { componentType: 'epp' } })],
    'spec.services.B',
  ],
  ['DYN-ROLE-006', 'two frontends', 'warning', [graph({ A: frontend(), B: frontend(), Worker: vllm() })], 'spec.services.B'],
  [
    'DYN-ROLE-007',
    'LoRA on SGLang',
    'error',
    [withWorker(worker('sglang', [...pathModel, '--enable-lora']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
  [
    'DYN-ROLE-007',
    'LoRA with a connector',
    'error',
    [withWorker(vllm(['--enable-lora', '--max-lora-rank', '8', '--connector', 'nixl']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[6]',
  ],
  [
    'DYN-ROLE-007',
    'LoRA with the default connector',
    'warning',
    [withWorker(vllm(['--enable-lora', '--max-lora-rank', '8']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-BACK-001',
    'two engines in one script',
    'error',
    [withWorker(shell('python3 -m dynamo.vllm & python3 -m dynamo.sglang'))],
    'spec.services.Worker.extraPodSpec.mainContainer',
  ],
  [
    'DYN-BACK-001',
    'prefill and decode of two engines',
    'error',
    [graph({ Frontend: frontend(), P: prefill(), D: sglang('decode', '1') })],
    'spec.services.D',
  ],
  [
    'DYN-BACK-002',
    'a flag without its value',
    'error',
    [withWorker(vllm(['--block-size']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-BACK-002',
    'an unknown flag',
    'warning',
    [withWorker(vllm(['--tensor-paralel-size', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-BACK-002',
    'a flag that a later release removed',
    'error',
    [withWorker(vllm(['--is-prefill-worker']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
    { release: '1.4.0' },
  ],
  [
    'DYN-BACK-003',
    'exec args of a worker without command',
    'error',
    [withWorker(worker('vllm', ['-m', 'dynamo.vllm'], {}, { command: [] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.args',
  ],
  [
    'DYN-BACK-003',
    'a shell without a script',
    'error',
    [withWorker(worker('vllm', [], {}, { command: ['/bin/sh', '-c'] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.command',
  ],
  [
    'DYN-BACK-003',
    'python without a module',
    'error',
    [withWorker(worker('vllm', ['--model', 'x'], {}, { command: ['python3'] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.args',
  ],
  [
    'DYN-GPU-001',
    'a worker without GPUs',
    'error',
    [withWorker(vllm([], { resources: {} }))],
    'spec.services.Worker.resources.limits.gpu',
  ],
  [
    'DYN-GPU-001',
    'flags inside a script',
    'error',
    [withWorker(shell('exec python3 -m dynamo.vllm --model x \\\n --tensor-parallel-size 2'))],
    'spec.services.Worker.resources.limits.gpu',
  ],
  [
    'DYN-GPU-001',
    'data parallel attention that does not divide',
    'error',
    [
      withWorker(
        worker('sglang', [...pathModel, '--tp', '8', '--dp', '3', '--enable-dp-attention'], {
          resources: { limits: { gpu: '8' } },
        }),
      ),
    ],
    'spec.services.Worker.extraPodSpec.mainContainer.args[6]',
  ],
  [
    'DYN-GPU-003',
    'another request than limit',
    'error',
    [withWorker(vllm([], { resources: { requests: { gpu: '2' }, limits: { gpu: '1' } } }))],
    'spec.services.Worker.resources.requests.gpu',
  ],
  [
    'DYN-GPU-004',
    'multinode without an orchestrator',
    'error',
    [withWorker(vllm(['--tensor-parallel-size', '2'], twoNodes('1')))],
    'spec.services.Worker.multinode',
    { orchestrator: 'none' },
  ],
  [
    'DYN-GPU-005',
    'a shell wrapper under Ray',
    'error',
    [withWorker(shell('python3 -m dynamo.vllm --model x --tensor-parallel-size 8', twoNodes('4')))],
    'spec.services.Worker.extraPodSpec.mainContainer.command',
  ],
  [
    'DYN-GPU-005',
    'a flag with an equals sign',
    'error',
    [withWorker(vllm(['--tensor-parallel-size=8'], twoNodes('4')))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-GPU-005',
    'JSON in args under data parallel',
    'error',
    [withWorker(vllm(['--data-parallel-size', '8', '--eplb-config', '{"a":1}'], twoNodes('4')))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[5]',
  ],
  ['DYN-GPU-006', 'more than the budget', 'warning', [withWorker(vllm([], { replicas: 9 }))], 'spec.services', { gpuBudget: 8 }],
  [
    'DYN-MEM-001',
    'shared memory over the limit',
    'error',
    [withWorker(vllm([], { sharedMemory: { size: '80Gi' }, resources: { limits: { gpu: '1', memory: '64Gi' } } }))],
    'spec.services.Worker.sharedMemory.size',
  ],
  [
    'DYN-NAME-001',
    'long names where Grove may be used',
    'warning',
    [withWorker(vllm(), {}, { name: 'a-very-long-name-for-a-graph-of-workers-x' })],
    'metadata.name',
  ],
  ['DYN-NAME-002', 'a graph named by a digit', 'error', [withWorker(vllm(), {}, { name: '1demo' })], 'metadata.name'],
  ['DYN-NAME-002', 'a long Dynamo namespace', 'error', [withWorker(vllm(), {}, { namespace: 'n'.repeat(60) })], 'metadata.name'],
  [
    'DYN-NAME-002',
    'a long Service',
    'error',
    [graph({ Frontend: frontend(), ['w'.repeat(57)]: vllm() })],
    `spec.services.${'w'.repeat(57)}`,
  ],
  [
    'DYN-NAME-002',
    'a long request',
    'error',
    [request({ profilingConfig: { profilerImage: 'p:1', config: {} } }, 'r'.repeat(56))],
    'metadata.name',
  ],
  ['DYN-NAME-003', 'two graphs of one name', 'error', [withWorker(vllm()), withWorker(vllm())], 'metadata.name'],
  ['DYN-REF-001', 'a public model', 'warning', [withWorker({ ...vllm(), envFromSecret: undefined })], 'spec.services.Worker'],
  [
    'DYN-REF-002',
    'a claim mounted without being declared, which works where it exists',
    'warning',
    [withWorker(vllm([], { volumeMounts: [{ name: 'a', mountPoint: '/a' }] }))],
    'spec.services.Worker.volumeMounts[0]',
  ],
  [
    'DYN-BACK-003',
    'a frontend whose command holds its module',
    'error',
    [graph({ Frontend: frontend({ command: ['python3', '-m', 'dynamo.frontend'] }), Worker: vllm() })],
    'spec.services.Frontend.extraPodSpec.mainContainer.command',
  ],
  ...['-1', '0', '1.5', 'two'].map(
    (size) =>
      [
        'DYN-GPU-001',
        `tensor parallelism of ${size}`,
        'error',
        [withWorker(vllm(['--tensor-parallel-size', size]))],
        'spec.services.Worker.extraPodSpec.mainContainer.args[3]',
      ] as const,
  ),
  [
    'DYN-REF-010',
    'the usual Secret misspelt',
    'warning',
    [withWorker(vllm([], { envFromSecret: 'hf-tokn-secret' }))],
    'spec.services.Worker.envFromSecret',
  ],
  [
    'DYN-REF-010',
    'a ConfigMap that others spell another way',
    'warning',
    [
      graph({
        Frontend: frontend(),
        A: vllm([], {}, { envFrom: [{ configMapRef: { name: 'nccl-tuning' } }] }),
        B: vllm([], {}, { envFrom: [{ configMapRef: { name: 'nccl-tuning' } }] }),
        C: vllm([], {}, { envFrom: [{ configMapRef: { name: 'nccl-tunign' } }] }),
      }),
    ],
    'spec.services.C.extraPodSpec.mainContainer.envFrom[0].configMapRef.name',
  ],
  [
    'DYN-BACK-002',
    'a flag three times with two values, once',
    'error',
    [withWorker(vllm(['--max-model-len', '1', '--max-model-len', '2', '--max-model-len', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
  [
    'DYN-BACK-002',
    'a flag twice with one value',
    'warning',
    [withWorker(vllm(['--max-model-len', '1', '--max-model-len', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
  ...[
    'vllm-runtime:0.9.0:x',
    'https://nvcr.io/vllm-runtime:0.9.0',
    'nvcr.io/VLLM:0.9.0',
    'nvcr.io/vllm: 0.9.0',
    'nvcr.io/vllm:',
  ].map(
    (image) =>
      [
        'DYN-VER-001',
        `image ${image}`,
        'error',
        [withWorker(vllm([], {}, { image }))],
        'spec.services.Worker.extraPodSpec.mainContainer.image',
      ] as const,
  ),
  [
    'DYN-REF-002',
    'a claim declared twice',
    'error',
    [withWorker(vllm(), { pvcs: [{ name: 'a' }, { name: 'a' }] })],
    'spec.pvcs[1]',
  ],
  [
    'DYN-REF-002',
    'mountPath',
    'error',
    [withWorker(vllm([], { volumeMounts: [{ name: 'a', mountPath: '/a' }] }), { pvcs: [{ name: 'a' }] })],
    'spec.services.Worker.volumeMounts[0].mountPath',
  ],
  [
    'DYN-REF-004',
    'a mount over /workspace',
    'error',
    [
      withWorker(
        vllm(
          [],
          { extraPodSpec: { volumes: [{ name: 'c', configMap: { name: 'c' } }] } },
          { volumeMounts: [{ name: 'c', mountPath: '/workspace/' }] },
        ),
      ),
    ],
    'spec.services.Worker.extraPodSpec.mainContainer.volumeMounts[0]',
  ],
  [
    'DYN-REF-005',
    'an http source',
    'error',
    [
      {
        apiVersion: 'nvidia.com/v1alpha1',
        kind: 'DynamoModel',
        metadata: { name: 'm' },
        spec: { modelName: 'a', baseModelName: 'b', modelType: 'lora', source: { uri: 'http://x' } },
      },
    ],
    'spec.source.uri',
  ],
  [
    'DYN-REF-006',
    'profiles that nothing mounts',
    'error',
    [graph({ Frontend: frontend(), Planner: planner(['--profile-results-dir=/profile']), P: prefill(), D: decode() })],
    'spec.services.Planner.extraPodSpec.mainContainer.args[0]',
  ],
  [
    'DYN-REF-006',
    'workers with more GPUs than the planner thinks',
    'error',
    [
      graph({
        Frontend: frontend(),
        Planner: planner([]),
        P: prefill(['--tensor-parallel-size', '2'], { resources: { limits: { gpu: '2' } } }),
        D: decode(),
      }),
    ],
    'spec.services.Planner.extraPodSpec.mainContainer.args',
  ],
  [
    'DYN-REF-006',
    'a model name in a variable',
    'error',
    [
      graph({
        Frontend: frontend(),
        Planner: planner([]),
        P: worker('vllm', ['--model', '$(M)', '--is-prefill-worker'], {
          subComponentType: 'prefill',
          envs: [{ name: 'M', value: 'm' }],
        }),
        D: decode(),
      }),
    ],
    'spec.services.P.extraPodSpec.mainContainer.args[1]',
  ],
  [
    'DYN-REF-006',
    'a model path only',
    'error',
    [
      graph({
        Frontend: frontend(),
        Planner: planner([]),
        P: worker('sglang', ['--model-path', 'm', '--disaggregation-mode', 'prefill'], { subComponentType: 'prefill' }),
        D: decode(),
      }),
    ],
    'spec.services.P',
  ],
  [
    'DYN-REF-009',
    'a graph variable over one of the container',
    'error',
    [withWorker(vllm([], {}, { env: [{ name: 'A', value: '1' }] }), { envs: [{ name: 'A', value: '2' }] })],
    'spec.services.Worker.extraPodSpec.mainContainer.env[0]',
  ],
  [
    'DYN-REF-009',
    'a service variable over one of the graph',
    'warning',
    [withWorker(vllm([], { envs: [{ name: 'A', value: '1' }] }), { envs: [{ name: 'A', value: '2' }] })],
    'spec.envs[0]',
  ],
  [
    'DYN-ROUTE-001',
    'vLLM without prefix caching',
    'error',
    [
      graph({
        Frontend: frontend({}, { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] }),
        Worker: vllm(['--no-enable-prefix-caching']),
      }),
    ],
    'spec.services.Worker',
  ],
  [
    'DYN-ROUTE-002',
    'a picker with its default block size',
    'warning',
    [
      graph({
        Frontend: frontend(),
        Epp: { componentType: 'epp', replicas: 1, eppConfig: { configMapRef: { name: 'c', key: 'k' } } },
        Worker: vllm(['--block-size', '128']),
      }),
    ],
    'spec.services.Epp',
  ],
  [
    'DYN-ROUTE-004',
    'two pickers’ replicas',
    'error',
    [
      graph({
        Frontend: frontend(),
        Epp: { componentType: 'epp', replicas: 2, eppConfig: { configMapRef: { name: 'c', key: 'k' } } },
      }),
    ],
    'spec.services.Epp.replicas',
  ],
  [
    'DYN-ROUTE-004',
    'a picker without configuration',
    'error',
    [graph({ Frontend: frontend(), Epp: { componentType: 'epp', replicas: 1 } })],
    'spec.services.Epp.eppConfig',
  ],
  [
    'DYN-SCALE-002',
    'replicas beside a planner',
    'warning',
    [graph({ Frontend: frontend(), Planner: planner([]), P: prefill(), D: decode() })],
    'spec.services.P.replicas',
  ],
  [
    'DYN-SCHED-001',
    'a frontend with affinity to GPU nodes',
    'warning',
    [
      graph({
        Frontend: frontend(
          {},
          {
            extraPodSpec: {
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [
                      { matchExpressions: [{ key: 'nvidia.com/gpu.present', operator: 'In', values: ['true'] }] },
                    ],
                  },
                },
              },
            },
          },
        ),
        Worker: vllm(),
      }),
    ],
    'spec.services.Frontend.extraPodSpec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]',
  ],
  [
    'DYN-PROBE-001',
    'a liveness probe that fails at once',
    'error',
    [graph({ Frontend: frontend({}, { livenessProbe: { httpGet: { port: 8000 }, failureThreshold: 1 } }), Worker: vllm() })],
    'spec.services.Frontend.livenessProbe.failureThreshold',
  ],
  [
    'DYN-VER-001',
    'an image without a tag',
    'error',
    [withWorker(vllm([], {}, { image: 'registry:5000/vllm-runtime' }))],
    'spec.services.Worker.extraPodSpec.mainContainer.image',
  ],
  [
    'DYN-VER-001',
    'a variable as image',
    'error',
    [withWorker(vllm([], {}, { image: '${IMAGE}' }))],
    'spec.services.Worker.extraPodSpec.mainContainer.image',
  ],
  [
    'DYN-VER-001',
    'another release than the one given',
    'error',
    [withWorker(vllm())],
    'spec.services.Frontend.extraPodSpec.mainContainer.image',
    { release: '1.0.0' },
  ],
  [
    'DYN-VER-001',
    'another release than is assumed',
    'warning',
    [withWorker(vllm([], {}, { image: 'vllm-runtime:0.8.0' }))],
    'spec.services.Worker.extraPodSpec.mainContainer.image',
  ],
  [
    'DYN-DGDR-001',
    'a misplaced profiler image',
    'error',
    [request({ profilerImage: 'p:1', profilingConfig: { config: {} } })],
    'spec.profilerImage',
  ],
  [
    'DYN-DGDR-001',
    'gpuType',
    'error',
    [request({ profilingConfig: { profilerImage: 'p:1', config: { hardware: { gpuType: 'h200' } } } })],
    'spec.profilingConfig.config.hardware.gpuType',
  ],
  [
    'DYN-DGDR-001',
    'a key that is not known',
    'warning',
    [request({ profilingConfig: { profilerImage: 'p:1', config: { sla: { ttl: 1 } } } })],
    'spec.profilingConfig.config.sla.ttl',
  ],
  [
    'DYN-DGDR-001',
    'a linear predictor',
    'error',
    [request({ profilingConfig: { profilerImage: 'p:1', config: { planner: { load_predictor: 'linear' } } } })],
    'spec.profilingConfig.config.planner.load_predictor',
  ],
  [
    'DYN-DGDR-001',
    'GPU discovery of a restricted operator',
    'error',
    [request({ enableGpuDiscovery: true, profilingConfig: { profilerImage: 'p:1', config: {} } })],
    'spec.enableGpuDiscovery',
    { restricted: true },
  ],
  [
    'DYN-DGDR-001',
    'a secret without the token',
    'error',
    [
      object('v1', 'Secret', 'hf-token-secret', { stringData: { TOKEN: 'x' } }),
      request({ profilingConfig: { profilerImage: 'p:1', config: {} } }),
    ],
    'spec.model',
  ],
  [
    'DYN-DGDR-002',
    'autoApply under GitOps',
    'warning',
    [request({ autoApply: true, profilingConfig: { profilerImage: 'p:1', config: {} } })],
    'spec.autoApply',
    { gitops: true },
  ],
];

const firing = fires.map(([id, what, severity, resources, path, context]) => ({ id, what, severity, resources, path, context }));

test.each(firing)('$id reports $what as $severity', ({ id, severity, resources, path, context }) => {
  const found = lintAll(resources, context)
    .filter((f) => f.id === id)
    .map((f) => [f.severity, formatPath(f.path)]);
  expect(found).toContainEqual([severity, path]);
});

/** What a rule must leave alone though it looks like the mistake. */
const silent: readonly (readonly [id: string, what: string, resources: readonly JsonObject[], context?: LintContext])[] = [
  [
    'DYN-ROLE-001',
    'halves in two graphs',
    [graph({ Frontend: frontend(), P: prefill() }), graph({ D: decode() }, {}, { name: 'other' })],
  ],
  ['DYN-ROLE-006', 'workers that a shared frontend serves', [graph({ Worker: vllm([], { globalDynamoNamespace: true }) })]],
  ['DYN-BACK-002', 'a negative number as a value', [withWorker(vllm(['--seed', '-1']))]],
  ['DYN-BACK-002', 'an underscore in a vLLM flag', [withWorker(vllm(['--compilation_config', '{}']))]],
  ['DYN-BACK-002', 'a negated flag', [withWorker(vllm(['--no-enable-chunked-prefill']))]],
  [
    'DYN-BACK-003',
    'one script as the only arg',
    [withWorker(worker('vllm', ['python3 -m dynamo.vllm --model x'], {}, { command: [] }))],
  ],
  ['DYN-BACK-003', 'a python script', [withWorker(worker('vllm', ['client.py'], {}, { command: ['python3'] }))]],
  ['DYN-GPU-001', 'parallelism behind an unknown variable', [withWorker(vllm(['--tensor-parallel-size', '$TP']))]],
  ['DYN-GPU-001', 'GPUs from resource claims', [withWorker(vllm([], { resources: { claims: [{ name: 'gpu' }] } }))]],
  [
    'DYN-GPU-001',
    'a GPU of another type',
    [withWorker(vllm([], { resources: { limits: { gpu: '1', gpuType: 'gpu.intel.com/xe' } } }))],
  ],
  [
    'DYN-GPU-001',
    'an engine file in the image',
    [withWorker(worker('trtllm', [...pathModel, '--extra-engine-args', './agg.yaml'], { resources: { limits: { gpu: '4' } } }))],
  ],
  [
    'DYN-GPU-005',
    'a script under data parallel',
    [withWorker(shell(`python3 -m dynamo.vllm --model x --data-parallel-size 8 --eplb-config '{"a":1}'`, twoNodes('4')))],
  ],
  [
    'DYN-NAME-001',
    'a graph that turns Grove off',
    [
      withWorker(
        vllm(),
        {},
        { name: 'a-very-long-name-for-a-graph-of-workers-x', annotations: { 'nvidia.com/enable-grove': 'False' } },
      ),
    ],
    { orchestrator: 'grove' },
  ],
  [
    'DYN-REF-003',
    'a claim that is no model cache',
    [
      withWorker(
        vllm([], { envs: [{ name: 'HF_HOME', value: '/tmp' }], volumeMounts: [{ name: 'logs', mountPoint: '/logs' }] }),
        { pvcs: [{ name: 'logs' }] },
      ),
    ],
  ],
  [
    'DYN-REF-009',
    'the same value at two levels',
    [withWorker(vllm([], {}, { env: [{ name: 'A', value: '1' }] }), { envs: [{ name: 'A', value: '1' }] })],
  ],
  [
    'DYN-REF-009',
    'a reference to an earlier name',
    [
      withWorker(
        vllm([], {
          envs: [
            { name: 'A', value: '1' },
            { name: 'B', value: '$(A)' },
          ],
        }),
      ),
    ],
  ],
  [
    'DYN-ROUTE-001',
    'approximate routing',
    [
      graph({
        Frontend: frontend({ command: ['python3', '-m', 'dynamo.frontend'], args: ['--router-mode', 'kv', '--no-kv-events'] }),
        Worker: worker('trtllm', [...pathModel]),
      }),
    ],
  ],
  [
    'DYN-ROUTE-001',
    'decode workers that publish nothing',
    [graph({ Frontend: frontend({}, { envs: [{ name: 'DYN_ROUTER_MODE', value: 'kv' }] }), P: prefill(), D: decode() })],
  ],
  [
    'DYN-PROBE-001',
    'numbers merged into the default probe',
    [withWorker(vllm([], {}, { livenessProbe: { periodSeconds: 30 } }))],
  ],
  ['DYN-VER-001', 'a digest', [withWorker(vllm([], {}, { image: `vllm-runtime@sha256:${'0'.repeat(64)}` }))]],
  ['DYN-VER-001', 'a tag of one’s own', [withWorker(vllm([], {}, { image: 'team/custom:7e499b5' }))]],
];

const still = silent.map(([id, what, resources, context]) => ({ id, what, resources, context }));

test.each(still)('$id leaves $what alone', ({ id, resources, context }) => {
  expect(lintAll(resources, context).filter((f) => f.id === id && f.path[0] !== 'metadata')).toEqual([]);
});

// Manifests that are right, or wrong in one way only: lint must not call them wrong, or must say one thing.
import { describe, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { buildLintIndex, lintResource, type Finding, type LintContext } from '../../lib/lint/index.ts';
import { decode, frontend, graph, object, prefill, vllmModel, worker } from '../../lib/lint/sample.ts';

function lintAll(resources: readonly JsonObject[], context: LintContext = {}): readonly Finding[] {
  const plain = JSON.parse(JSON.stringify(resources)) as JsonObject[];
  const around = buildLintIndex({ ...context, resources: plain });
  return plain.flatMap((resource) => lintResource(resource, around).findings);
}
const said = (resources: readonly JsonObject[], context: LintContext = {}): readonly string[] =>
  lintAll(resources, context).map((f) => `${f.severity} ${f.id} ${formatPath(f.path)}`);
const withWorker = (one: JsonObject, ...beside: readonly JsonObject[]) => [
  graph({ Frontend: frontend(), Worker: one }),
  ...beside,
];
const vllm = (args: readonly string[] = [], extra: JsonObject = {}, container: JsonObject = {}) =>
  worker('vllm', [...vllmModel, ...args], extra, container);
const shell = (script: string, ...more: readonly string[]) =>
  worker('vllm', [script, ...more], {}, { command: ['/bin/sh', '-c'] });
const program = (componentType: string, module: string, args: readonly string[]) => ({
  componentType,
  replicas: 1,
  extraPodSpec: {
    mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0', command: ['python3', '-m', module], args },
  },
});
const planner = (module: string, args: readonly string[]) => program('planner', module, args);
const errors = (resources: readonly JsonObject[], context: LintContext = {}) =>
  said(resources, context).filter((line) => line.startsWith('error'));

describe('no error', () => {
  test.each<[string, readonly JsonObject[]]>([
    [
      'devices of the main container from resource claims',
      withWorker(vllm(['--tensor-parallel-size', '8'], { resources: {} }, { resources: { claims: [{ name: 'gpus' }] } })),
    ],
    [
      'elastic expert parallelism',
      withWorker(
        vllm(['--data-parallel-size', '4', '--enable-elastic-ep'], {
          resources: { limits: { gpu: '8' } },
          sharedMemory: { size: '80Gi' },
        }),
      ),
    ],
    [
      'the local part of data parallelism',
      withWorker(
        vllm(['--data-parallel-size', '16', '--data-parallel-size-local', '8'], {
          resources: { limits: { gpu: '8' } },
          sharedMemory: { size: '80Gi' },
        }),
      ),
    ],
    [
      'the local part of data parallelism on each of several nodes',
      withWorker(
        vllm(['--data-parallel-size', '16', '--data-parallel-size-local', '8'], {
          multinode: { nodeCount: 2 },
          resources: { limits: { gpu: '8' } },
          sharedMemory: { size: '80Gi' },
        }),
      ),
    ],
    [
      'a nested key of a JSON flag of vLLM',
      withWorker(vllm(['--eplb-config.window_size', '1000', '--eplb-config.step_interval', '3000'])),
    ],
    ['a flag that only silences KV events of an aggregated worker', withWorker(vllm(['--is-decode-worker']))],
    [
      'a compute domain whose nodes come on demand',
      [
        graph({
          Frontend: frontend(),
          Worker: vllm([], {
            resources: { limits: { gpu: '1' }, claims: [{ name: 'channel' }] },
            extraPodSpec: { resourceClaims: [{ name: 'channel', resourceClaimTemplateName: 'domain-channel' }] },
          }),
        }),
        object('resource.nvidia.com/v1beta1', 'ComputeDomain', 'domain', {
          spec: { numNodes: 0, channel: { resourceClaimTemplate: { name: 'domain-channel' } } },
        }),
      ],
    ],
    [
      'a claim that is declared, and mounted once by hand',
      [
        graph(
          {
            Frontend: frontend(),
            Worker: vllm(
              [],
              { extraPodSpec: { volumes: [{ name: 'w', persistentVolumeClaim: { claimName: 'weights' } }] } },
              { volumeMounts: [{ name: 'w', mountPath: '/w' }] },
            ),
          },
          { pvcs: [{ name: 'weights', create: false }] },
        ),
      ],
    ],
    [
      'a router of a later release with its block size',
      [
        graph({
          Frontend: frontend(),
          Router: program('default', 'dynamo.router', ['--endpoint', 'a.b.c', '--router-block-size', '16']),
          Worker: vllm(),
        }),
      ],
    ],
    [
      'a planner of one role by JSON',
      [
        graph({
          Frontend: frontend(),
          Planner: planner('dynamo.planner', ['--config', '{"mode":"decode","decode_engine_num_gpu":1}']),
          D: decode(),
          P: prefill(),
        }),
      ],
    ],
    [
      'a planner that its image starts',
      [
        graph({
          Frontend: frontend(),
          Planner: { componentType: 'planner', replicas: 1, extraPodSpec: { mainContainer: { image: 'planner:1' } } },
          Worker: vllm(),
        }),
      ],
    ],
    [
      'a planner without a graph around it',
      [
        {
          ...graph({}),
          kind: 'DynamoComponentDeployment',
          spec: { serviceName: 'planner', ...planner('planner_sla', ['--environment=kubernetes']) },
        },
      ],
    ],
    [
      'a frontend with another python and the arguments of its type',
      [graph({ Frontend: frontend({ command: ['/opt/venv/bin/python'] }), Worker: vllm() })],
    ],
    [
      'a picker that repeats the volumes of the operator',
      [
        graph({
          Frontend: frontend(),
          Worker: vllm(),
          Picker: {
            componentType: 'epp',
            replicas: 1,
            eppConfig: { config: { plugins: [], schedulingProfiles: [] } },
            extraPodSpec: {
              volumes: [
                { name: 'epp-config', configMap: { name: 'c' } },
                { name: 'own', emptyDir: {} },
              ],
            },
          },
        }),
      ],
    ],
    [
      'HF_HOME on a component that loads no weights',
      [
        graph(
          {
            Frontend: frontend(),
            Worker: vllm([], { volumeMounts: [{ name: 'model-store', mountPoint: '/models' }] }),
            Planner: { ...planner('dynamo.global_planner', []), volumeMounts: [{ name: 'model-store', mountPoint: '/data' }] },
          },
          { pvcs: [{ name: 'model-store' }], envs: [{ name: 'HF_HOME', value: '/models/hf' }] },
        ),
      ],
    ],
    [
      'names that only count or tell teams apart',
      withWorker(
        vllm(
          [],
          { envFromSecret: 'team-a-secret' },
          {
            envFrom: [
              { secretRef: { name: 'team-b-secret' } },
              { secretRef: { name: 'cache-token1' } },
              { secretRef: { name: 'cache-token2' } },
            ],
          },
        ),
      ),
    ],
    [
      'a planner by a file',
      [graph({ Frontend: frontend(), Planner: planner('dynamo.planner', ['--config', '/etc/planner.yaml']), Worker: vllm() })],
    ],
    [
      'a planner over planners',
      [graph({ Frontend: frontend(), Planner: planner('dynamo.global_planner', ['--managed-namespaces', 'a']), Worker: vllm() })],
    ],
    [
      'a model that envsubst fills in',
      [
        graph({
          Frontend: frontend(),
          Planner: planner('planner_sla', ['--prefill-engine-num-gpu=1', '--decode-engine-num-gpu=1']),
          P: worker('vllm', ['--model', '${MODEL}', '--is-prefill-worker'], { subComponentType: 'prefill' }),
          D: worker('vllm', ['--model', '${MODEL}', '--is-decode-worker'], { subComponentType: 'decode' }),
        }),
      ],
    ],
    [
      'AI Configurator for another engine than TensorRT-LLM',
      [
        {
          apiVersion: 'nvidia.com/v1alpha1',
          kind: 'DynamoGraphDeploymentRequest',
          metadata: { name: 'sla' },
          spec: {
            model: 'm',
            backend: 'vllm',
            autoApply: false,
            profilingConfig: { profilerImage: 'p:1.0.0', config: { sweep: { useAiConfigurator: true, aicSystem: 'h200_sxm' } } },
          },
        },
      ],
    ],
    [
      'flags, modules and annotations of a later release, when no release is given',
      [graph({ Frontend: frontend(), Worker: vllm(['--enable-rl']) }, {}, { annotations: { 'nvidia.com/volcano-queue': 'q' } })],
    ],
  ])('for %s', (_, resources) => {
    expect(errors(resources)).toEqual([]);
  });
});

describe('what a container runs', () => {
  test.each([
    [
      'behind a helper',
      shell('python3 -m dynamo.sglang.utils.clear_namespace --namespace a && python3 -m dynamo.vllm --model a/b --block-size 64'),
    ],
    [
      'behind variables and another program',
      shell('export A=1; numactl --cpunodebind=0 python3 -m dynamo.vllm --model a/b --block-size 64'),
    ],
    [
      'with its flags as arguments of the script',
      shell('source /env; exec python3 -m dynamo.vllm "$@"', 'sh', '--model', 'a/b', '--block-size', '64'),
    ],
    [
      'wholly as arguments of the script',
      shell('exec "$@"', 'sh', 'python3', '-m', 'dynamo.vllm', '--model', 'a/b', '--block-size', '64'),
    ],
  ])('is seen %s', (_, component) => {
    const [finding] = lintAll([graph({ Frontend: frontend(), Worker: component, P: prefill(['--block-size', '32']) })]).filter(
      (f) => f.id === 'DYN-ROLE-004' && f.message.includes('KV block size'),
    );
    expect(finding?.message).toContain('"64" here and "32" on P');
  });

  test('decides what --fix makes of a wrong type', () => {
    const typed = (component: JsonObject) =>
      lintAll(
        withWorker(vllm()).concat(
          graph({ Frontend: { ...component, componentType: 'main' }, Worker: vllm() }, {}, { name: 'other' }),
        ),
      ).flatMap((f) => f.fix?.edits ?? []);
    expect(typed(shell('python3 -m dynamo.sglang.utils.clear_namespace && python3 -m dynamo.frontend'))).toEqual([
      { op: 'set', path: ['spec', 'services', 'Frontend', 'componentType'], value: 'frontend' },
    ]);
    expect(typed(vllm())).toEqual([{ op: 'set', path: ['spec', 'services', 'Frontend', 'componentType'], value: 'worker' }]);
    expect(typed(shell('./start.sh'))).toEqual([]);
  });
});

describe('one cause, one finding, one cure', () => {
  test('a role flag that contradicts the type', () => {
    const findings = lintAll([
      graph({
        Frontend: frontend(),
        prefill: prefill(),
        decode: worker('vllm', [...vllmModel, '--is-prefill-worker'], { subComponentType: 'decode' }),
      }),
    ]);
    expect(findings.map((f) => [f.id, formatPath(f.path), f.message])).toEqual([
      [
        'DYN-ROLE-002',
        'spec.services.decode.extraPodSpec.mainContainer.args[2]',
        'the flags declare the role prefill, but subComponentType declares decode; use --is-decode-worker',
      ],
    ]);
  });

  test('a role that is misspelt', () => {
    const findings = lintAll([
      graph({
        Frontend: frontend(),
        P: prefill(),
        D: worker('vllm', [...vllmModel, '--is-decode-worker'], { subComponentType: 'decod' }),
      }),
    ]);
    expect(findings.map((f) => [f.id, formatPath(f.path)])).toEqual([['DYN-ROLE-002', 'spec.services.D.subComponentType']]);
    expect(findings[0]?.fix?.edits).toEqual([
      { op: 'set', path: ['spec', 'services', 'D', 'subComponentType'], value: 'decode' },
    ]);
  });

  test('a type of an old release, on the frontend', () => {
    expect(said([graph({ Frontend: { ...frontend(), componentType: 'main' }, Worker: vllm() })])).toEqual([
      'error DYN-ROLE-003 spec.services.Frontend.componentType',
    ]);
  });

  test('a name that is too long', () => {
    const services = Object.fromEntries(
      ['Frontend', 'A', 'B', 'C'].map((key) => [key, key === 'Frontend' ? frontend() : vllm()]),
    );
    const findings = lintAll([graph(services, {}, { name: 'n'.repeat(70) })], { orchestrator: 'grove' });
    expect(findings.map((f) => [f.id, formatPath(f.path)])).toEqual([['DYN-NAME-002', 'metadata.name']]);
    expect(findings[0]?.message).toContain('shorten the name of the graph by 16');
  });
});

describe('releases', () => {
  const messages = (one: JsonObject, release?: string) =>
    lintAll(withWorker(one), release === undefined ? {} : { release })
      .filter((f) => /BACK-002|VER-002/.test(f.id))
      .map((f) => `${f.severity}: ${f.message}`);

  test('a flag that is gone is an error and says since when', () => {
    expect(messages(vllm(['--dynamo-port-min', '1']))).toEqual([
      'error: dynamo.vllm of release 0.9.0 does not accept --dynamo-port-min, removed in 0.7.0; remove it',
    ]);
  });

  test('a flag that came later says with which release, and is an error where the release is given', () => {
    const one = vllm(['--enable-rl']);
    expect(messages(one)).toEqual([expect.stringMatching(/^warning: .*, added in 1\.3\.1; /)]);
    expect(messages(one, '1.2.1')).toEqual([expect.stringMatching(/^error: .*, added in 1\.3\.1; /)]);
    expect(messages(one, '1.3.1')).toEqual([]);
  });

  test('another release is judged by its own flags', () => {
    const old = vllm(['--is-decode-worker']);
    expect(messages(old, '1.3.1')).toEqual([]);
    expect(messages(old, '1.4.1')).toEqual([
      'error: dynamo.vllm of release 1.4.1 does not accept --is-decode-worker, removed in 1.4.1; use --disaggregation-mode decode',
    ]);
  });

  test('modules and annotations have their releases too', () => {
    expect(messages(vllm([], {}, { command: ['python3', '-m', 'dynamo.llama_cpp'] }))).toEqual([
      expect.stringContaining('release 0.9.0 has no module dynamo.llama_cpp, removed in 0.6.0'),
    ]);
    expect(messages(vllm([], { annotations: { 'nvidia.com/enable-host-ipc': 'true' } }))).toEqual([
      expect.stringMatching(/^warning: .*, removed in 0\.4\.1/),
    ]);
  });
});

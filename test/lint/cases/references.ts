import { decode, frontend, graph, prefill, worker } from '../../../lib/lint/sample.ts';
import { type Firing, planner, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about references report. */
export const firing: readonly Firing[] = [
  ['DYN-REF-001', 'a public model', 'warning', [withWorker({ ...vllm(), envFromSecret: undefined })], 'spec.services.Worker'],
  [
    'DYN-REF-002',
    'a claim mounted without being declared, which works where it exists',
    'warning',
    [withWorker(vllm([], { volumeMounts: [{ name: 'a', mountPoint: '/a' }] }))],
    'spec.services.Worker.volumeMounts[0]',
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
    'a variable that refers to itself',
    'error',
    [withWorker(vllm([], {}, { env: [{ name: 'PATH', value: '/opt/bin:$(PATH)' }] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.env[0]',
  ],
  [
    'DYN-REF-009',
    'a service variable over one of the graph',
    'warning',
    [withWorker(vllm([], { envs: [{ name: 'A', value: '1' }] }), { envs: [{ name: 'A', value: '2' }] })],
    'spec.envs[0]',
  ],
];

/** What rules about references leave alone. */
export const silent: readonly Silent[] = [
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
];

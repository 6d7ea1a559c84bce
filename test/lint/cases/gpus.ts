import { pathModel, worker } from '../../../lib/lint/sample.ts';
import { type Firing, shell, type Silent, twoNodes, vllm, withWorker } from './case.ts';

/** What else rules about GPUs and memory report. */
export const firing: readonly Firing[] = [
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
];

/** What rules about GPUs and memory leave alone. */
export const silent: readonly Silent[] = [
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
];

import { object } from '../../../lib/lint/sample.ts';
import { type Firing, request, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about releases and deployment requests report. */
export const firing: readonly Firing[] = [
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

/** What rules about releases and deployment requests leave alone. */
export const silent: readonly Silent[] = [
  ['DYN-VER-001', 'a digest', [withWorker(vllm([], {}, { image: `vllm-runtime@sha256:${'0'.repeat(64)}` }))]],
  ['DYN-VER-001', 'a tag of one’s own', [withWorker(vllm([], {}, { image: 'team/custom:7e499b5' }))]],
];

import type { PodFields } from './component-props.ts';

function onNodesWith(key: string, values: readonly string[]): PodFields {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator: 'In', values }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

/** Where pods may run, for the `pod` property of components. */
export const Placement = {
  /** Only on nodes that the GPU operator found GPUs on. */
  gpuNodes: (): PodFields => onNodesWith('nvidia.com/gpu.present', ['true']),
  /** Only on nodes with one of these GPUs, such as `NVIDIA-H100-80GB-HBM3`. */
  gpuProducts: (...products: readonly string[]): PodFields => onNodesWith('nvidia.com/gpu.product', products),
  /** Also on nodes kept for GPU pods by the usual taint. */
  tolerateGpuTaint: (): PodFields => ({ tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] }),
  /** Rather on nodes that already run a worker. */
  besideWorkers: (): PodFields => ({
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              labelSelector: {
                matchExpressions: [{ key: 'nvidia.com/dynamo-component-type', operator: 'In', values: ['worker'] }],
              },
              topologyKey: 'kubernetes.io/hostname',
            },
          },
        ],
      },
    },
  }),
} as const;

import { expect, test } from 'vitest';
import { gpusOf, isGpuResource } from '../../lib/fit/index.ts';

test.each([
  'nvidia.com/gpu',
  'nvidia.com/gpu.shared',
  'nvidia.com/mig-1g.5gb',
  'nvidia.com/mig-3g.40gb.shared',
  'nvidia.com/vgpu',
  'volcano.sh/vgpu-number',
  'amd.com/gpu',
  'gpu.intel.com/xe',
  'gpu.intel.com/i915',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'google.com/tpu',
  'huawei.com/Ascend910B',
  'nvidia.com/pgpu',
  'example.com/npu',
  'aws.amazon.com/neurondevice',
  'a/b/gpu',
])('%s is a GPU', (name) => expect(isGpuResource(name)).toBe(true));

test.each([
  'cpu',
  'memory',
  'gpu',
  'rdma/ib',
  'nvidia.com/gpumem',
  'nvidia.com/gpucores',
  'nvidia.com/gpumem-percentage',
  'nvidia.com/priority',
  'volcano.sh/vgpu-memory',
  'volcano.sh/vgpu-cores',
  'aliyun.com/gpu-mem',
  'koordinator.sh/gpu-core',
  'gpu.intel.com/millicores',
  'gpu.intel.com/xe_monitoring',
  'huawei.com/Ascend910-memory',
  'example.com/gpu-priority',
  'example.com/gpu.percentage',
  'example.com/gpu_cores',
])('%s is none', (name) => expect(isGpuResource(name)).toBe(false));

test('adds up the GPUs among amounts only', () => {
  expect(gpusOf({ cpu: 8, 'nvidia.com/gpu': 2, 'nvidia.com/mig-1g.5gb': 3, 'nvidia.com/gpumem': 10_000 })).toBe(5);
});

import type { Amounts } from './demand.ts';

/** Words of a resource's name that say that one unit of it is a device, or a slice that a pod sees as one (MIG, time-slicing, vGPU). */
const deviceWords: ReadonlySet<string> = new Set([
  'gpu',
  'vgpu',
  'pgpu',
  'mig',
  'xe',
  'i915',
  'gaudi',
  'npu',
  'tpu',
  'neuron',
  'neurondevice',
]);
const ascend = 'ascend';

/** Words that say that the amount measures a share of a device: `vgpu-memory`, `gpu-core.percentage`, `xe_monitoring`. */
const shareWords: ReadonlySet<string> = new Set(['mem', 'memory', 'core', 'cores', 'percentage', 'priority', 'monitoring']);

/** Whether an extended resource is a GPU or another accelerator: `nvidia.com/gpu`, `nvidia.com/mig-1g.5gb`, not `nvidia.com/gpumem`. */
export function isGpuResource(name: string): boolean {
  const slash = name.lastIndexOf('/');
  if (slash < 0) return false;
  const words = name
    .slice(slash + 1)
    .toLowerCase()
    .split(/[-._]/);
  return words.some((word) => deviceWords.has(word) || word.startsWith(ascend)) && !words.some((word) => shareWords.has(word));
}

/** The GPUs among amounts, whatever their vendor. */
export function gpusOf(amounts: Amounts): number {
  return Object.entries(amounts).reduce((sum, [name, value]) => (isGpuResource(name) ? sum + value : sum), 0);
}

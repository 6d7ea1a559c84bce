import type { Amounts } from './demand.ts';

/** Parts of a resource name that mark one unit as a device, or as a slice that a pod sees as a device (MIG, time-slicing, vGPU). */
const deviceParts: ReadonlySet<string> = new Set([
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

/** Parts of a resource name that mark the amount as a share of a device: `vgpu-memory`, `gpu-core.percentage`, `xe_monitoring`. */
const shareParts: ReadonlySet<string> = new Set(['mem', 'memory', 'core', 'cores', 'percentage', 'priority', 'monitoring']);

/** Whether an extended resource is a GPU or another accelerator: `nvidia.com/gpu`, `nvidia.com/mig-1g.5gb`, not `nvidia.com/gpumem`. */
export function isGpuResource(name: string): boolean {
  const slash = name.lastIndexOf('/');
  if (slash < 0) return false;
  const parts = name
    .slice(slash + 1)
    .toLowerCase()
    .split(/[-._]/);
  return parts.some((part) => deviceParts.has(part) || part.startsWith(ascend)) && !parts.some((part) => shareParts.has(part));
}

/** The number of GPUs in a set of amounts, of any vendor. */
export function gpusOf(amounts: Amounts): number {
  return Object.entries(amounts).reduce((sum, [name, value]) => (isGpuResource(name) ? sum + value : sum), 0);
}

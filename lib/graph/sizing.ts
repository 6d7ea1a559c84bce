import type { Component } from './component.ts';
import { isCount } from './engine/count.ts';
import type { GraphFinding } from './validation.ts';
import { Worker } from './worker.ts';

/** GPU counts and parallelism sizes that are not positive integers; the compiler rejects only literals. */
export function wrongCounts(components: readonly Component[]): readonly GraphFinding[] {
  return components.flatMap((component) =>
    Object.entries(component.counts).flatMap(([option, value]): readonly GraphFinding[] =>
      value === undefined || isCount(value)
        ? []
        : [
            {
              id: 'DYN-GPU-001',
              severity: 'error',
              path: `spec.services.${component.name}`,
              message: `${option} must be a whole number of 1 or more, got ${value}`,
            },
          ],
    ),
  );
}

/** Workers whose GPUs cannot be divided evenly among nodes. */
export function unevenGpus(components: readonly Component[]): readonly GraphFinding[] {
  const workers = components.filter((c) => c instanceof Worker);
  const uneven = workers.filter((w) => w.nodes > 1 && w.gpusPerPod * w.nodes !== w.engine.gpus);
  return uneven.map((w) => ({
    id: 'DYN-GPU-001',
    severity: 'error',
    path: `spec.services.${w.name}.resources.limits.gpu`,
    message: `${w.engine.gpus} GPUs cannot be spread evenly over nodes of ${w.nodeSize}; set gpusPerNode to a divisor of ${w.engine.gpus}`,
  }));
}

/** Size of a component. */
interface Sized {
  readonly pods: number;
  readonly gpusPerPod: number;
}

/** Minimum number of nodes that fit all pods with GPUs, placing the largest first. */
export function fewestNodes(components: readonly Sized[], gpusPerNode: number): number {
  const pods = components.flatMap((c) => (c.gpusPerPod === 0 ? [] : Array.from({ length: c.pods }, () => c.gpusPerPod)));
  const free: number[] = [];
  for (const gpus of pods.sort((a, b) => b - a)) {
    const node = free.findIndex((room) => room >= gpus);
    if (node === -1) free.push(Math.max(0, gpusPerNode - gpus));
    else free[node] = (free[node] ?? 0) - gpus;
  }
  return free.length;
}

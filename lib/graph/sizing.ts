/** What of a component decides on how many nodes it fits. */
export interface Sized {
  readonly pods: number;
  readonly gpusPerPod: number;
}

/** Fewest nodes of one size that hold all GPU pods, the largest placed first. */
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

import { maximum } from '../json/index.ts';
import type { Gang } from './demand.ts';
import { gpusOf } from './gpu.ts';

/** The pods and GPUs that one component requests. */
export interface ComponentTotals {
  readonly component: string;
  readonly replicas: number;
  /** Nodes that one replica spans. */
  readonly nodes: number;
  readonly pods: number;
  readonly gpusPerPod: number;
  readonly gpus: number;
}

/** The pods and GPUs that a whole graph requests. */
export interface GraphTotals {
  readonly components: readonly ComponentTotals[];
  readonly pods: number;
  readonly gpus: number;
}

/** Sums up gangs by component. */
export function totalsOf(gangs: readonly Gang[]): GraphTotals {
  const components = new Map<string, ComponentTotals>();
  for (const { component, pods } of gangs) {
    const before = components.get(component);
    const gpusOfPods = pods.map((pod) => gpusOf(pod.requests));
    components.set(component, {
      component,
      replicas: (before?.replicas ?? 0) + 1,
      nodes: Math.max(before?.nodes ?? 0, pods.length),
      pods: (before?.pods ?? 0) + pods.length,
      gpusPerPod: maximum(gpusOfPods, before?.gpusPerPod),
      gpus: gpusOfPods.reduce((sum, gpus) => sum + gpus, before?.gpus ?? 0),
    });
  }
  const all = [...components.values()];
  return { components: all, pods: all.reduce((sum, c) => sum + c.pods, 0), gpus: all.reduce((sum, c) => sum + c.gpus, 0) };
}

import { label } from '../../render/index.ts';

/** Labels that lead from what was made for a request back to it. */
export const trackingLabel = { name: 'dgdr.nvidia.com/name', namespace: 'dgdr.nvidia.com/namespace' } as const;

/** Annotations the operator keeps on a request. */
export const requestAnnotation = {
  /** What the profiler put out besides the graph. */
  additionalResources: 'dgdr.nvidia.com/additional-resources',
  /** What is still needed of the spec that was accepted, should it be edited later. */
  acceptedSpec: 'dgdr.nvidia.com/accepted-spec',
  /** The generation whose edit was last refused, so that it is told once. */
  rejectedGeneration: 'dgdr.nvidia.com/rejected-generation',
} as const;

/** The states of a request; the first is that of a new one. */
export type RequestState = '' | 'Pending' | 'Profiling' | 'Deploying' | 'Ready' | 'DeploymentDeleted' | 'Failed';

/** The labels of everything that was made for a request. */
export function trackingLabels(name: string, namespace: string): Readonly<Record<string, string>> {
  return { [trackingLabel.name]: name, [trackingLabel.namespace]: namespace, [label.managedBy]: 'dynamo-operator' };
}

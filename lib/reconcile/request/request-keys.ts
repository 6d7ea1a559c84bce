import { label } from '../../render/index.ts';

/** Labels of objects that were created for a request, with its name and namespace. */
export const trackingLabel = { name: 'dgdr.nvidia.com/name', namespace: 'dgdr.nvidia.com/namespace' } as const;

/** Annotations the operator keeps on a request. */
export const requestAnnotation = {
  /** The additional resources in the profiler's output. */
  additionalResources: 'dgdr.nvidia.com/additional-resources',
  /** The part of the accepted spec that still matters if the spec is edited later. */
  acceptedSpec: 'dgdr.nvidia.com/accepted-spec',
  /** The generation whose edit was last refused, so that only one event is recorded. */
  rejectedGeneration: 'dgdr.nvidia.com/rejected-generation',
} as const;

/** The states of a request; the first is that of a new one. */
export type RequestState = '' | 'Pending' | 'Profiling' | 'Deploying' | 'Ready' | 'DeploymentDeleted' | 'Failed';

/** The labels of every object created for a request. */
export function trackingLabels(name: string, namespace: string): Readonly<Record<string, string>> {
  return { [trackingLabel.name]: name, [trackingLabel.namespace]: namespace, [label.managedBy]: 'dynamo-operator' };
}

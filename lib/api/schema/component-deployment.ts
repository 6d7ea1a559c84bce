import { backendFramework, componentFields, replicaStatus } from './component-spec.ts';
import { int64, list, map, object, required, string } from './dsl.ts';
import { condition } from './meta.ts';

/** Spec of a DynamoComponentDeployment. */
export const spec = object(
  'DynamoComponentDeploymentSpec',
  'One component. The operator creates it for each service of a graph.',
  {
    backendFramework,
    ...componentFields,
  },
);

/** Status of a DynamoComponentDeployment. */
export const status = object('DynamoComponentDeploymentStatus', 'Observed state of the component.', {
  conditions: required(list(condition, { description: 'Conditions of the component; `Available` summarizes them.' })),
  observedGeneration: int64('The generation last reconciled.'),
  podSelector: map(string(), { description: 'Labels that select the pods of the component.' }),
  service: { ...replicaStatus, description: 'Replica counts of the workload.' },
});

import { dateTime, int32, object, required, string } from './dsl.ts';

/** Spec of a DynamoGraphDeploymentScalingAdapter. */
export const spec = object(
  'DynamoGraphDeploymentScalingAdapterSpec',
  'The replica count of one service of a graph, for autoscalers to write.',
  {
    replicas: required(
      int32('Desired number of replicas, written by autoscalers through the scale subresource.', { minimum: 0 }),
    ),
    dgdRef: required(
      object('GraphServiceReference', 'The service of a graph that is scaled.', {
        name: required(string('Name of the graph, in the same namespace.', { minLength: 1 })),
        serviceName: required(string('Name of the service in the graph.', { minLength: 1 })),
      }),
    ),
  },
);

/** Status of a DynamoGraphDeploymentScalingAdapter. */
export const status = object('DynamoGraphDeploymentScalingAdapterStatus', 'Observed state of the scaled service.', {
  replicas: int32('Observed number of replicas.'),
  selector: string('Label selector of the pods in string form, for autoscalers.'),
  lastScaleTime: dateTime('When the graph was last scaled.'),
});

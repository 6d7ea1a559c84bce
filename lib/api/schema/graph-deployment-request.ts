import { boolean, described, freeForm, int64, list, map, object, required, string } from './dsl.ts';
import { condition, resourceRequirements, toleration } from './meta.ts';

const profilingConfig = object('ProfilingConfig', 'How to profile the model.', {
  profilerImage: required(string('Image of the profiling job.')),
  config: freeForm('Configuration of the profiler, passed on unchanged. Required by the webhook.'),
  configMapRef: object('ConfigMapKeyReference', 'A ConfigMap key that holds a graph to start from.', {
    name: required(string('Name of the ConfigMap.')),
    key: string('Key of the ConfigMap.', { default: 'disagg.yaml' }),
  }),
  outputPVC: string('Existing claim that stores the profiling results.'),
  resources: described('Compute resources of the profiling job.', resourceRequirements),
  tolerations: list(toleration, { description: 'Tolerations of the profiling job.' }),
});

/** Spec of a DynamoGraphDeploymentRequest. */
export const spec = object('DynamoGraphDeploymentRequestSpec', 'A model to serve, and how to find a graph for it by profiling.', {
  model: required(string('Model to profile and serve, such as `Qwen/Qwen3-0.6B`.')),
  backend: required(string('Inference engine to profile.', { enum: ['vllm', 'sglang', 'trtllm'] })),
  useMocker: boolean('Deploy simulated engines after profiling, which need no accelerator.', { default: false }),
  enableGpuDiscovery: boolean('Let the profiler read the accelerators of the nodes. Requires a cluster-wide operator.', {
    default: false,
  }),
  profilingConfig: required(described('How to profile the model.', profilingConfig)),
  autoApply: boolean('Create the graph as soon as profiling is done.', { default: false }),
  deploymentOverrides: object('DeploymentOverrides', 'Changes to the generated graph.', {
    name: string('Name of the graph. Defaults to the generated name.'),
    namespace: string('Namespace of the graph. Defaults to the namespace of the request.'),
    labels: map(string(), { description: 'Labels added to the graph.' }),
    annotations: map(string(), { description: 'Annotations added to the graph.' }),
    workersImage: string('Image of the workers, also during profiling.'),
  }),
});

/** Status of a DynamoGraphDeploymentRequest. */
export const status = object('DynamoGraphDeploymentRequestStatus', 'Observed state of the request.', {
  state: string('`Pending`, `Profiling`, `Deploying`, `Ready`, `DeploymentDeleted` or `Failed`.'),
  backend: string('The backend of the spec, for display.'),
  observedGeneration: int64('The generation whose spec was accepted.'),
  conditions: list(condition, { description: 'Conditions of the request.' }),
  profilingResults: string('Location of the results, as `configmap/NAME`.'),
  generatedDeployment: freeForm('The graph that profiling generated.', { embeddedResource: true }),
  deployment: object('DeploymentStatus', 'The graph created for the request.', {
    name: string('Name of the graph.'),
    namespace: string('Namespace of the graph.'),
    state: string('State of the graph.'),
    created: boolean('Whether the graph was created; it is created only once.'),
  }),
});

import { boolean, described, freeForm, int64, list, map, object, required, string } from './dsl.ts';
import { condition, resourceRequirements, toleration } from './meta.ts';

const profilingConfig = object('ProfilingConfig', 'How to profile the model.', {
  profilerImage: required(string('Image of the profiling job.')),
  config: freeForm('Configuration of the profiler, passed on as it is. Demanded by admission.'),
  configMapRef: object('ConfigMapKeyReference', 'A ConfigMap key that holds a graph to start from.', {
    name: required(string('Name of the ConfigMap.')),
    key: string('Key of the ConfigMap.', { default: 'disagg.yaml' }),
  }),
  outputPVC: string('Existing claim to keep the results of profiling in.'),
  resources: described('Compute resources of the profiling job.', resourceRequirements),
  tolerations: list(toleration, { description: 'Taints that the profiling job puts up with.' }),
});

/** Spec of a DynamoGraphDeploymentRequest. */
export const spec = object('DynamoGraphDeploymentRequestSpec', 'A model to serve; profiling finds the graph that suits it.', {
  model: required(string('Model to profile and serve, such as `Qwen/Qwen3-0.6B`.')),
  backend: required(string('Inference engine to profile.', { enum: ['vllm', 'sglang', 'trtllm'] })),
  useMocker: boolean('Deploy simulated engines after profiling, which need no accelerator.', { default: false }),
  enableGpuDiscovery: boolean('Let the profiler read facts about accelerators from the nodes. Needs a cluster-wide operator.', {
    default: false,
  }),
  profilingConfig: required(described('How to profile the model.', profilingConfig)),
  autoApply: boolean('Create the graph as soon as profiling is done.', { default: false }),
  deploymentOverrides: object('DeploymentOverrides', 'Changes to the generated graph.', {
    name: string('Name of the graph. Empty means the generated one.'),
    namespace: string('Namespace of the graph. Empty means that of the request.'),
    labels: map(string(), { description: 'Labels added to the graph.' }),
    annotations: map(string(), { description: 'Annotations added to the graph.' }),
    workersImage: string('Image of the workers, while profiling too.'),
  }),
});

/** Status of a DynamoGraphDeploymentRequest. */
export const status = object('DynamoGraphDeploymentRequestStatus', 'How far the request has come.', {
  state: string('`Pending`, `Profiling`, `Deploying`, `Ready`, `DeploymentDeleted` or `Failed`.'),
  backend: string('The backend of the spec, for display.'),
  observedGeneration: int64('The generation whose spec was accepted.'),
  conditions: list(condition, { description: 'Conditions of the request.' }),
  profilingResults: string('Where the results are, as `configmap/NAME`.'),
  generatedDeployment: freeForm('The graph that profiling came up with.', { embeddedResource: true }),
  deployment: object('DeploymentStatus', 'The graph created for the request.', {
    name: string('Name of the graph.'),
    namespace: string('Namespace of the graph.'),
    state: string('State of the graph.'),
    created: boolean('Whether the graph was created; it is not created twice.'),
  }),
});

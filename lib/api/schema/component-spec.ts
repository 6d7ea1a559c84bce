import { autoscalerBehavior, metricSpec } from './autoscaling.ts';
import { envVar, probe } from './container.ts';
import {
  boolean,
  bytes,
  described,
  int32,
  integer,
  list,
  map,
  number,
  object,
  quantity,
  required,
  string,
  type Fields,
} from './dsl.ts';
import { keySelector, resourceClaim } from './meta.ts';
import { extraPodSpec } from './pod.ts';

/** The inference engines a graph or component can run. */
export const backendFramework = string('Inference engine the workers run. Cannot be changed after creation.', {
  enum: ['sglang', 'vllm', 'trtllm'],
});

const resourceItem = object('ResourceItem', 'Amounts of compute resources, as strings.', {
  cpu: string('Processor time, such as `10` or `500m`.'),
  memory: string('Memory, such as `20Gi`.'),
  gpu: string('Number of accelerators, such as `1`.'),
  gpuType: string('Resource name of the accelerator. Defaults to `nvidia.com/gpu`.'),
  custom: map(string(), { description: 'Further resources by name, such as `rdma/ib`.' }),
});

const resources = object('Resources', 'Compute resources of the main container.', {
  requests: described('What the scheduler sets aside for each pod.', resourceItem),
  limits: described('The most that each pod may use.', resourceItem),
  claims: list(resourceClaim, { description: 'Claims of dynamic resource allocation that the main container uses.' }),
});

const autoscaling = object('Autoscaling', 'Settings of the former built-in autoscaler.', {
  enabled: boolean('Whether autoscaling is enabled.'),
  minReplicas: integer('Minimum number of replicas.'),
  maxReplicas: integer('Maximum number of replicas.'),
  behavior: described('How fast to scale up and down.', autoscalerBehavior),
  metrics: list(metricSpec, { description: 'What to scale on.' }),
});

const volumeMount = object('VolumeMount', 'A claim of the graph mounted in the main container.', {
  name: required(string("Name of the claim: an entry of the graph's `pvcs` or one that exists.")),
  mountPoint: string('Path to mount it at. May be omitted for a compilation cache, whose path depends on the backend.'),
  useAsCompilationCache: boolean("Keep the engine's compilation cache here, so that restarts are faster.", { default: false }),
});

const ingress = object('IngressSpec', 'How the component is reached from outside the cluster.', {
  enabled: boolean('Whether to create an Ingress or a VirtualService.'),
  host: string('Host name without prefix and suffix. Required when enabled.'),
  hostPrefix: string('Prefix of the host name.'),
  hostSuffix: string("Domain appended to the host name. Defaults to the operator's."),
  annotations: map(string(), { description: 'Annotations of the created Ingress or VirtualService.' }),
  labels: map(string(), { description: 'Labels of the created Ingress or VirtualService.' }),
  tls: object('IngressTls', 'TLS settings.', { secretName: string('Secret that holds the certificate and its key.') }),
  ingressControllerClassName: string("Ingress class to use. Defaults to the operator's."),
  useVirtualService: boolean('Create an Istio VirtualService instead of an Ingress.'),
  virtualServiceGateway: string('Istio gateway of the VirtualService, such as `istio-system/ingress`.'),
});

const pluginReference = object('SchedulingPlugin', 'A plugin in a scheduling profile.', {
  pluginRef: required(string('Name of an entry in `plugins`.')),
  weight: integer('Weight of the plugin, if it is a scorer.'),
});

const endpointPickerConfig = object(
  'EndpointPickerConfig',
  'Configuration of the endpoint picker of the Gateway API Inference Extension. Keys that are not listed are kept.',
  {
    apiVersion: string('API version of the configuration.'),
    kind: string('Kind of the configuration, `EndpointPickerConfig`.'),
    featureGates: list(string(), { description: 'Features of the endpoint picker to enable.' }),
    plugins: required(
      list(
        object('EndpointPickerPlugin', 'A plugin of the endpoint picker.', {
          name: string('Name that profiles refer to. Defaults to the type.'),
          type: required(string('Type of the plugin, such as `max-score-picker`.')),
          parameters: bytes('Parameters of the plugin: JSON, encoded as base64.'),
        }),
        { description: 'Plugins to create.' },
      ),
    ),
    schedulingProfiles: required(
      list(
        object('SchedulingProfile', 'A set of plugins that together pick an endpoint.', {
          name: required(string('Name of the profile.')),
          plugins: required(list(pluginReference, { description: 'Plugins of the profile.' })),
        }),
        { description: 'Profiles that pick endpoints.' },
      ),
    ),
    saturationDetector: object('SaturationDetector', 'When a worker counts as saturated.', {
      queueDepthThreshold: integer('Queue length from which a worker is saturated.'),
      kvCacheUtilThreshold: number('Share of the KV cache, 0 to 1, from which a worker is saturated.'),
      metricsStalenessThreshold: string('Age from which metrics count as stale, as a Go duration such as `200ms`.'),
    }),
  },
  { preserveUnknown: true },
);

/** The fields that a service of a graph and a component deployment share. */
export const componentFields: Fields = {
  annotations: map(string(), { description: 'Annotations of the objects created for the component.' }),
  labels: map(string(), { description: 'Labels of the objects created for the component.' }),
  serviceName: string('Name of the component. In a graph it is the key of the service.'),
  componentType: string('Role of the component: `frontend`, `worker`, `prefill`, `decode`, `planner`, `epp` or `default`.'),
  subComponentType: string('Finer role of the component, such as `prefill` or `decode`.'),
  dynamoNamespace: string('Former way to choose the Dynamo namespace.', {
    deprecated: 'Ignored: the namespace is computed from the Kubernetes namespace and the name of the graph.',
  }),
  globalDynamoNamespace: boolean('Place the component in the Dynamo namespace `dynamo`, which all graphs share.'),
  resources: described('Compute resources of the main container.', resources),
  autoscaling: {
    ...described('Former way to scale the component.', autoscaling),
    deprecated: 'Ignored: use a DynamoGraphDeploymentScalingAdapter with an autoscaler.',
  },
  envs: list(envVar, { description: 'Environment of the main container.' }),
  envFromSecret: string('Secret whose keys become environment variables of the main container.'),
  volumeMounts: list(volumeMount, { description: 'Claims to mount in the main container.' }),
  ingress: described('How the component is reached from outside the cluster.', ingress),
  modelRef: object(
    'ModelReference',
    'The model a component serves; makes its endpoints discoverable through a headless Service.',
    {
      name: required(string('Base model that the component serves, such as `Qwen/Qwen3-0.6B`.')),
      revision: string('Revision of the model.'),
    },
  ),
  sharedMemory: object('SharedMemorySpec', 'Shared memory, mounted at `/dev/shm`.', {
    disabled: boolean('Mount no shared memory.'),
    size: quantity('Size of the shared memory, such as `8Gi`. Required unless disabled.'),
  }),
  extraPodMetadata: object('ExtraPodMetadata', 'Metadata added to the created pods.', {
    annotations: map(string(), { description: 'Annotations added to the pods.' }),
    labels: map(string(), { description: 'Labels added to the pods.' }),
  }),
  extraPodSpec: described('Pod settings that override the generated ones.', extraPodSpec),
  livenessProbe: described('Replaces the default liveness probe of the main container.', probe),
  readinessProbe: described('Replaces the default readiness probe of the main container.', probe),
  replicas: int32('Desired number of replicas; with `multinode`, of groups of nodes. Defaults to 1.', { minimum: 0 }),
  multinode: object('MultinodeSpec', 'Spreads each replica over several nodes.', {
    nodeCount: required(int32('Nodes per replica.', { default: 2, minimum: 2 })),
  }),
  scalingAdapter: object('ScalingAdapter', 'Whether a scaling adapter controls the replica count.', {
    enabled: boolean('Create a DynamoGraphDeploymentScalingAdapter, which then controls the replica count.', { default: false }),
  }),
  eppConfig: object('EPPConfig', 'Configuration of an endpoint picker. Used only with the component type `epp`.', {
    configMapRef: described('ConfigMap key that holds the configuration. Mutually exclusive with `config`.', keySelector),
    config: described('The configuration itself. Mutually exclusive with `configMapRef`.', endpointPickerConfig),
  }),
};

const count = (description: string) => int32(description, { minimum: 0 });

/** Replica counts of a component's workload, in a status. */
export const replicaStatus = object('ServiceReplicaStatus', 'Replica counts of the workload of a component.', {
  componentKind: required(
    string('Kind of the workload.', { enum: ['PodClique', 'PodCliqueScalingGroup', 'Deployment', 'LeaderWorkerSet'] }),
  ),
  componentName: required(string('Name of the workload.')),
  replicas: required(count('Replicas that have not terminated.')),
  updatedReplicas: required(count('Replicas at the current revision.')),
  readyReplicas: count('Replicas that are ready. Not given for a PodCliqueScalingGroup.'),
  availableReplicas: count('Replicas that are available. Given for a Deployment and a PodCliqueScalingGroup.'),
});

/** A component in the `services` of a graph. */
export const componentSpec = object(
  'ComponentSpec',
  'One component of a graph: its containers, replicas and resources.',
  componentFields,
);

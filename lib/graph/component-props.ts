import type { Duration, Size } from 'cdk8s';
import type { ISecret, IServiceAccount, Probe as PlusProbe, VolumeMount } from 'cdk8s-plus-28';
import type { ComponentSpec, ExtraPodSpec, MainContainer, Probe } from '../api/index.ts';
import type { ModelCache } from './model-cache.ts';
import type { Placement } from './placement.ts';
import type { Env } from './plain.ts';
import type { CpuAmount, Quantity } from './quantity.ts';

/** Fields of the main container in API format; `args` requires `command`, since each replaces its default separately. */
export type ContainerFields = Omit<MainContainer, 'command' | 'args'> &
  (
    | { readonly command: readonly string[]; readonly args?: readonly string[] }
    | { readonly command?: undefined; readonly args?: undefined }
  );

/** Fields of the pod in API format. */
export type PodFields = Omit<ExtraPodSpec, 'mainContainer'>;

/** Options of every component of a graph. */
export interface ComponentOptions {
  /**
   * Number of replicas; a replica of a multinode component is a group of nodes.
   * @default - 1; not set for components that an autoscaler or a planner scales
   */
  readonly replicas?: number;
  /**
   * Image to run.
   * @default - the platform's image for the graph's engine
   */
  readonly image?: string;
  /**
   * CPU limit of each pod, and its CPU request unless `cpuRequest` is set.
   * @default - the cluster's defaults
   */
  readonly cpu?: CpuAmount;
  /**
   * CPU request of each pod.
   * @default - `cpu`
   */
  readonly cpuRequest?: CpuAmount;
  /**
   * Memory limit of each pod, and its memory request unless `memoryRequest` is set.
   * @default - the cluster's defaults
   */
  readonly memory?: Size;
  /**
   * Memory request of each pod.
   * @default - `memory`
   */
  readonly memoryRequest?: Size;
  /**
   * Whether to write GPUs as a request too; without one, Kubernetes uses the limit.
   * @default false
   */
  readonly requestGpus?: boolean;
  /**
   * Limits of other resources of each pod by name, such as `{ 'rdma/ib': '2' }`.
   * @default - the resources of the graph's fabric
   */
  readonly resources?: Readonly<Record<string, Quantity>>;
  /**
   * Size of `/dev/shm`; `false` for the operator's default, 8Gi.
   * @default - 10Gi per GPU for workers with several GPUs, but at most half of `memory`; the operator's default for others
   */
  readonly sharedMemory?: Size | false;
  /**
   * Environment variables of the component; they override those of the graph and the engine.
   * @default - none
   */
  readonly env?: Env;
  /**
   * Environment variables of the main container, in this order; those of the graph and the component override them.
   * @default - none
   */
  readonly containerEnv?: Env;
  /**
   * Python interpreter that runs the module.
   * @default 'python3'
   */
  readonly python?: string;
  /**
   * Secret whose keys become environment variables; `false` for none.
   * @default - the model's token Secret for workers, planners and endpoint pickers, none for others
   */
  readonly envFromSecret?: string | Pick<ISecret, 'name'> | false;
  /**
   * Secrets for pulling the image.
   * @default - those the operator finds for the registry of the image
   */
  readonly imagePullSecrets?: readonly (string | Pick<ISecret, 'name'>)[];
  /**
   * ServiceAccount of the pods.
   * @default - the one that the operator creates for the graph
   */
  readonly serviceAccount?: string | Pick<IServiceAccount, 'name'>;
  /**
   * Whether `-m MODULE` is at the end of the command or at the start of the arguments; both run the same process.
   * @default 'command'
   */
  readonly moduleIn?: 'command' | 'args';
  /**
   * Working directory of the process.
   * @default - the engine's for workers, the planner's for planners, the image's for others
   */
  readonly workingDir?: string;
  /**
   * Labels of the objects created for the component.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the objects created for the component.
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * Labels of the pods.
   * @default - none
   */
  readonly podLabels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /**
   * Liveness probe; replaces the operator's as a whole.
   * @default - the operator's
   */
  readonly livenessProbe?: PlusProbe | Probe;
  /**
   * Readiness probe; replaces the operator's as a whole.
   * @default - the operator's
   */
  readonly readinessProbe?: PlusProbe | Probe;
  /**
   * Startup probe; replaces the operator's as a whole.
   * @default - the operator's, which allows workers two hours
   */
  readonly startupProbe?: PlusProbe | Probe;
  /**
   * Volumes to mount into the main container.
   * @default - none
   */
  readonly mounts?: readonly VolumeMount[];
  /**
   * Model cache to mount; `false` for none.
   * @default - the graph's for frontends and workers, none for others
   */
  readonly modelCache?: ModelCache | false;
  /**
   * Time that a pod has to finish its requests before it is killed.
   * @default - the operator's, 60 seconds for workers
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * Whether the component joins the Dynamo namespace that all graphs share.
   * @default false
   */
  readonly globalNamespace?: boolean;
  /**
   * Where pods may run, such as `Placement.gpuNodes().and(Placement.tolerateGpuTaint())`; added to the affinity and tolerations of `pod`.
   * @default - any node
   */
  readonly placement?: Placement;
  /**
   * Other fields of the main container in API format; `env` and `volumeMounts` are added to those of other properties.
   * @default - none
   */
  readonly container?: ContainerFields;
  /**
   * Other fields of the pod in API format; `volumes`, `resourceClaims` and `imagePullSecrets` are added to those of other properties.
   * @default - none
   */
  readonly pod?: PodFields;
  /**
   * Fields of the component in API format; each overrides the field that other properties set.
   * @default - none
   */
  readonly spec?: ComponentSpec;
}

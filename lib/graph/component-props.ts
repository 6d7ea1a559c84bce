import type { Duration, Size } from 'cdk8s';
import type { ISecret, IServiceAccount, Probe as PlusProbe, VolumeMount } from 'cdk8s-plus-28';
import type { ComponentSpec, ExtraPodSpec, MainContainer, Probe } from '../api/index.ts';
import type { ModelCache } from './model-cache.ts';
import type { Placement } from './placement.ts';
import type { Env } from './plain.ts';
import type { CpuAmount, Quantity } from './quantity.ts';

/** Fields of the main container as the API spells them; arguments only together with a command, since each replaces its default on its own. */
export type ContainerFields = Omit<MainContainer, 'command' | 'args'> &
  (
    | { readonly command: readonly string[]; readonly args?: readonly string[] }
    | { readonly command?: undefined; readonly args?: undefined }
  );

/** Fields of the pod as the API spells them. */
export type PodFields = Omit<ExtraPodSpec, 'mainContainer'>;

/** What every component of a graph can have. */
export interface ComponentOptions {
  /**
   * Replicas; of a multinode component, groups of nodes.
   * @default - 1; left out of components that an autoscaler or a planner scales
   */
  readonly replicas?: number;
  /**
   * Image to run.
   * @default - the platform's image of the graph's engine
   */
  readonly image?: string;
  /**
   * CPU of each pod, as limit and, unless `cpuRequest` is given, as request.
   * @default - the cluster's
   */
  readonly cpu?: CpuAmount;
  /**
   * CPU set aside for each pod.
   * @default - `cpu`
   */
  readonly cpuRequest?: CpuAmount;
  /**
   * Memory of each pod, as limit and, unless `memoryRequest` is given, as request.
   * @default - the cluster's
   */
  readonly memory?: Size;
  /**
   * Memory set aside for each pod.
   * @default - `memory`
   */
  readonly memoryRequest?: Size;
  /**
   * Whether GPUs are written as a request too; the limit alone decides.
   * @default false
   */
  readonly requestGpus?: boolean;
  /**
   * Further resources of each pod by name, such as `{ 'rdma/ib': '2' }`.
   * @default - what the graph's fabric asks for
   */
  readonly resources?: Readonly<Record<string, Quantity>>;
  /**
   * Size of `/dev/shm`; `false` for the operator's, 8Gi.
   * @default - 10Gi for each GPU of a worker that has several, but at most half of `memory`; the operator's for others
   */
  readonly sharedMemory?: Size | false;
  /**
   * Environment of the component; wins over the graph's and the engine's.
   * @default - none
   */
  readonly env?: Env;
  /**
   * Environment written into the main container, in this order; weaker than that of the graph and the component.
   * @default - none
   */
  readonly containerEnv?: Env;
  /**
   * Program that runs Python modules.
   * @default 'python3'
   */
  readonly python?: string;
  /**
   * Secret whose keys become environment; `false` for none.
   * @default - the model's token Secret on workers and planners, none on others
   */
  readonly envFromSecret?: string | Pick<ISecret, 'name'> | false;
  /**
   * Secrets the image is pulled with.
   * @default - those the operator finds for the registry of the image
   */
  readonly imagePullSecrets?: readonly (string | Pick<ISecret, 'name'>)[];
  /**
   * Account the pods run as.
   * @default - the one the operator makes for the graph
   */
  readonly serviceAccount?: string | Pick<IServiceAccount, 'name'>;
  /**
   * Whether `-m` and the module end the command or begin the arguments; both start the same.
   * @default 'command'
   */
  readonly moduleIn?: 'command' | 'args';
  /**
   * Folder the process starts in.
   * @default - the engine's for workers, the image's for others
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
   * Replaces the operator's liveness probe, wholly.
   * @default - the operator's
   */
  readonly livenessProbe?: PlusProbe | Probe;
  /**
   * Replaces the operator's readiness probe, wholly.
   * @default - the operator's
   */
  readonly readinessProbe?: PlusProbe | Probe;
  /**
   * Replaces the operator's startup probe, wholly.
   * @default - the operator's, two hours for workers
   */
  readonly startupProbe?: PlusProbe | Probe;
  /**
   * Volumes to mount.
   * @default - none
   */
  readonly mounts?: readonly VolumeMount[];
  /**
   * Cache of model weights to mount; `false` for none.
   * @default - the graph's on frontends and workers, none on others
   */
  readonly modelCache?: ModelCache | false;
  /**
   * Time a pod has to finish its requests.
   * @default - the operator's, 60 seconds for workers
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * Whether the component joins the Dynamo namespace that all graphs share.
   * @default false
   */
  readonly globalNamespace?: boolean;
  /**
   * Where pods may run, such as `Placement.gpuNodes().and(Placement.tolerateGpuTaint())`; added to what `pod` says.
   * @default - wherever there is room
   */
  readonly placement?: Placement;
  /**
   * Fields of the main container that no other property covers; lists of environment, mounts and ports are added to the derived ones.
   * @default - none
   */
  readonly container?: ContainerFields;
  /**
   * Fields of the pod that no other property covers; volumes and resource claims are added to the derived ones.
   * @default - none
   */
  readonly pod?: PodFields;
  /**
   * Fields of the component as the API spells them; each wins over what is derived.
   * @default - none
   */
  readonly spec?: ComponentSpec;
}

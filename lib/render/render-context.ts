import type { JsonObject } from '../json/index.ts';

/** What the operator's flags say, as far as it reaches a rendered object. */
export interface OperatorConfig {
  readonly natsAddress: string;
  readonly etcdAddress: string;
  readonly modelExpressUrl: string;
  readonly prometheusEndpoint: string;
  /** `kubernetes` or `etcd`. */
  readonly discoveryBackend: string;
  /** A Go duration such as `15m`; not positive means none. */
  readonly groveTerminationDelay: string;
  readonly mpiSecretName: string;
  /** Where the MPI secret is copied from. */
  readonly mpiSecretNamespace: string;
  readonly virtualServiceGateway: string;
  readonly ingressClassName: string;
  readonly ingressTlsSecret: string;
  readonly ingressHostSuffix: string;
  /** Empty in cluster-wide mode. */
  readonly restrictedNamespace: string;
  readonly plannerClusterRole: string;
  readonly eppClusterRole: string;
  readonly profilingClusterRole: string;
  readonly debuggerImage: string;
}

/** Whether an object is in the cluster; offline that can be unknown. */
export type Existence = 'present' | 'absent' | 'unknown';

/** Look-ups in the cluster: the operator answers from its cache, the command line from the documents it was given. */
export interface Cluster {
  readonly hasApiGroup: (group: string) => boolean;
  readonly claim: (namespace: string, name: string) => Existence;
  /** A KAI scheduler queue, cluster scoped. */
  readonly queue: (name: string) => Existence;
  readonly clusterRole: (name: string) => Existence;
  /** An object that is made once and left alone afterwards, as stored; nothing where it is not known. */
  readonly find: (kind: 'ServiceAccount' | 'RoleBinding' | 'Secret', namespace: string, name: string) => JsonObject | undefined;
  /** Names of the pull secrets for a registry host, in the order they are listed. */
  readonly pullSecrets: (namespace: string, host: string) => readonly string[];
  /** The account marked for component pods, if the namespace has one. */
  readonly podServiceAccount: (namespace: string) => string | undefined;
  /** Keys of a ConfigMap's data, or nothing where it is not known. */
  readonly configMapKeys: (namespace: string, name: string) => readonly string[] | undefined;
}

/** How far a rolling restart has come, as in `status.restart`. */
export interface RestartStatus {
  readonly observedID?: string;
  readonly phase?: string;
  readonly inProgress?: readonly string[];
}

/** What the graph's live objects say; absent for a graph that is not in the cluster yet. */
export interface LiveGraph {
  /** The restart status computed in this pass. */
  readonly restart?: RestartStatus;
  /** Restart tokens found on live components or cliques, by service. */
  readonly restartTokens?: Readonly<Record<string, string>>;
  /** Replicas that live scaling adapters ask for, by service; they win where an adapter is enabled. */
  readonly adapterReplicas?: Readonly<Record<string, number>>;
}

/** Everything a rendering depends on besides the resource. */
export interface RenderContext {
  readonly config: OperatorConfig;
  readonly cluster: Cluster;
  readonly live?: LiveGraph;
}

import type { JsonObject } from '../json/index.ts';

/** The flags of the operator that affect rendered objects. */
export interface OperatorConfig {
  readonly natsAddress: string;
  readonly etcdAddress: string;
  readonly modelExpressUrl: string;
  readonly prometheusEndpoint: string;
  /** `kubernetes` or `etcd`. */
  readonly discoveryBackend: string;
  /** A Go duration such as `15m`; no delay is rendered for zero or less. */
  readonly groveTerminationDelay: string;
  readonly mpiSecretName: string;
  /** The namespace that the MPI secret is copied from. */
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

/** Whether an object exists in the cluster; unknown is possible offline only. */
export type Existence = 'present' | 'absent' | 'unknown';

/** Lookups in the cluster. The operator answers them from its cache, the command line from the given documents. */
export interface Cluster {
  readonly hasApiGroup: (group: string) => boolean;
  readonly claim: (namespace: string, name: string) => Existence;
  /** A KAI scheduler queue, cluster scoped. */
  readonly queue: (name: string) => Existence;
  readonly clusterRole: (name: string) => Existence;
  /** The stored form of an object that the operator creates once and does not update; undefined when it is not known. */
  readonly find: (kind: 'ServiceAccount' | 'RoleBinding' | 'Secret', namespace: string, name: string) => JsonObject | undefined;
  /** Names of the pull secrets for a registry host, in the order they are listed. */
  readonly pullSecrets: (namespace: string, host: string) => readonly string[];
  /** The ServiceAccount of a namespace that is labelled for component pods, if any. */
  readonly podServiceAccount: (namespace: string) => string | undefined;
  /** Keys of a ConfigMap's data; undefined when the ConfigMap is not known. */
  readonly configMapKeys: (namespace: string, name: string) => readonly string[] | undefined;
}

/** The progress of a restart, as in `status.restart`. */
export interface RestartStatus {
  readonly observedID?: string;
  readonly phase?: string;
  readonly inProgress?: readonly string[];
}

/** State of a graph's live objects; absent for a graph that is not in the cluster yet. */
export interface LiveGraph {
  /** The restart status computed in this reconciliation. */
  readonly restart?: RestartStatus;
  /** Restart tokens found on live components or cliques, by service. */
  readonly restartTokens?: Readonly<Record<string, string>>;
  /** Replicas of live scaling adapters, by service. They override `replicas` of services with an enabled adapter. */
  readonly adapterReplicas?: Readonly<Record<string, number>>;
}

/** Everything that rendering depends on besides the resource. */
export interface RenderContext {
  readonly config: OperatorConfig;
  readonly cluster: Cluster;
  readonly live?: LiveGraph;
}

/** Values for common environments. Each is a layer: pass several to `DynamoPlatform`, later ones override earlier ones. */
import type { PlatformValues } from './typed-values.ts';

/** A minikube or kind cluster of one user: small, without etcd and without webhooks; the controllers validate instead. */
export function dev(): PlatformValues {
  return {
    'dynamo-operator': {
      webhook: { enabled: false },
      controllerManager: {
        manager: { resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '500m', memory: '1Gi' } } },
      },
      dynamo: { mpiRun: { sshKeygen: { enabled: false } } },
    },
    nats: { config: { jetstream: { fileStore: { pvc: { size: '1Gi' } } } } },
    etcd: { enabled: false },
    platform: { networkPolicy: { allowAllNamespaces: true } },
  };
}

/** The operator image that `sharedTest` installs, and the Secrets to pull it with. */
export interface SharedTestOptions {
  /** Repository of the operator image under test. */
  readonly repository?: string;
  /** Tag of the operator image under test. */
  readonly tag?: string;
  /** Names of the Secrets to pull it with. */
  readonly pullSecrets?: readonly string[];
}

/** A build under test in a namespace of a shared cluster: the operator manages only its namespace, cluster-wide singletons are off. */
export function sharedTest(options: SharedTestOptions = {}): PlatformValues {
  const image = {
    ...(options.repository === undefined ? {} : { repository: options.repository }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
  };
  return {
    'dynamo-operator': {
      namespaceRestriction: { enabled: true },
      controllerManager: { manager: { image } },
      imagePullSecrets: (options.pullSecrets ?? []).map((name) => ({ name })),
    },
    etcd: { enabled: false },
    grove: { enabled: false },
    'kai-scheduler': { enabled: false },
  };
}

/** Options of `production`. */
export interface ProductionOptions {
  /**
   * Storage class of NATS and etcd; a fast block device.
   * @default - the cluster's default class
   */
  readonly storageClass?: string;
  /**
   * Address of Prometheus for planners.
   * @default - none
   */
  readonly prometheusEndpoint?: string;
  /**
   * Labels of monitors, which Prometheus selects.
   * @default - none
   */
  readonly monitorLabels?: Readonly<Record<string, string>>;
  /**
   * Whether graphs use etcd for discovery, which then runs with three members.
   * @default false - graphs use Kubernetes
   */
  readonly etcd?: boolean;
  /**
   * Labels of the namespaces of graphs, whose pods may reach NATS and etcd.
   * @default - every namespace, with a warning
   */
  readonly clientNamespaceLabels?: Readonly<Record<string, string>>;
}

/** Resources of containers that only write logs, which could fill a node without a limit. */
const logs = { requests: { 'ephemeral-storage': '64Mi' }, limits: { 'ephemeral-storage': '512Mi' } };

/** A dedicated cluster that must stay up: two operators, three NATS servers, Grove and KAI, monitors. */
export function production(options: ProductionOptions = {}): PlatformValues {
  const { storageClass, prometheusEndpoint, monitorLabels, clientNamespaceLabels } = options;
  return {
    'dynamo-operator': {
      controllerManager: { replicas: 2, manager: { resources: logs }, kubeRbacProxy: { resources: logs } },
      discoveryBackend: options.etcd ? 'etcd' : 'kubernetes',
      webhook: { failurePolicy: 'Fail', certManager: { enabled: true } },
      ...(prometheusEndpoint === undefined ? {} : { dynamo: { metrics: { prometheusEndpoint } } }),
    },
    nats: {
      config: {
        cluster: { enabled: true, replicas: 3 },
        jetstream: {
          fileStore: { pvc: { size: '50Gi', ...(storageClass === undefined ? {} : { storageClassName: storageClass }) } },
        },
      },
      container: { merge: { resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '4Gi' } } } },
      promExporter: { enabled: true, podMonitor: { enabled: true } },
      podTemplate: {
        topologySpreadConstraints: { 'kubernetes.io/hostname': { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } },
      },
    },
    etcd: options.etcd
      ? {
          replicaCount: 3,
          pdb: { create: true },
          auth: { token: { enabled: false } },
          persistence: { size: '10Gi', ...(storageClass === undefined ? {} : { storageClass }) },
          resources: {
            requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '100Mi' },
            limits: { memory: '2Gi', 'ephemeral-storage': '1Gi' },
          },
        }
      : { enabled: false },
    grove: { enabled: true },
    'kai-scheduler': { enabled: true },
    platform: {
      monitoring: { enabled: true, labels: monitorLabels ?? {} },
      ...(clientNamespaceLabels === undefined ? {} : { networkPolicy: { clientNamespaceLabels } }),
    },
  };
}

/** Label of namespaces with their own operator, which excludes them from the cluster-wide webhook. */
export const tenantLabel = { key: 'dynamo-operator', value: 'namespace-restricted' } as const;

/** The cluster-wide operator beside operators of single namespaces: its webhook excludes their namespaces. */
export function tenantHub(): PlatformValues {
  return {
    'dynamo-operator': {
      webhook: {
        namespaceSelector: { matchExpressions: [{ key: tenantLabel.key, operator: 'NotIn', values: [tenantLabel.value] }] },
      },
    },
  };
}

/** Options of `tenant`. */
export interface TenantOptions {
  /**
   * Address of a NATS that tenants share.
   * @default - its own NATS
   */
  readonly natsAddress?: string;
}

/** An operator for one tenant's namespace. Install it in that namespace with its own release name; the CRDs are shared. */
export function tenant(options: TenantOptions = {}): PlatformValues {
  const { natsAddress } = options;
  return {
    'dynamo-operator': {
      namespaceRestriction: { enabled: true },
      ...(natsAddress === undefined ? {} : { natsAddr: natsAddress }),
    },
    ...(natsAddress === undefined ? {} : { nats: { enabled: false } }),
    etcd: { enabled: false },
    grove: { enabled: false },
    'kai-scheduler': { enabled: false },
  };
}

/** Identities for the workload identity of a cloud. */
export interface CloudIdentity {
  /**
   * Identity of the operator: a role ARN on EKS, a service account's address on GKE, a client id on AKS.
   * @default - none
   */
  readonly operator?: string;
  /**
   * Identity of graph pods.
   * @default - none
   */
  readonly graphs?: string;
}

/** Storage of a cloud. */
export interface CloudOptions extends CloudIdentity {
  /** Storage class of NATS and etcd. */
  readonly storageClass?: string;
}

function cloud(annotation: string, options: CloudOptions, storageClass: string): PlatformValues {
  const annotations = (identity: string | undefined) =>
    identity === undefined ? {} : { serviceAccount: { annotations: { [annotation]: identity } } };
  const chosen = options.storageClass ?? storageClass;
  return {
    'dynamo-operator': { controllerManager: annotations(options.operator), dynamo: { components: annotations(options.graphs) } },
    nats: { config: { jetstream: { fileStore: { pvc: { storageClassName: chosen } } } } },
    etcd: { persistence: { storageClass: chosen } },
  };
}

/** Amazon EKS: NATS and etcd on EBS (EFS is for model caches), image pulls by IAM roles instead of ECR tokens that expire. */
export function eks(options: CloudOptions = {}): PlatformValues {
  return cloud('eks.amazonaws.com/role-arn', options, 'gp3');
}

/** Google GKE: balanced persistent disks, Workload Identity instead of registry Secrets. */
export function gke(options: CloudOptions = {}): PlatformValues {
  return cloud('iam.gke.io/gcp-service-account', options, 'standard-rwo');
}

/** Azure AKS: premium managed disks, workload identity. The GPU driver comes from the GPU operator, not from the node pool. */
export function aks(options: CloudOptions = {}): PlatformValues {
  return cloud('azure.workload.identity/client-id', options, 'managed-csi-premium');
}

/** OpenShift: the cluster assigns user ids, and its monitoring may scrape the pods. */
export function openShift(): PlatformValues {
  return {
    global: { compatibility: { openshift: { adaptSecurityContext: 'force' } } },
    platform: { monitoring: { enabled: true, namespaceLabels: { 'network.openshift.io/policy-group': 'monitoring' } } },
  };
}

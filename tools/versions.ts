/**
 * The Go programs that tests and maintainers use, and the Go modules whose CRDs tests install, each pinned to one version.
 *
 * Versions are set in this file only; a test checks that the `go.mod` of each wrapper module agrees.
 */

const kubernetesVersion = 'v1.34.4';

/** How one pinned program is built. */
export interface Tool {
  /** Version, as its Go module spells it. */
  readonly version: string;
  /** Go package of the program. */
  readonly package: string;
  /** How it is built: in the wrapper module `tools/kubernetes` or `tools/lws`, or with `go install package@version`. */
  readonly from: 'kubernetes' | 'lws' | 'install';
  /** Go variables set at link time, so that the program reports its version. */
  readonly linkValues: Readonly<Record<string, string>>;
  /** Seconds a first build took on two cores. */
  readonly buildSeconds: number;
  /** What the program is for, in a few words. */
  readonly purpose: string;
}

const [kubernetesMajor = '', kubernetesMinor = ''] = kubernetesVersion.slice(1).split('.');

// Without these a server reports the version v0.0.0, and clients misjudge its features.
const kubernetesLinkValues = {
  'k8s.io/component-base/version.gitVersion': kubernetesVersion,
  'k8s.io/component-base/version.gitMajor': kubernetesMajor,
  'k8s.io/component-base/version.gitMinor': kubernetesMinor,
};

const kubernetes = (name: string, buildSeconds: number, purpose: string): Tool => ({
  version: kubernetesVersion,
  package: `k8s.io/kubernetes/cmd/${name}`,
  from: 'kubernetes',
  linkValues: kubernetesLinkValues,
  buildSeconds,
  purpose,
});

/** Every pinned program, by the name of its binary. */
export const tools = {
  etcd: {
    version: 'v3.6.4',
    package: 'go.etcd.io/etcd/server/v3',
    from: 'kubernetes',
    linkValues: {},
    buildSeconds: 60,
    purpose: 'store of the control plane for tests',
  },
  'kube-apiserver': kubernetes('kube-apiserver', 270, 'API server of the control plane for tests'),
  kubectl: kubernetes('kubectl', 35, 'applies manifests in tests'),
  'kube-controller-manager': kubernetes('kube-controller-manager', 95, 'Deployments, Jobs, garbage collection in tests'),
  helm: {
    version: 'v3.19.4',
    package: 'helm.sh/helm/v3/cmd/helm',
    from: 'install',
    // Without the last two, helm template assumes Kubernetes 1.20.
    linkValues: {
      'helm.sh/helm/v3/internal/version.version': 'v3.19.4',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '34',
    },
    buildSeconds: 140,
    purpose: 'proves that emitted charts install',
  },
  kustomize: {
    version: 'v5.7.1',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
    from: 'install',
    linkValues: { 'sigs.k8s.io/kustomize/api/provenance.version': 'v5.7.1' },
    buildSeconds: 15,
    purpose: 'proves that emitted overlays build',
  },
  'kube-score': {
    version: 'v1.20.0',
    package: 'github.com/zegl/kube-score/cmd/kube-score',
    from: 'install',
    linkValues: { 'main.version': 'v1.20.0' },
    buildSeconds: 40,
    purpose: 'second opinion on rendered manifests',
  },
  kubeconform: {
    version: 'v0.8.0',
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
    from: 'install',
    linkValues: { 'main.version': 'v0.8.0' },
    buildSeconds: 5,
    purpose: 'checks manifests against JSON Schemas',
  },
  kwok: {
    version: 'v0.7.0',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    from: 'install',
    linkValues: { 'sigs.k8s.io/kwok/pkg/consts.Version': 'v0.7.0' },
    buildSeconds: 120,
    purpose: 'plays nodes and pods in tests',
  },
  'kube-scheduler': kubernetes('kube-scheduler', 15, 'binds pods to the nodes kwok plays'),
  lws: {
    version: 'v0.6.1',
    package: 'sigs.k8s.io/lws/cmd',
    from: 'lws',
    linkValues: {},
    buildSeconds: 90,
    purpose: 'the controller of LeaderWorkerSets',
  },
  'nats-server': {
    version: 'v2.10.21',
    package: 'github.com/nats-io/nats-server/v2',
    from: 'install',
    linkValues: {},
    buildSeconds: 60,
    purpose: 'reads the configuration rendered for NATS',
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** A Go module that holds the CRDs of another project as files. */
export interface CrdModule {
  readonly module: string;
  readonly version: string;
  /** Folder of the CRDs in the module. */
  readonly folder: string;
}

/** Other projects whose own CRDs tests install. */
export const crdModules = {
  'argo-cd': { module: 'github.com/argoproj/argo-cd/v3', version: 'v3.5.6', folder: 'manifests/crds' },
  'kustomize-controller': { module: 'github.com/fluxcd/kustomize-controller', version: 'v1.9.6', folder: 'config/crd/bases' },
  'source-controller': { module: 'github.com/fluxcd/source-controller', version: 'v1.9.6', folder: 'config/crd/bases' },
  'cert-manager': { module: 'github.com/cert-manager/cert-manager', version: 'v1.21.2', folder: 'deploy/crds' },
  'prometheus-operator': {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
} as const satisfies Readonly<Record<string, CrdModule>>;

/** Name of a project whose CRDs are pinned. */
export type CrdModuleName = keyof typeof crdModules;

/** Name of a pinned program. */
export type ToolName = keyof typeof tools;

/** Names of all pinned programs, in the order of building. */
export const toolNames = Object.keys(tools) as readonly ToolName[];

/** Whether a string is the name of a pinned program. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}

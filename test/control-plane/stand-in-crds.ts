/**
 * CRDs with the groups, kinds and scopes of other projects and an open schema, for tests that need their APIs to be there.
 *
 * They accept any content: what those projects make of it is not tested here.
 */

/** One kind of another project. */
export interface StandInKind {
  readonly kind: string;
  readonly plural: string;
  /** Versions served; the first is stored. */
  readonly versions: readonly string[];
  /** @default Namespaced */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Path of the label selector in the `scale` subresource. @default - no such subresource */
  readonly scaleSelector?: string;
}

/** A stand-in CRD. */
export interface StandInCrd {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Kinds of other projects by API group. */
export const standInKinds = {
  'grove.io': [
    { kind: 'PodCliqueSet', plural: 'podcliquesets', versions: ['v1alpha1'], scaleSelector: '.status.hpaPodSelector' },
    { kind: 'PodClique', plural: 'podcliques', versions: ['v1alpha1'], scaleSelector: '.status.hpaPodSelector' },
    {
      kind: 'PodCliqueScalingGroup',
      plural: 'podcliquescalinggroups',
      versions: ['v1alpha1'],
      scaleSelector: '.status.selector',
    },
  ],
  'leaderworkerset.x-k8s.io': [
    { kind: 'LeaderWorkerSet', plural: 'leaderworkersets', versions: ['v1'], scaleSelector: '.status.hpaPodSelector' },
  ],
  'scheduling.volcano.sh': [
    { kind: 'PodGroup', plural: 'podgroups', versions: ['v1beta1'] },
    { kind: 'Queue', plural: 'queues', versions: ['v1beta1'], scope: 'Cluster' },
  ],
  'scheduling.run.ai': [{ kind: 'Queue', plural: 'queues', versions: ['v2'], scope: 'Cluster' }],
  'kai.scheduler': [
    { kind: 'Config', plural: 'configs', versions: ['v1'], scope: 'Cluster' },
    { kind: 'SchedulingShard', plural: 'schedulingshards', versions: ['v1'], scope: 'Cluster' },
  ],
  'networking.istio.io': [{ kind: 'VirtualService', plural: 'virtualservices', versions: ['v1beta1', 'v1'] }],
  'inference.networking.k8s.io': [{ kind: 'InferencePool', plural: 'inferencepools', versions: ['v1'] }],
  'cert-manager.io': [
    { kind: 'Certificate', plural: 'certificates', versions: ['v1'] },
    { kind: 'Issuer', plural: 'issuers', versions: ['v1'] },
    { kind: 'ClusterIssuer', plural: 'clusterissuers', versions: ['v1'], scope: 'Cluster' },
  ],
  'monitoring.coreos.com': [
    { kind: 'ServiceMonitor', plural: 'servicemonitors', versions: ['v1'] },
    { kind: 'PodMonitor', plural: 'podmonitors', versions: ['v1'] },
    { kind: 'PrometheusRule', plural: 'prometheusrules', versions: ['v1'] },
  ],
  'argoproj.io': [
    { kind: 'Application', plural: 'applications', versions: ['v1alpha1'] },
    { kind: 'ApplicationSet', plural: 'applicationsets', versions: ['v1alpha1'] },
    { kind: 'AppProject', plural: 'appprojects', versions: ['v1alpha1'] },
  ],
  'kustomize.toolkit.fluxcd.io': [{ kind: 'Kustomization', plural: 'kustomizations', versions: ['v1'] }],
  'source.toolkit.fluxcd.io': [
    { kind: 'GitRepository', plural: 'gitrepositories', versions: ['v1'] },
    { kind: 'HelmRepository', plural: 'helmrepositories', versions: ['v1'] },
    { kind: 'OCIRepository', plural: 'ocirepositories', versions: ['v1'] },
  ],
  'helm.toolkit.fluxcd.io': [{ kind: 'HelmRelease', plural: 'helmreleases', versions: ['v2'] }],
  'keda.sh': [{ kind: 'ScaledObject', plural: 'scaledobjects', versions: ['v1alpha1'] }],
} as const satisfies Readonly<Record<string, readonly StandInKind[]>>;

/** An API group that can be stood in for. */
export type StandInGroup = keyof typeof standInKinds;

/** All groups that can be stood in for. */
export const standInGroups = Object.keys(standInKinds) as readonly StandInGroup[];

/** The stand-in CRDs of the given groups. */
export function standInCrds(groups: readonly StandInGroup[]): readonly StandInCrd[] {
  return groups.flatMap((group) => standInKinds[group].map((kind) => crdOf(group, kind)));
}

function crdOf(group: string, { kind, plural, versions, scope = 'Namespaced', scaleSelector }: StandInKind): StandInCrd {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server refuses CRDs in groups of the Kubernetes community without this word.
      ...(group.endsWith('.k8s.io') ? { annotations: { 'api-approved.kubernetes.io': 'unapproved, stand-in for tests' } } : {}),
    },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope,
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: {
          status: {},
          ...(scaleSelector === undefined
            ? {}
            : {
                scale: {
                  specReplicasPath: '.spec.replicas',
                  statusReplicasPath: '.status.replicas',
                  labelSelectorPath: scaleSelector,
                },
              }),
        },
      })),
    },
  };
}

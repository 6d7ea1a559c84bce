import { groupOf, type KubernetesObject } from '../api/index.ts';
import { byteOrder } from '../json/index.ts';
import { toYaml } from '../manifest/index.ts';
import { sortByWave, waveOf, waves } from '../platform/index.ts';
import { healthChecks } from './argocd-health.ts';
import { ownedReplicas, type IgnoredDifference } from './argocd-ignore.ts';
import type { Environment, GitopsInput, OutputFile, Repository } from './layout.ts';
import { annotate, fileName, objectFiles, platformObjects } from './object-files.ts';

/** Options of the Argo CD layout. */
export interface ArgoCdOptions {
  /**
   * Namespace Argo CD runs in.
   * @default 'argocd'
   */
  readonly namespace?: string;
  /**
   * Name of the AppProject and prefix of the Applications.
   * @default 'dynamo'
   */
  readonly project?: string;
  /**
   * API server of environments without a target.
   * @default 'https://kubernetes.default.svc'
   */
  readonly server?: string;
}

interface Settings extends Required<ArgoCdOptions> {
  readonly repository: Repository;
}

/** Manifests with sync waves, an AppProject that allows only their kinds and namespaces, an Application or ApplicationSet, and health checks. */
export function argocdLayout(input: GitopsInput, repository: Repository, options: ArgoCdOptions = {}): readonly OutputFile[] {
  const { namespace } = settingsOf(repository, options);
  return [
    ...argocdObjects(input, repository, options).map((o) => ({
      path: `argocd/${o.kind.toLowerCase()}-${o.metadata.name}.yaml`,
      text: toYaml(o),
    })),
    // Outside `argocd/`, which users apply: `kubectl apply` of this ConfigMap could remove other settings of Argo CD.
    { path: 'argocd-cm-patch.yaml', text: toYaml(healthChecks(namespace)) },
    ...input.environments.flatMap((e) =>
      objectFiles(`manifests/${e.name}`, environmentObjects(input, e), (o) => waveFileName(o, e.namespace)),
    ),
  ];
}

function settingsOf(repository: Repository, options: ArgoCdOptions): Settings {
  return { namespace: 'argocd', project: 'dynamo', server: 'https://kubernetes.default.svc', ...options, repository };
}

/** The AppProject, and the Application or ApplicationSet that deploys the environments. */
export function argocdObjects(
  input: GitopsInput,
  repository: Repository,
  options: ArgoCdOptions = {},
): readonly KubernetesObject[] {
  const settings = settingsOf(repository, options);
  const [only, ...more] = input.environments;
  const deployed =
    only !== undefined && more.length === 0 ? application(only, settings) : applicationSet(input.environments, settings);
  return [appProject(input, settings), deployed];
}

/** File name of an object, prefixed with its sync wave. */
function waveFileName(object: KubernetesObject, home: string): string {
  const wave = object.metadata.annotations?.[syncWave];
  const step = waves.findIndex(({ number }) => String(number) === wave);
  return `${String(step).padStart(2, '0')}-${waves[step]?.name ?? 'other'}-${fileName(object, home)}`;
}

const syncWave = 'argocd.argoproj.io/sync-wave';

/** All objects of an environment in sync order, annotated with sync wave and sync options. */
export function environmentObjects(input: GitopsInput, environment: Environment): readonly KubernetesObject[] {
  const platform = sortByWave([...input.crds, ...platformObjects(environment)]).map((o) => withWave(o, false));
  return [...platform, ...sortByWave(input.graphs, true).map((o) => withWave(o, true))];
}

/** Adds the sync wave, and the sync options of https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/ that the kind needs. */
function withWave(object: KubernetesObject, graph: boolean): KubernetesObject {
  const options: Readonly<Record<string, string>> = {
    CustomResourceDefinition: 'ServerSideApply=true,Prune=false,Delete=false',
    Namespace: 'Prune=false,Delete=false',
  };
  // The dry run of a custom resource fails while its CRD, which is part of the same sync, does not exist.
  const sync = object.apiVersion.startsWith('nvidia.com/') ? 'SkipDryRunOnMissingResource=true' : options[object.kind];
  return annotate(object, {
    [syncWave]: String(waveOf(object, graph).number),
    ...(sync === undefined ? {} : { 'argocd.argoproj.io/sync-options': sync }),
  });
}

/** Fields that controllers in the cluster write: Argo CD must neither report nor revert them. */
const ignoreDifferences = [
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingWebhookConfiguration',
    jqPathExpressions: ['.webhooks[].clientConfig.caBundle'],
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'MutatingWebhookConfiguration',
    jqPathExpressions: ['.webhooks[].clientConfig.caBundle'],
  },
  { group: '', kind: 'Secret', name: 'grove-webhook-server-cert', jsonPointers: ['/data'] },
  ownedReplicas,
  { group: 'nvidia.com', kind: 'DynamoGraphDeploymentScalingAdapter', jsonPointers: ['/spec/replicas'] },
] satisfies readonly IgnoredDifference[];

const syncPolicy = {
  automated: { prune: true, selfHeal: true },
  syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true', 'CreateNamespace=false', 'PruneLast=true'],
  retry: { limit: 5, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } },
};

function serverOf({ target }: Environment, settings: Settings): string {
  return target?.server ?? settings.server;
}

function folderOf(repository: Repository, environment: string): string {
  return [repository.path, 'manifests', environment].filter((p) => p !== '').join('/');
}

function application(environment: Environment, settings: Settings): KubernetesObject {
  const { repository } = settings;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: `${settings.project}-${environment.name}`, namespace: settings.namespace },
    spec: {
      project: settings.project,
      source: { repoURL: repository.url, targetRevision: repository.revision, path: folderOf(repository, environment.name) },
      destination: { server: serverOf(environment, settings), namespace: environment.namespace },
      syncPolicy,
      ignoreDifferences,
    },
  };
}

function applicationSet(environments: readonly Environment[], settings: Settings): KubernetesObject {
  const { repository } = settings;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: settings.project, namespace: settings.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          list: { elements: environments.map((e) => ({ name: e.name, namespace: e.namespace, server: serverOf(e, settings) })) },
        },
      ],
      template: {
        metadata: { name: `${settings.project}-{{ .name }}` },
        spec: {
          project: settings.project,
          source: { repoURL: repository.url, targetRevision: repository.revision, path: folderOf(repository, '{{ .name }}') },
          destination: { server: '{{ .server }}', namespace: '{{ .namespace }}' },
          syncPolicy,
          ignoreDifferences,
        },
      },
    },
  };
}

function appProject(input: GitopsInput, settings: Settings): KubernetesObject {
  const all = input.environments.flatMap((e) => environmentObjects(input, e));
  const kinds = (objects: readonly KubernetesObject[]): readonly { readonly group: string; readonly kind: string }[] =>
    [
      ...new Map(
        objects.map((o) => [`${groupOf(o.apiVersion)} ${o.kind}`, { group: groupOf(o.apiVersion), kind: o.kind }]),
      ).entries(),
    ]
      .toSorted(([a], [b]) => byteOrder(a, b))
      .map(([, kind]) => kind);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: settings.project, namespace: settings.namespace },
    spec: {
      description: 'NVIDIA Dynamo: platform and graphs',
      sourceRepos: [settings.repository.url],
      destinations: destinations(input, settings),
      clusterResourceWhitelist: kinds(all.filter((o) => o.metadata.namespace === undefined)),
      namespaceResourceWhitelist: kinds(all.filter((o) => o.metadata.namespace !== undefined)),
    },
  };
}

/** Server and namespace of every namespaced object of the environments. */
function destinations(
  input: GitopsInput,
  settings: Settings,
): readonly { readonly server: string; readonly namespace: string }[] {
  const all = input.environments.flatMap((e) => {
    const namespaces = environmentObjects(input, e).flatMap(({ metadata: { namespace } }) => namespace ?? []);
    return [...new Set(namespaces)].toSorted(byteOrder).map((namespace) => ({ server: serverOf(e, settings), namespace }));
  });
  return [...new Map(all.map((d) => [`${d.server} ${d.namespace}`, d])).values()];
}

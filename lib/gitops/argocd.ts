import { toYaml } from '../manifest/index.ts';
import { inOrder, type KubernetesObject, waveOf } from '../platform/index.ts';
import { healthChecks } from './argocd-health.ts';
import { ownedReplicas, type IgnoredDifference } from './argocd-ignore.ts';
import type { Environment, GitopsInput, OutputFile, Repository } from './layout.ts';
import { annotate, objectFiles, orderedFileName, platformObjects } from './object-files.ts';

/** How Argo CD is set up; every field has a default. */
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
   * API server the Applications deploy to.
   * @default 'https://kubernetes.default.svc'
   */
  readonly server?: string;
}

interface Settings extends Required<ArgoCdOptions> {
  readonly repository: Repository;
}

/** Manifests with sync waves, an AppProject that allows what they hold and no more, an Application or ApplicationSet, and health checks. */
export function argocdLayout(input: GitopsInput, repository: Repository, options: ArgoCdOptions = {}): readonly OutputFile[] {
  const settings = { namespace: 'argocd', project: 'dynamo', server: 'https://kubernetes.default.svc', ...options, repository };
  return [
    ...argocdObjects(input, repository, options).map((o) => ({
      path: `argocd/${o.kind.toLowerCase()}-${o.metadata.name}.yaml`,
      text: toYaml(o),
    })),
    { path: 'argocd/argocd-cm-patch.yaml', text: toYaml(healthChecks(settings.namespace)) },
    ...input.environments.flatMap((e) =>
      objectFiles(`manifests/${e.name}`, environmentObjects(input, e), (o) => orderedFileName(o, e.namespace, isGraph(input, o))),
    ),
  ];
}

/** The objects Argo CD itself reads: the project and what to deploy. */
export function argocdObjects(
  input: GitopsInput,
  repository: Repository,
  options: ArgoCdOptions = {},
): readonly KubernetesObject[] {
  const settings = { namespace: 'argocd', project: 'dynamo', server: 'https://kubernetes.default.svc', ...options, repository };
  const [only, ...more] = input.environments;
  const deployed =
    only !== undefined && more.length === 0 ? application(only, settings) : applicationSet(input.environments, settings);
  return [appProject(input, settings), deployed];
}

const isGraph = (input: GitopsInput, object: KubernetesObject): boolean =>
  input.graphs.some((g) => g.kind === object.kind && g.metadata.name === object.metadata.name);

/** Everything of an environment in order, each object with its wave and what its kind needs. */
export function environmentObjects(input: GitopsInput, environment: Environment): readonly KubernetesObject[] {
  const platform = inOrder([...input.crds, ...platformObjects(environment)]).map((o) => withWave(o, false));
  return [...platform, ...inOrder(input.graphs, true).map((o) => withWave(o, true))];
}

function withWave(object: KubernetesObject, graph: boolean): KubernetesObject {
  const options: Readonly<Record<string, string>> = {
    CustomResourceDefinition: 'ServerSideApply=true,Prune=false',
    Namespace: 'Prune=false',
  };
  const sync = object.apiVersion.startsWith('nvidia.com/') ? 'SkipDryRunOnMissingResource=true' : options[object.kind];
  return annotate(object, {
    'argocd.argoproj.io/sync-wave': String(waveOf(object, graph).number),
    ...(sync === undefined ? {} : { 'argocd.argoproj.io/sync-options': sync }),
  });
}

/** Fields that somebody in the cluster writes: a sync must neither show nor undo them. */
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
      destination: { server: settings.server, namespace: environment.namespace },
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
        { list: { elements: environments.map((e) => ({ name: e.name, namespace: e.namespace, server: settings.server })) } },
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
    [...new Set(objects.map((o) => `${o.apiVersion.includes('/') ? (o.apiVersion.split('/')[0] ?? '') : ''} ${o.kind}`))]
      .toSorted()
      .map((pair) => {
        const [group = '', kind = ''] = pair.split(' ');
        return { group, kind };
      });
  const namespaces = [
    ...new Set(all.flatMap((o) => (o.metadata.namespace === undefined ? [] : [o.metadata.namespace]))),
  ].toSorted();
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: settings.project, namespace: settings.namespace },
    spec: {
      description: 'NVIDIA Dynamo: platform and graphs',
      sourceRepos: [settings.repository.url],
      destinations: namespaces.map((namespace) => ({ server: settings.server, namespace })),
      clusterResourceWhitelist: kinds(all.filter((o) => o.metadata.namespace === undefined)),
      namespaceResourceWhitelist: kinds(all.filter((o) => o.metadata.namespace !== undefined)),
    },
  };
}

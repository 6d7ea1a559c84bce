import type { KubernetesObject } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { toYaml } from '../manifest/index.ts';
import { sortByWave, type Wave, waveOf, waves } from '../platform/index.ts';
import type { Environment, GitopsInput, OutputFile, Repository } from './layout.ts';
import { annotate, fileName, objectFiles, platformObjects } from './object-files.ts';

/** Options of the Flux layout. */
export interface FluxOptions {
  /**
   * Namespace of the GitRepository and the Kustomizations.
   * @default 'flux-system'
   */
  readonly namespace?: string;
  /**
   * Name of the GitRepository and prefix of the Kustomization names.
   * @default 'dynamo'
   */
  readonly name?: string;
}

/** Manifests in a folder per step, and Kustomizations that apply one step after the other, each waiting until its objects are ready. */
export function fluxLayout(input: GitopsInput, repository: Repository, options: FluxOptions = {}): readonly OutputFile[] {
  return [
    { path: 'flux/dynamo.yaml', text: fluxObjects(input, repository, options).map(toYaml).join('---\n') },
    ...input.environments.flatMap((e) =>
      steps(input, e).flatMap((s) => objectFiles(`manifests/${e.name}/${s.folder}`, s.objects, (o) => fileName(o, e.namespace))),
    ),
  ];
}

/** The GitRepository, and one Kustomization per environment and step. */
export function fluxObjects(input: GitopsInput, repository: Repository, options: FluxOptions = {}): readonly KubernetesObject[] {
  const { namespace, name } = { namespace: 'flux-system', name: 'dynamo', ...options };
  const single = input.environments.length === 1;
  return [
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name, namespace },
      spec: { interval: '1m', url: repository.url, ref: reference(repository.revision) },
    },
    ...input.environments.flatMap((environment) => {
      const prefix = single ? name : `${name}-${environment.name}`;
      return steps(input, environment).map((step, i, all) => {
        const previous = all[i - 1];
        const path = [repository.path, 'manifests', environment.name, step.folder].filter((p) => p !== '').join('/');
        return kustomization(step, {
          name: `${prefix}-${step.wave.name}`,
          namespace,
          source: name,
          path,
          after: previous && `${prefix}-${previous.wave.name}`,
          kubeConfig: environment.target?.kubeConfig,
        });
      });
    }),
  ];
}

/** Full commits and version tags are recognized by their format; everything else is a branch. */
function reference(revision: string): JsonObject {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision };
  if (/^v?\d+\.\d+\.\d+/.test(revision)) return { tag: revision };
  return { branch: revision };
}

interface Step {
  readonly wave: Wave;
  readonly folder: string;
  readonly objects: readonly KubernetesObject[];
}

function steps(input: GitopsInput, environment: Environment): readonly Step[] {
  const platform = [...input.crds, ...platformObjects(environment)];
  const all = [
    ...sortByWave(platform).map((object) => ({ object, wave: waveOf(object) })),
    ...sortByWave(input.graphs, true).map((object) => ({ object, wave: waveOf(object, true) })),
  ];
  return waves.flatMap((wave, i) => {
    const objects = all.filter((o) => o.wave.name === wave.name).map((o) => withoutPruning(o.object));
    return objects.length === 0 ? [] : [{ wave, folder: `${String(i).padStart(2, '0')}-${wave.name}`, objects }];
  });
}

/** Disables pruning of CRDs and namespaces, see https://fluxcd.io/flux/components/kustomize/kustomizations/. */
function withoutPruning(object: KubernetesObject): KubernetesObject {
  return object.kind === 'CustomResourceDefinition' || object.kind === 'Namespace'
    ? annotate(object, { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' })
    : object;
}

interface KustomizationSource {
  readonly name: string;
  readonly namespace: string;
  /** Name of the GitRepository. */
  readonly source: string;
  readonly path: string;
  /** Name of the Kustomization of the previous step. */
  readonly after: string | undefined;
  /** Secret with the kubeconfig of the cluster. */
  readonly kubeConfig: string | undefined;
}

function kustomization(step: Step, { name, namespace, source, path, after, kubeConfig }: KustomizationSource): KubernetesObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      interval: '10m',
      retryInterval: '1m',
      timeout: step.wave.name === 'graphs' ? '1h' : '10m',
      path: `./${path}`,
      prune: step.wave.name !== 'crds' && step.wave.name !== 'namespaces',
      wait: true,
      sourceRef: { kind: 'GitRepository', name: source },
      ...(kubeConfig === undefined ? {} : { kubeConfig: { secretRef: { name: kubeConfig } } }),
      ...(after === undefined ? {} : { dependsOn: [{ name: after }] }),
      ...(step.wave.name === 'graphs' ? { healthCheckExprs: healthExpressions } : {}),
    },
  };
}

const hasCondition = (type: string, status: string): string =>
  `has(status.conditions) && status.conditions.exists(c, c.type == '${type}' && c.status == '${status}')`;

/** CEL expressions per kind: `current` if an object is ready, `failed` if it cannot become ready. */
export const healthExpressions = [
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    current: "has(status.state) && status.state == 'successful'",
    failed: "has(status.state) && status.state == 'failed'",
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    current: hasCondition('Available', 'True'),
    failed: hasCondition('Valid', 'False'),
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    current: "has(status.state) && status.state == 'Ready'",
    failed: "has(status.state) && status.state in ['Failed', 'DeploymentDeleted']",
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoModel',
    current: hasCondition('EndpointsReady', 'True'),
    failed: hasCondition('Valid', 'False'),
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentScalingAdapter',
    current: "has(status.selector) && status.selector != ''",
  },
];

import { groupOf, type KubernetesObject } from '../api/index.ts';
import { unsupportedFields } from '../platform/index.ts';
import { blockedFromNats } from './graph-namespaces.ts';
import type { Environment, GitopsInput } from './layout.ts';
import { platformObjects } from './object-files.ts';
import { describeSecret, findSecrets } from './secrets.ts';
import { checkServerAddress, normalizeServerAddress } from './server-address.ts';

/** Options of `checkInput`. */
export interface InputCheck {
  readonly layout: string;
  /**
   * Whether secrets may be written.
   * @default false
   */
  readonly allowSecrets?: boolean;
}

function identity(object: KubernetesObject): string {
  const { kind, metadata } = object;
  return `${groupOf(object.apiVersion)} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function label({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** Objects given more than once: the cluster would keep only one of them. */
function duplicates(objects: readonly KubernetesObject[]): readonly string[] {
  const seen = new Set<string>();
  const twice = objects.filter((object) => seen.has(identity(object)) || (seen.add(identity(object)), false));
  return [...new Set(twice.map(label))].map((name) => `${name} is given more than once; rename or remove one of them`);
}

/** For each controller, the field that identifies the cluster of an environment, and the command-line option that sets it. */
const targets = {
  argocd: {
    of: ({ target }: Environment): string => (target?.server === undefined ? '' : normalizeServerAddress(target.server)),
    option: (name: string): string => `--env-server ${name}=https://...`,
    what: 'API server',
  },
  flux: {
    of: ({ target }: Environment): string => target?.kubeConfig ?? '',
    option: (name: string): string => `--env-kubeconfig ${name}=SECRET`,
    what: 'kubeconfig',
  },
} as const;

/** Environments that a controller deploys to the same cluster: each would prune the CRDs and cluster roles of the other. */
function sharedTargets(layout: string, environments: readonly Environment[]): readonly string[] {
  if ((layout !== 'argocd' && layout !== 'flux') || environments.length < 2) return [];
  const { of, option, what } = targets[layout];
  return environments.flatMap((environment, i) => {
    const other = environments.find((e, j) => j < i && of(e) === of(environment));
    if (other === undefined) return [];
    const where = of(environment) === '' ? "the controller's own cluster" : `the ${what} ${of(environment)}`;
    return [
      `environments ${other.name} and ${environment.name} both go to ${where} and would prune each other's objects; give each a cluster of its own with ${option(environment.name)}`,
    ];
  });
}

const secretName = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

/** Environments whose cluster is given in a way that the controller does not read: it would deploy them to its own cluster. */
function unreadTargets(layout: string, { name, target }: Environment): readonly string[] {
  if ((layout !== 'argocd' && layout !== 'flux') || target === undefined) return [];
  const [field, controller] = layout === 'argocd' ? (['server', 'Argo CD'] as const) : (['kubeConfig', 'Flux'] as const);
  if (target[field] !== undefined || Object.keys(target).length === 0) return [];
  return [
    `environment ${name}: ${controller} finds its cluster by ${field} only, and would deploy to its own cluster; use ${targets[layout].option(name)}`,
  ];
}

/** Invalid API server addresses and kubeconfig Secret names of an environment. */
function invalidTargets({ name, target }: Environment): readonly string[] {
  const server = target?.server === undefined ? undefined : checkServerAddress(target.server);
  const kubeConfig = target?.kubeConfig;
  return [
    ...(server === undefined ? [] : [`environment ${name}: its server ${server}`]),
    ...(kubeConfig === undefined || secretName.test(kubeConfig)
      ? []
      : [`environment ${name}: its kubeconfig must be the name of a Secret, got '${kubeConfig}'`]),
  ];
}

/** Returns the problems that prevent a GitOps folder from being written, as messages for the user. */
export function checkInput(input: GitopsInput, { layout, allowSecrets = false }: InputCheck): readonly string[] {
  const repeated = input.environments.flatMap((e) => duplicates([...input.crds, ...platformObjects(e), ...input.graphs]));
  const all = [...new Set([input.base, ...input.environments].flatMap(platformObjects)), ...input.graphs];
  const secrets = allowSecrets ? [] : all.flatMap(findSecrets).map(describeSecret);
  const unsupported = input.environments.flatMap(({ operatorRelease }) =>
    operatorRelease === undefined ? [] : input.graphs.flatMap((graph) => unsupportedFields(graph, operatorRelease)),
  );
  const targeted = [
    ...input.environments.flatMap((environment) => [...invalidTargets(environment), ...unreadTargets(layout, environment)]),
    ...sharedTargets(layout, input.environments),
  ];
  const blocked = input.environments.flatMap((environment) => blockedFromNats(environment, input.graphs));
  return [...new Set([...repeated, ...unsupported, ...blocked, ...targeted, ...secrets])];
}

import { listAt, objectAt, objectsAt, stringAt, stringMapAt, type Json, type JsonObject } from '../json/index.ts';
import type { RenderedObject } from '../render/index.ts';
import { quantityValue } from './quantity-value.ts';

/** Amounts by resource: cores, bytes, devices. */
export type Amounts = Readonly<Record<string, number>>;

/** One pod to be placed on a node. */
export interface PodDemand {
  /** The component it belongs to, as named in the graph. */
  readonly component: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  readonly requests: Amounts;
}

/** Pods that are scheduled together or not at all; a single pod is a gang of one. Replicas share their list of pods. */
export interface Gang {
  readonly component: string;
  readonly name: string;
  readonly pods: readonly PodDemand[];
}

function containerRequests(container: JsonObject): Amounts {
  const merged = { ...objectAt(container, 'resources', 'limits'), ...objectAt(container, 'resources', 'requests') };
  return amountsOf(merged);
}

function amountsOf(quantities: JsonObject): Amounts {
  return Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, quantityValue(value) ?? 0]));
}

function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, value] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

function largest(a: Amounts, b: Amounts): Amounts {
  return Object.fromEntries(Object.keys({ ...a, ...b }).map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
}

/**
 * The effective request of a pod, per resource: the larger of the sum over its containers and sidecars, and the highest request of an init container
 * plus the sidecars started before it. The pod's overhead is added.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podRequests(spec: JsonObject): Amounts {
  let sidecars: Amounts = {};
  let initial: Amounts = {};
  for (const container of objectsAt(spec, 'initContainers')) {
    const together = addAmounts(sidecars, containerRequests(container));
    if (container['restartPolicy'] === 'Always') sidecars = together;
    else initial = largest(initial, together);
  }
  const running = objectsAt(spec, 'containers').map(containerRequests).reduce(addAmounts, sidecars);
  return addAmounts(largest(running, initial), amountsOf(objectAt(spec, 'overhead')));
}

function pod(component: string, name: string, template: JsonObject): PodDemand {
  const spec = objectAt(template, 'spec');
  return {
    component,
    name,
    labels: stringMapAt(template, 'metadata', 'labels'),
    spec,
    requests: { ...podRequests(spec), pods: 1 },
  };
}

/** The number of replicas; the API server defaults it to 1. */
function count(value: Json | undefined): number {
  return typeof value === 'number' ? value : 1;
}

/** Replicas of a gang, not yet written out. */
interface ReplicatedGang {
  readonly component: string;
  readonly name: (replica: number) => string;
  readonly replicas: number;
  readonly members: readonly { readonly demand: PodDemand; readonly count: number }[];
}

function times<T>(number: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: number }, (_, index) => make(index));
}

function deployment(component: string, { metadata, ...object }: RenderedObject['object']): ReplicatedGang {
  const spec = objectAt(object['spec']);
  return {
    component,
    name: (replica) => `${metadata.name} ${replica}`,
    replicas: count(spec['replicas']),
    members: [{ demand: pod(component, metadata.name, objectAt(spec, 'template')), count: 1 }],
  };
}

function leaderWorkerSet(component: string, { metadata, ...object }: RenderedObject['object']): ReplicatedGang {
  const spec = objectAt(object['spec']);
  const template = objectAt(spec, 'leaderWorkerTemplate');
  return {
    component,
    name: () => metadata.name,
    replicas: count(spec['replicas']),
    members: [
      { demand: pod(component, metadata.name, objectAt(template, 'leaderTemplate')), count: 1 },
      { demand: pod(component, metadata.name, objectAt(template, 'workerTemplate')), count: count(template['size']) - 1 },
    ],
  };
}

function podCliqueSet({ object }: RenderedObject): readonly ReplicatedGang[] {
  const template = objectAt(object['spec'], 'template');
  const cliques = objectsAt(template, 'cliques').map((clique) => {
    const [name, component] = [stringAt(clique, 'name'), stringAt(clique, 'labels', 'nvidia.com/dynamo-component')];
    const demand = pod(component, name, {
      metadata: { labels: objectAt(clique, 'labels') },
      spec: objectAt(clique, 'spec', 'podSpec'),
    });
    return { name, demand, count: count(objectAt(clique, 'spec')['replicas']) };
  });
  const groups = objectsAt(template, 'podCliqueScalingGroups');
  const grouped = groups.map((group) => {
    const names = listAt(group, 'cliqueNames');
    const members = cliques.filter((clique) => names.includes(clique.name));
    return {
      component: members[0]?.demand.component ?? '',
      name: (replica: number) => `${stringAt(group, 'name')} ${replica}`,
      replicas: count(group['replicas']),
      members,
    };
  });
  const inGroup = new Set(groups.flatMap((group) => listAt(group, 'cliqueNames')));
  const alone = cliques
    .filter((clique) => !inGroup.has(clique.name))
    .map(({ name, demand, count: replicas }) => ({
      component: demand.component,
      name: (replica: number) => `${name} ${replica}`,
      replicas,
      members: [{ demand, count: 1 }],
    }));
  return [...grouped, ...alone];
}

function replicatedGangs(rendered: readonly RenderedObject[]): readonly ReplicatedGang[] {
  return rendered.flatMap((child) => {
    const component = String(child.origin.at(-1) ?? child.object.metadata.name);
    const named = component === 'spec' ? child.object.metadata.name : component;
    switch (child.object.kind) {
      case 'Deployment':
        return [deployment(named, child.object)];
      case 'LeaderWorkerSet':
        return [leaderWorkerSet(named, child.object)];
      case 'PodCliqueSet':
        return podCliqueSet(child);
      default:
        return [];
    }
  });
}

/** How many pods each component of rendered workloads has. Takes the same time for any number of pods. */
export function podCounts(rendered: readonly RenderedObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { component, replicas, members } of replicatedGangs(rendered))
    counts.set(component, (counts.get(component) ?? 0) + replicas * members.reduce((sum, member) => sum + member.count, 0));
  return counts;
}

/** The pods of rendered workloads, grouped into gangs. */
export function demandOf(rendered: readonly RenderedObject[]): readonly Gang[] {
  return replicatedGangs(rendered).flatMap(({ component, name, replicas, members }) => {
    const pods = members.flatMap((member) => times(member.count, () => member.demand));
    return times(replicas, (replica) => ({ component, name: name(replica), pods }));
  });
}

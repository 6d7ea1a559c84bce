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

/** Pods that are scheduled together or not at all; a single pod is a gang of one. */
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

function times<T>(number: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: number }, (_, index) => make(index));
}

function deployment(component: string, { metadata, ...object }: RenderedObject['object']): readonly Gang[] {
  const spec = objectAt(object['spec']);
  return times(count(spec['replicas']), (i) => ({
    component,
    name: `${metadata.name} ${i}`,
    pods: [pod(component, metadata.name, objectAt(spec, 'template'))],
  }));
}

function leaderWorkerSet(component: string, { metadata, ...object }: RenderedObject['object']): readonly Gang[] {
  const spec = objectAt(object['spec']);
  const template = objectAt(spec, 'leaderWorkerTemplate');
  const workers = times(count(template['size']) - 1, () => pod(component, metadata.name, objectAt(template, 'workerTemplate')));
  return times(count(spec['replicas']), () => ({
    component,
    name: metadata.name,
    pods: [pod(component, metadata.name, objectAt(template, 'leaderTemplate')), ...workers],
  }));
}

function podCliqueSet({ object }: RenderedObject): readonly Gang[] {
  const template = objectAt(object['spec'], 'template');
  const cliques = objectsAt(template, 'cliques').map((clique) => {
    const component = stringAt(clique, 'labels', 'nvidia.com/dynamo-component');
    const demand = pod(component, stringAt(clique, 'name'), {
      metadata: { labels: objectAt(clique, 'labels') },
      spec: objectAt(clique, 'spec', 'podSpec'),
    });
    return { name: stringAt(clique, 'name'), component, pods: times(count(objectAt(clique, 'spec')['replicas']), () => demand) };
  });
  const groups = objectsAt(template, 'podCliqueScalingGroups');
  const grouped = groups.flatMap((group) => {
    const names = listAt(group, 'cliqueNames');
    const members = cliques.filter((clique) => names.includes(clique.name));
    return times(count(group['replicas']), (i) => ({
      component: members[0]?.component ?? '',
      name: `${stringAt(group, 'name')} ${i}`,
      pods: members.flatMap((m) => m.pods),
    }));
  });
  const inGroup = new Set(groups.flatMap((group) => listAt(group, 'cliqueNames')));
  const alone = cliques
    .filter((clique) => !inGroup.has(clique.name))
    .flatMap((clique) =>
      clique.pods.map((one, i) => ({ component: clique.component, name: `${clique.name} ${i}`, pods: [one] })),
    );
  return [...grouped, ...alone];
}

/** The pods of rendered workloads, grouped into gangs. */
export function demandOf(rendered: readonly RenderedObject[]): readonly Gang[] {
  return rendered.flatMap((child) => {
    const component = String(child.origin.at(-1) ?? child.object.metadata.name);
    const named = component === 'spec' ? child.object.metadata.name : component;
    switch (child.object.kind) {
      case 'Deployment':
        return deployment(named, child.object);
      case 'LeaderWorkerSet':
        return leaderWorkerSet(named, child.object);
      case 'PodCliqueSet':
        return podCliqueSet(child);
      default:
        return [];
    }
  });
}

import { append, isObject, listAt, sortedKeys, valueAt, type Json, type JsonObject } from '../json/index.ts';
import { gpusOf, podRequests } from '../fit/index.ts';
import type { RenderedObject, RenderableResource } from '../render/index.ts';
import { drawTree, type Branch } from '../status/index.ts';
import { count } from './report/index.ts';

/** The replicas, nodes and GPUs of one component. */
interface Demand {
  readonly name: string;
  readonly replicas: number;
  /** Nodes of one replica. */
  readonly nodes: number;
  /** GPUs of one replica. */
  readonly gpus: number;
}

/** A resource, the objects rendered from it, and those of them to draw. */
interface TreeInput {
  readonly resource: RenderableResource;
  readonly objects: readonly RenderedObject[];
  readonly shown: readonly RenderedObject[];
}

/** Draws each resource and its rendered objects as a tree, followed by the totals of all components. */
export function renderTree(renderings: readonly TreeInput[]): string {
  const demands: Demand[] = [];
  const trees = renderings.map(({ resource, objects, shown }) => {
    const own = demandsOf(resource, objects);
    append(demands, own.values());
    return drawTree(rootOf(resource, shown, own));
  });
  return `${trees.join('\n')}\n${total(demands)}\n`;
}

function rootOf(resource: RenderableResource, objects: readonly RenderedObject[], demands: ReadonlyMap<string, Demand>): Branch {
  const { name = '', namespace = '' } = resource.metadata;
  const drawn = new Set(objects.map(({ object }) => `${object.kind}/${object.metadata.name}`));
  const children = objects.filter(({ owner }) => owner === undefined || !drawn.has(`${owner.kind}/${owner.name}`));
  const single = resource.kind === 'DynamoComponentDeployment' ? demands.get('') : undefined;
  return {
    line: [`${resource.kind}/${name} in ${namespace}${single === undefined ? '' : `  ${describe(single)}`}`],
    children: children.map((child) => branchOf(child, objects, demands)),
  };
}

function branchOf(
  { object, origin }: RenderedObject,
  objects: readonly RenderedObject[],
  demands: ReadonlyMap<string, Demand>,
): Branch {
  const { kind, metadata } = object;
  const title = `${kind}/${metadata.name}`;
  if (kind === 'PodCliqueSet') {
    const services = [...demands].map(([service, demand]) => ({ line: [`${service}  ${describe(demand)}`], children: [] }));
    return { line: [title], children: services };
  }
  if (kind !== 'DynamoComponentDeployment') return { line: [title], children: [] };
  const own = objects.filter(({ owner }) => owner?.kind === kind && owner.name === metadata.name);
  const demand = demands.get(String(origin.at(-1)));
  return {
    line: [demand === undefined ? title : `${title}  ${describe(demand)}`],
    children: own.map((child) => branchOf(child, objects, demands)),
  };
}

function describe({ replicas, nodes, gpus }: Demand): string {
  const size = nodes > 1 ? ` of ${nodes} nodes` : '';
  return `${count(replicas, 'replica')}${size}, ${count(replicas * gpus, 'GPU')}, ${count(replicas * nodes, 'node')}`;
}

function total(demands: readonly Demand[]): string {
  const sum = (of: (demand: Demand) => number): number => demands.reduce((all, demand) => all + of(demand), 0);
  const replicas = count(
    sum((d) => d.replicas),
    'replica',
  );
  const gpus = count(
    sum((d) => d.replicas * d.gpus),
    'GPU',
  );
  const nodes = count(
    sum((d) => d.replicas * d.nodes),
    'node',
  );
  return `total: ${count(demands.length, 'component')}, ${replicas}, ${gpus}, up to ${nodes}`;
}

/** The demand of each service, by name; a standalone DynamoComponentDeployment has the empty name. */
function demandsOf(resource: RenderableResource, objects: readonly RenderedObject[]): ReadonlyMap<string, Demand> {
  if (resource.kind === 'DynamoGraphDeploymentRequest') return new Map();
  const components: Readonly<Record<string, unknown>> =
    resource.kind === 'DynamoGraphDeployment' ? (resource.spec?.services ?? {}) : { '': resource.spec ?? {} };
  const pods = podsByService(objects);
  return new Map(
    sortedKeys(components).map((service) => {
      const component = components[service];
      const spec: JsonObject = isObject(component) ? component : {};
      const { multinode, replicas } = spec;
      const nodes = isObject(multinode) && typeof multinode['nodeCount'] === 'number' ? multinode['nodeCount'] : 1;
      const gpusOfRole = (role: string): number => podGpus(pods.get(`${service}/${role}`));
      const gpus = nodes > 1 ? gpusOfRole('leader') + (nodes - 1) * gpusOfRole('worker') : gpusOfRole('main');
      return [service, { name: service, replicas: typeof replicas === 'number' ? replicas : 1, nodes, gpus }];
    }),
  );
}

/** One pod spec for each role of each service, by `SERVICE/ROLE`. */
function podsByService(objects: readonly RenderedObject[]): ReadonlyMap<string, Json> {
  const pods = new Map<string, Json>();
  const add = (service: string, role: string, pod: Json | undefined): void => {
    if (pod !== undefined) pods.set(`${service}/${role}`, pod);
  };
  for (const { object, origin } of objects) {
    const service = origin.length > 2 ? String(origin[2]) : '';
    if (object.kind === 'Deployment' && !pods.has(`${service}/main`)) {
      const pod = valueAt(object, 'spec', 'template', 'spec');
      for (const role of ['main', 'leader', 'worker']) add(service, role, pod);
    }
    if (object.kind === 'LeaderWorkerSet')
      for (const role of ['leader', 'worker'])
        add(service, role, valueAt(object, 'spec', 'leaderWorkerTemplate', `${role}Template`, 'spec'));
    if (object.kind === 'PodCliqueSet')
      for (const clique of listAt(object, 'spec', 'template', 'cliques')) addClique(clique, add);
  }
  return pods;
}

function addClique(clique: Json, add: (service: string, role: string, pod: Json | undefined) => void): void {
  const service = valueAt(clique, 'labels', 'nvidia.com/dynamo-component');
  const name = valueAt(clique, 'name');
  const suffix = typeof name === 'string' && typeof service === 'string' ? name.slice(service.length) : '';
  const role = suffix === '-ldr' ? 'leader' : suffix === '-wkr' ? 'worker' : 'main';
  if (typeof service === 'string') add(service, role, valueAt(clique, 'spec', 'podSpec'));
}

function podGpus(pod: Json | undefined): number {
  return isObject(pod) ? gpusOf(podRequests(pod)) : 0;
}

import type { DynamoComponentDeployment, DynamoGraphDeployment, KubernetesObject } from '../../api/index.ts';
import { append, stringAt, type JsonObject } from '../../json/index.ts';
import { annotation, runsOnGrove } from '../../render/index.ts';
import { inParallel, syncChild, type ChildSync, type Keeper } from '../child.ts';
import { clusterOf } from '../cluster.ts';
import { kinds } from '../kinds.ts';
import { controllerOf, keyOf } from '../metadata.ts';
import { isModelService, syncModelService } from '../model-service.ts';
import { ownershipOf } from '../ownership.ts';
import type { Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import type { Renderers } from '../renderers.ts';
import type { Snapshot } from '../snapshot.ts';

/** The children of a component, and the writes of this pass for them. */
interface ComponentChildren {
  readonly syncs: readonly ChildSync[];
  readonly steps: readonly Step[];
  /** Why some children cannot be reconciled, in the original's words. */
  readonly failure?: string;
}

interface Stage {
  readonly takes: (object: KubernetesObject, component: string) => boolean;
  readonly chain: (object: KubernetesObject) => string;
  /** Whether the first objects of the stage are written alone, so that a refusal is not repeated for the others. */
  readonly firstAlone?: boolean;
}

const workload = 'failed to reconcile the resources: ';
const deployment = `${workload}failed to create or update the deployment: `;
const isKind =
  (...names: readonly string[]): Stage['takes'] =>
  ({ kind }) =>
    names.includes(kind);

/** The children of a component in the original's order; a failure ends the pass before the next stage. */
const stages: readonly Stage[] = [
  {
    takes: ({ kind, metadata }, component) => kind === 'Deployment' && metadata.name === component,
    chain: () => `${deployment}create or update deployment: `,
  },
  { takes: isKind('Deployment'), chain: () => `${deployment}create or update debug deployment: ` },
  {
    takes: isKind('PodGroup', 'LeaderWorkerSet'),
    chain: ({ kind }) => `${workload}failed to sync the ${kind}: `,
    firstAlone: true,
  },
  {
    takes: (object) => object.kind === 'Service' && !isModelService(object),
    chain: () => 'failed to create or update the service: ',
  },
  { takes: isModelService, chain: (object) => `failed to sync headless service for model ${modelOf(object)}: ` },
  { takes: isKind('Ingress', 'VirtualService'), chain: () => 'failed to create or update the ingress: ' },
];

function modelOf({ metadata }: KubernetesObject): string {
  return metadata.annotations?.[annotation.baseModel] ?? '';
}

/** Compares the children of a component with the desired ones. */
export function componentChildren(snapshot: Snapshot, reader: Reader, render: Renderers): ComponentChildren {
  const resource = snapshot.resource as unknown as DynamoComponentDeployment;
  const rendering = render.component(resource, { config: snapshot.config, cluster: clusterOf(reader, snapshot) });
  const { name } = keyOf(snapshot.resource);
  const syncs: ChildSync[] = [];
  const steps: Step[] = [];
  const open = new Set(rendering.objects.map(({ object }) => object));
  for (const { takes, chain, firstAlone } of stages) {
    const taken = [...open].filter((object) => takes(object, name));
    const found = taken.map((object) => {
      open.delete(object);
      return syncOne(object, snapshot, reader, chain(object));
    });
    append(syncs, found);
    append(steps, firstAlone ? groupedReplicas(found) : inParallel(found));
    const problem = found.find((sync) => sync.problem !== undefined)?.problem;
    if (problem !== undefined) return { syncs, steps, failure: problem };
  }
  const [issue] = rendering.issues;
  return { syncs, steps, ...(issue && { failure: issue.chain }) };
}

function syncOne(object: KubernetesObject, snapshot: Snapshot, reader: Reader, chain: string): ChildSync {
  const { kind, apiVersion, metadata } = object;
  const keeper: Keeper = { parent: snapshot.resource, chain };
  const live: JsonObject | undefined = reader.get({ apiVersion, kind }, metadata.namespace ?? '', metadata.name);
  if (isModelService(object)) return syncModelService(object, live, keeper);
  if (live !== undefined && isKeptByGraph(live, snapshot, reader)) return { desired: object, live, state: 'held', steps: [] };
  return syncChild(object, live, keeper);
}

/** Whether a graph that has moved to Grove took a child over: it deletes its components next, and the child must not be deleted with them. */
function isKeptByGraph(live: JsonObject, snapshot: Snapshot, reader: Reader): boolean {
  const { resource, config } = snapshot;
  if (ownershipOf(live, resource, new Set()) !== 'parents') return false;
  const graph = reader.get(kinds.graph, keyOf(resource).namespace, stringAt(controllerOf(resource), 'name'));
  if (graph === undefined) return false;
  return runsOnGrove(graph as unknown as DynamoGraphDeployment, { config, cluster: clusterOf(reader, snapshot) });
}

/** The writes of the replicas: each PodGroup before its LeaderWorkerSet, and the first pair before all others. */
function groupedReplicas(syncs: readonly ChildSync[]): readonly Step[] {
  const groups = syncs.filter(({ desired }) => desired.kind === kinds.podGroup.kind);
  const sets = syncs.filter(({ desired }) => desired.kind === kinds.leaderWorkerSet.kind);
  return [groups.slice(0, 1), sets.slice(0, 1), groups.slice(1), sets.slice(1)].flatMap(inParallel);
}

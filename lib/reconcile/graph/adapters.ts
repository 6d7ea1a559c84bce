import { findNumber, isEqual, objectAt, sortedKeys, stringAt, type JsonObject } from '../../json/index.ts';
import type { DynamoGraphDeployment, KubernetesObject } from '../../api/index.ts';
import { annotation, serviceObjectName } from '../../render/index.ts';
import { deletion, inParallel, syncChild, updateChild, type ChildSync } from '../child.ts';
import { liveOf, renderedOf, type GraphPass, type StagePlan } from './graph-pass.ts';
import { kinds } from '../kinds.ts';
import { annotationsOf, generationOf, isDeleting, keyOf, metadataPatch, uidOf } from '../metadata.ts';
import { controls, ownershipOf } from '../ownership.ts';
import type { PlannedWrite } from '../plan.ts';
import type { Reader } from '../reader.ts';

const chain = 'failed to reconcile scaling adapters: ';

/** Replicas the live adapters of a graph ask for, by service. */
export function adapterReplicas(
  graph: DynamoGraphDeployment,
  resource: JsonObject,
  reader: Reader,
): Readonly<Record<string, number>> {
  const { name: graphName = '', namespace = '' } = graph.metadata;
  const services = graph.spec?.services ?? {};
  const wanted: Record<string, number> = {};
  for (const service of sortedKeys(services)) {
    if (services[service]?.scalingAdapter?.enabled !== true) continue;
    const live = reader.get(kinds.adapter, namespace, serviceObjectName(graphName, service));
    if (live === undefined || isDeleting(live) || !isAdapterOf(live, resource)) continue;
    const replicas = findNumber(live, 'spec', 'replicas');
    // Absent replicas mean one. Where the adapter wants what the graph has, the rendered objects stay byte for byte the same.
    if (replicas !== undefined && replicas !== (services[service]?.replicas ?? 1)) wanted[service] = replicas;
  }
  return wanted;
}

/** Whether the graph controls an adapter, or may adopt it since the adapter has no controller. */
function isAdapterOf(live: JsonObject, graph: JsonObject): boolean {
  return ['own', 'free'].includes(ownershipOf(live, graph, new Set()));
}

/** Creates the adapters that are enabled, and deletes those that are disabled or whose service was removed. */
export function adapterPlan(pass: GraphPass): StagePlan {
  const rendered = renderedOf(pass, kinds.adapter.kind);
  const syncs = rendered.map((desired) => syncAdapter(desired, liveOf(pass, desired), pass.resource));
  const wanted = new Set(rendered.map(({ metadata }) => metadata.name));
  const garbage = pass.reader
    .list(kinds.adapter, pass.namespace, { controllerUid: uidOf(pass.resource) })
    .filter((live) => controls(pass.resource, live) && !isDeleting(live) && !wanted.has(keyOf(live).name));
  const failure = syncs.find(({ problem }) => problem !== undefined)?.problem;
  const steps = [...inParallel(syncs), garbage.map((live) => removal(live, pass.graph))];
  return { steps, ...(failure !== undefined && { failure }) };
}

/**
 * The replicas of an existing adapter belong to the autoscaler, so only reference and labels are compared. The hash annotation is computed with the
 * live replicas: the original operator, should it take over, then sees no difference to revert.
 */
function syncAdapter(desired: KubernetesObject, live: JsonObject | undefined, parent: JsonObject): ChildSync {
  const keeper = { parent, chain };
  if (live === undefined || isDeleting(live)) return syncChild(desired, live, keeper);
  const reference = (object: JsonObject): JsonObject => objectAt(object, 'spec', 'dgdRef');
  const isOwn = ownershipOf(live, parent, new Set()) === 'own';
  if (!isOwn || !isEqual(reference(desired), reference(live))) return syncChild(desired, live, keeper);
  const hash = desired.metadata.annotations?.[annotation.hash] ?? '';
  const stamped = { [annotation.hash]: hash, [annotation.generation]: String(generationOf(live)) };
  if (annotationsOf(live)[annotation.hash] === hash) {
    // Without a generation annotation the child is not checked for manual edits. A scaling would count as one.
    const settled = { ...live, metadata: { ...objectAt(live, 'metadata'), generation: 0 } };
    return updateChild(desired, settled, keeper, false);
  }
  const writes = metadataPatch(live, { annotations: stamped });
  return { desired, live, state: 'same', steps: [writes.map((write) => ({ write, chain }))] };
}

function removal(live: JsonObject, graph: DynamoGraphDeployment): PlannedWrite {
  const service = stringAt(objectAt(live, 'spec', 'dgdRef'), 'serviceName');
  const planned = deletion(live, chain);
  if (Object.hasOwn(graph.spec?.services ?? {}, service)) return planned;
  const message = `Deleted orphaned scaling adapter ${keyOf(live).name} for removed service ${service}`;
  return { ...planned, told: { type: 'Normal', reason: 'AdapterDeleted', message } };
}

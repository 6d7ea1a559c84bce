import { findNumber, findObject, listAt, objectAt, sortedKeys, stringAt, type Json, type JsonObject } from '../../json/index.ts';
import type { DynamoGraphDeployment } from '../../api/index.ts';
import { annotation, label } from '../../render/index.ts';
import { inParallel, syncChild, updateChild, type ChildSync, type Keeper } from '../child.ts';
import { statusOf } from '../condition.ts';
import { acceptedSet, lastingFault } from './accepted-clique-set.ts';
import { workloadsChain } from './components.ts';
import { failureOf, liveOf, renderedOf, type GraphPass } from './graph-pass.ts';
import type { WorkloadsBefore, WorkloadsPlan } from './workloads.ts';
import { groveLabel, groveReplicas, groveUnready, type GroveKind } from './grove-readiness.ts';
import { kinds } from '../kinds.ts';
import { annotationsOf, generationOf, isDeleting, keyOf, labelsOf } from '../metadata.ts';
import { isModelService, syncModelService } from '../model-service.ts';
import { unlessLeftOver } from '../ownership.ts';
import type { PlannedWrite, Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import { advanceRestart } from './restart.ts';

/** A service as Grove runs it. */
interface GroveService {
  readonly service: string;
  readonly kind: GroveKind;
  readonly name: string;
  readonly live: JsonObject | undefined;
}

function groveServices({ metadata, spec }: DynamoGraphDeployment, reader: Reader): readonly GroveService[] {
  const services = spec?.services ?? {};
  return sortedKeys(services).map((service) => {
    const kind = (services[service]?.multinode?.nodeCount ?? 1) > 1 ? 'PodCliqueScalingGroup' : 'PodClique';
    const name = `${metadata.name ?? ''}-0-${service.toLowerCase()}`;
    const asked = kind === 'PodClique' ? kinds.podClique : kinds.podCliqueScalingGroup;
    return { service, kind, name, live: reader.get(asked, metadata.namespace ?? '', name) };
  });
}

/** The state of a graph's cliques before this pass writes anything. */
export function groveBefore(graph: DynamoGraphDeployment, resource: JsonObject, reader: Reader): WorkloadsBefore {
  const set = unlessLeftOver(reader.get(kinds.podCliqueSet, graph.metadata.namespace ?? '', graph.metadata.name ?? ''), resource);
  const tokens: Record<string, string> = {};
  for (const clique of cliquesOf(set)) {
    const service = stringAt(labelsOf({ metadata: clique }), label.component);
    const token = stringAt(clique, 'annotations', annotation.restartAt);
    if (service !== '' && token !== '') tokens[service] = token;
  }
  const found = groveServices(graph, reader);
  // Grove does not finish a roll-out while a service has no replicas, and so does not observe the new generation of the set.
  const neverSeesSpec = found.some(({ live }) => findNumber(live, 'spec', 'replicas') === 0);
  const restart = advanceRestart({
    restart: graph.spec?.restart,
    services: found.map(({ service }) => service),
    before: graph.status?.restart,
    isDone: (service) => {
      const one = found.find((other) => other.service === service);
      return (
        one !== undefined &&
        set !== undefined &&
        (hasSeenSpec(set) || (neverSeesSpec && carriesToken(one.live, graph.spec?.restart?.id))) &&
        followsSet(one.live, set) &&
        !groveUnready(one.kind, one.live)
      );
    },
    tokenOf: (service) => tokens[service],
  });
  return { restart, tokens };
}

function cliquesOf(set: JsonObject | undefined): readonly Json[] {
  return listAt(findObject(set, 'spec', 'template'), 'cliques');
}

function hasSeenSpec(set: JsonObject): boolean {
  const observed = findNumber(statusOf(set), 'observedGeneration');
  return observed !== undefined && observed >= generationOf(set);
}

/** Whether Grove has given the restart token of the set's template to a clique. */
function carriesToken(live: JsonObject | undefined, id: string | undefined): boolean {
  return live !== undefined && annotationsOf(live)[annotation.restartAt] === id;
}

/** Whether a clique runs the template that its set last rolled out, as far as both have a generation hash in their status. */
function followsSet(live: JsonObject | undefined, set: JsonObject): boolean {
  const own = stringAt(statusOf(live ?? {}), 'currentPodCliqueSetGenerationHash');
  const wanted = stringAt(statusOf(set), 'currentGenerationHash');
  return own === '' || wanted === '' || own === wanted;
}

/** Reconciles the PodCliqueSet of a graph, scales the cliques that Grove created from it, and exposes the services. */
export function grovePlan(pass: GraphPass, controlledUids: ReadonlySet<string>): WorkloadsPlan {
  const failure = failureOf(pass, workloadsChain);
  const [rendered] = renderedOf(pass, kinds.podCliqueSet.kind);
  if (failure !== undefined || rendered === undefined)
    return { steps: [], notReady: [], services: {}, ...(failure !== undefined && { failure }) };
  const chain = `${workloadsChain}failed to reconcile the Grove PodClique Set: failed to sync the Grove GangSet: `;
  const live = liveOf(pass, rendered);
  const set = syncChild(live === undefined ? rendered : acceptedSet(rendered, live), live, { parent: pass.resource, chain });
  const made = groveServices(pass.graph, pass.reader);
  // Grove deletes the cliques of a set together with the set.
  const found = set.state === 'going' ? made.map((one) => ({ ...one, live: undefined })) : made;
  const scalings = found.flatMap((one) => scaling(one, pass));
  const fault = set.state === 'respecified' ? lastingFault(rendered) : undefined;
  // Cliques can still be scaled: they run the template that Grove has, and scaling does not change it.
  if (fault !== undefined) return { steps: [scalings], notReady: [], services: {}, failure: `${chain}${fault}` };
  const reasons = unreadyReasons(set, found, scalings);
  const exposure = exposureSyncs(pass, controlledUids, reasons.length === 0);
  const problem = [set, ...exposure].find((sync) => sync.problem !== undefined)?.problem;
  return {
    steps: set.problem === undefined ? [...inParallel([set]), scalings, ...inParallel(exposure)] : [],
    ...(problem !== undefined && { failure: problem }),
    notReady: reasons.length === 0 ? [] : [{ name: pass.name, reason: reasons.join('; ') }],
    services: Object.fromEntries(found.map(({ service, kind, name, live: one }) => [service, groveReplicas(kind, name, one)])),
  };
}

const plurals = { PodClique: 'podcliques', PodCliqueScalingGroup: 'podcliquescalinggroups' } as const;

/** Grove reads replicas from the template only when it creates a clique; later ones go through `/scale`. Cliques that do not exist yet wait for a later pass. */
function scaling({ service, kind, name, live }: GroveService, pass: GraphPass): readonly PlannedWrite[] {
  const wanted = findNumber(pass.adapterReplicas, service) ?? pass.graph.spec?.services?.[service]?.replicas;
  if (live === undefined || wanted === undefined || isDeleting(live)) return [];
  if (findNumber(live, 'spec', 'replicas') === wanted) return [];
  const resourceVersion = stringAt(live['metadata'], 'resourceVersion');
  const chain = `${workloadsChain}failed to reconcile Grove scaling: failed to scale ${kind} ${name}: failed to update scale for ${plurals[kind]} ${name}: `;
  return [{ write: { verb: 'scale', target: keyOf(live), resourceVersion, replicas: wanted }, chain }];
}

/** Why the graph is not ready after this pass. A clique that was just scaled has a generation that Grove has not observed yet. */
function unreadyReasons(set: ChildSync, found: readonly GroveService[], scalings: Step): readonly string[] {
  const scaled = new Set(scalings.map(({ write }) => `${write.target.kind}/${write.target.name}`));
  const reasons = found.flatMap(({ kind, name, live }) => {
    const raised =
      live !== undefined && scaled.has(`${kind}/${name}`)
        ? { ...live, metadata: { ...objectAt(live, 'metadata'), generation: generationOf(live) + 1 } }
        : live;
    const reason = groveUnready(kind, raised);
    return reason === undefined ? [] : [`${groveLabel(kind, name)}: ${reason}`];
  });
  if (reasons.length > 0 || set.live === undefined) return reasons;
  const observed = findNumber(statusOf(set.live), 'observedGeneration');
  const generation = generationOf(set.live) + (set.state === 'respecified' ? 1 : 0);
  return observed === undefined || observed >= generation || isRollingOut(set, found)
    ? []
    : [`spec not yet processed: generation=${generation}, observedGeneration=${observed}`];
}

/**
 * Whether Grove has begun to roll a changed set out and has reached every service. It observes the new generation only when a roll-out has ended,
 * and one of a service with no replicas never ends.
 */
function isRollingOut({ live, state }: ChildSync, found: readonly GroveService[]): boolean {
  const progress = findObject(live, 'status', 'rollingUpdateProgress');
  if (live === undefined || state === 'respecified' || progress === undefined || progress['updateEndedAt'] !== undefined)
    return false;
  return found.every((one) => followsSet(one.live, live));
}

const exposureNames: Readonly<Record<string, string>> = {
  Service: 'service',
  Ingress: 'ingress',
  VirtualService: 'virtual service',
};

/** Services, Ingresses and VirtualServices. Those that components of the graph still control are taken over once the cliques are ready. */
function exposureSyncs(pass: GraphPass, controlledUids: ReadonlySet<string>, ready: boolean): readonly ChildSync[] {
  return renderedOf(pass, ...Object.keys(exposureNames)).map((object) => {
    const live = liveOf(pass, object);
    if (isModelService(object)) {
      const model = object.metadata.annotations?.[annotation.baseModel] ?? '';
      const chain = `${workloadsChain}failed to reconcile model services: failed to sync headless service for model ${model}: `;
      return syncModelService(object, live, { parent: pass.resource, chain });
    }
    const chain = `${workloadsChain}failed to sync the main component ${exposureNames[object.kind]}: `;
    const keeper: Keeper = { parent: pass.resource, chain, controlledUids };
    const sync = syncChild(object, live, keeper);
    return sync.state === 'held' && ready && live !== undefined ? updateChild(object, live, keeper, true) : sync;
  });
}

import { gpusOf, podRequests } from '../fit/index.ts';
import {
  byteOrder,
  findNumber,
  findObject,
  findString,
  objectsAt,
  sortedKeys,
  stringAt,
  type JsonObject,
} from '../json/index.ts';
import { label } from '../render/index.ts';
import { restartsOf, stuckReason, type StuckReason } from './stuck-pod.ts';

/** The objects of one graph, as read from a cluster. */
export interface GraphObjects {
  readonly graph: JsonObject;
  /** Component resources the graph controls. */
  readonly components: readonly JsonObject[];
  /** Pods with the graph's label. */
  readonly pods: readonly JsonObject[];
  /** Events of its namespace. */
  readonly events: readonly JsonObject[];
}

/** A condition, as stored. */
interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** One pod. */
export interface PodView {
  readonly name: string;
  readonly node: string;
  readonly phase: string;
  readonly ready: boolean;
  readonly restarts: number;
  readonly gpus: number;
  readonly stuck?: StuckReason;
}

/** One service of the graph. */
export interface LiveComponentView {
  readonly name: string;
  readonly type: string;
  /** The kind of its workload, such as `Deployment`; empty before one exists. */
  readonly kind: string;
  readonly objectName: string;
  readonly desired: number;
  readonly ready: number;
  readonly updated: number;
  readonly isReady: boolean;
  readonly restart?: 'done' | 'in progress' | 'waiting';
  readonly conditions: readonly ConditionView[];
  readonly pods: readonly PodView[];
}

/** An event about an object of the graph. */
export interface EventView {
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly object: string;
  readonly message: string;
  readonly count: number;
}

/** A graph with its components, pods, conditions and events, ready to be shown. */
export interface LiveGraphView {
  readonly apiVersion: 'dynamo-cdk8s/v1';
  readonly kind: 'GraphStatus';
  readonly namespace: string;
  readonly name: string;
  readonly isReady: boolean;
  readonly state: string;
  readonly message: string;
  readonly restart?: { readonly id: string; readonly phase: string; readonly inProgress: readonly string[] };
  readonly components: readonly LiveComponentView[];
  readonly events: readonly EventView[];
}

const eventsShown = 5;

/** Builds the view of a graph from its objects. */
export function viewLiveGraph({ graph, components, pods, events }: GraphObjects): LiveGraphView {
  const status = findObject(graph, 'status') ?? {};
  const restart = findObject(status, 'restart');
  const ready = conditionsOf(status).find(({ type }) => type === 'Ready');
  const state = stringAt(status, 'state') || 'unknown';
  const services = findObject(graph, 'spec', 'services') ?? {};
  const requestedRestart = stringAt(graph, 'spec', 'restart', 'id');
  // Until the operator observes the request, the status describes the state before it.
  const isRestartDue = requestedRestart !== '' && requestedRestart !== stringAt(restart, 'observedID');
  const isSuccessful = state === 'successful' && ready?.status === 'True';
  return {
    apiVersion: 'dynamo-cdk8s/v1',
    kind: 'GraphStatus',
    namespace: stringAt(graph, 'metadata', 'namespace'),
    name: stringAt(graph, 'metadata', 'name'),
    isReady: isSuccessful && !isRestartDue,
    state,
    message:
      isSuccessful && isRestartDue
        ? `restart ${requestedRestart} has not started yet`
        : (ready?.message ?? 'no operator has reconciled this graph yet'),
    ...(restart && {
      restart: {
        id: stringAt(restart, 'observedID'),
        phase: stringAt(restart, 'phase'),
        inProgress: stringsAt(restart, 'inProgress'),
      },
    }),
    components: sortedKeys(services).map((service) => viewLiveComponent(service, graph, components, pods)),
    events: viewEvents(events, [graph, ...components, ...pods]),
  };
}

function viewLiveComponent(
  service: string,
  graph: JsonObject,
  components: readonly JsonObject[],
  pods: readonly JsonObject[],
): LiveComponentView {
  const spec = findObject(graph, 'spec', 'services', service);
  const counts = findObject(graph, 'status', 'services', service);
  const resource = components.find((component) => stringAt(component, 'spec', 'serviceName') === service);
  const desired = findNumber(spec, 'replicas') ?? 1;
  const ready = findNumber(counts, 'readyReplicas') ?? findNumber(counts, 'availableReplicas') ?? 0;
  const updated = findNumber(counts, 'updatedReplicas') ?? 0;
  const restart = restartOf(service, graph);
  return {
    name: service,
    type: stringAt(spec, 'componentType'),
    kind: stringAt(counts, 'componentKind'),
    objectName: stringAt(counts, 'componentName'),
    desired,
    ready,
    updated,
    isReady: counts !== undefined && ready >= desired && updated >= desired,
    ...(restart && { restart }),
    conditions: conditionsOf(findObject(resource, 'status')),
    pods: pods
      .filter((pod) => stringAt(pod, 'metadata', 'labels', label.component) === service)
      .map(viewPod)
      .toSorted((a, b) => byteOrder(a.name, b.name)),
  };
}

/** The progress of a restart for one service; a sequential restart goes through the services in the given order, or by name. */
function restartOf(service: string, graph: JsonObject): LiveComponentView['restart'] {
  const restart = findObject(graph, 'status', 'restart');
  if (stringAt(restart, 'phase') !== 'Restarting') return undefined;
  const inProgress = stringsAt(restart, 'inProgress');
  if (inProgress.includes(service)) return 'in progress';
  const strategy = findObject(graph, 'spec', 'restart', 'strategy');
  if (stringAt(strategy, 'type') === 'Parallel') return 'done';
  const given = stringsAt(strategy, 'order');
  const order = given.length > 0 ? given : sortedKeys(findObject(graph, 'spec', 'services') ?? {});
  return order.indexOf(service) < Math.max(...inProgress.map((name) => order.indexOf(name))) ? 'done' : 'waiting';
}

function viewPod(pod: JsonObject): PodView {
  const stuck = stuckReason(pod);
  const isReady = objectsAt(pod, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Ready' && stringAt(condition, 'status') === 'True',
  );
  const isTerminating = findString(pod, 'metadata', 'deletionTimestamp') !== undefined;
  return {
    name: stringAt(pod, 'metadata', 'name'),
    node: stringAt(pod, 'spec', 'nodeName'),
    phase: isTerminating ? 'Terminating' : stringAt(pod, 'status', 'phase') || 'Pending',
    ready: isReady,
    restarts: restartsOf(pod),
    gpus: gpusOf(podRequests(findObject(pod, 'spec') ?? {})),
    ...(stuck && { stuck }),
  };
}

function viewEvents(events: readonly JsonObject[], objects: readonly JsonObject[]): readonly EventView[] {
  const uids = new Set(objects.map((object) => stringAt(object, 'metadata', 'uid')));
  return events
    .filter((event) => uids.has(stringAt(event, 'involvedObject', 'uid')) && !isRoutineEvent(event))
    .map((event) => ({
      time: stringAt(event, 'lastTimestamp') || stringAt(event, 'eventTime') || stringAt(event, 'metadata', 'creationTimestamp'),
      type: stringAt(event, 'type'),
      reason: stringAt(event, 'reason'),
      object: `${stringAt(event, 'involvedObject', 'kind')}/${stringAt(event, 'involvedObject', 'name')}`,
      message: stringAt(event, 'message'),
      count: findNumber(event, 'count') ?? 1,
    }))
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
    .slice(0, eventsShown);
}

/** Normal events of pods, such as `Scheduled` and `Pulled`; they would push the others out of the few that are shown. */
function isRoutineEvent(event: JsonObject): boolean {
  return stringAt(event, 'involvedObject', 'kind') === 'Pod' && stringAt(event, 'type') === 'Normal';
}

function conditionsOf(status: JsonObject | undefined): readonly ConditionView[] {
  return objectsAt(status, 'conditions').map((condition) => ({
    type: stringAt(condition, 'type'),
    status: stringAt(condition, 'status'),
    reason: stringAt(condition, 'reason'),
    message: stringAt(condition, 'message'),
  }));
}

function stringsAt(value: JsonObject | undefined, key: string): readonly string[] {
  const found = value?.[key];
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : [];
}

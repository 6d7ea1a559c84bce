import { isObject, listAt, objectAt, sortedKeys, stringAt, type JsonObject } from '../../lib/json/index.ts';
import type { Lookup } from '../../lib/reconcile/index.ts';
import { platformStore, resourceKey } from './cluster.ts';
import { childrenOf, type Mode, type Progress } from './restart-children.ts';
import { decide, execute, pass, type PassOptions, type PassResult } from './shell.ts';
import { versionOf, type Store } from './store.ts';

const graphKey = resourceKey('Deployment', 'g');

/** A service to begin with, and how many nodes it spans. */
export interface StartingService {
  readonly name: string;
  readonly nodes: number;
}

/** What can happen to a graph while it restarts, besides passes over it. */
export type Action =
  | { readonly action: 'relay' }
  | { readonly action: 'observe'; readonly service: string }
  | { readonly action: 'available'; readonly service: string }
  | { readonly action: 'unavailable'; readonly service: string }
  | GraphEdit;

/** What a user changes in the graph. */
type GraphEdit =
  | { readonly action: 'request'; readonly restart: JsonObject | undefined }
  | { readonly action: 'env'; readonly value: string }
  | { readonly action: 'replicas'; readonly service: string; readonly replicas: number }
  | { readonly action: 'add'; readonly service: string }
  | { readonly action: 'remove'; readonly service: string };

function serviceSpec({ name, nodes }: StartingService): JsonObject {
  const mainContainer = { image: 'i', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] };
  return {
    componentType: name === 'Frontend' ? 'frontend' : 'worker',
    replicas: 1,
    ...(nodes > 1 && { multinode: { nodeCount: nodes }, resources: { limits: { gpu: '1' } } }),
    extraPodSpec: { mainContainer },
  };
}

/** A graph whose services are ready and that nobody has asked to restart. */
export function quietGraph(mode: Mode, services: readonly StartingService[]): Store {
  const store = platformStore();
  store.create({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'demo' },
    spec: { services: Object.fromEntries(services.map((service) => [service.name, serviceSpec(service)])) },
  });
  while (goOn(store, mode));
  return store;
}

const expected: Record<Mode, readonly Lookup[]> = { component: [], grove: [] };

/** One pass of the operator over the graph. */
export function passOver(store: Store, mode: Mode, options: PassOptions = {}): PassResult {
  const { apiGroups } = childrenOf[mode];
  const result = pass(store, graphKey, { expected: expected[mode], apiGroups, ...options });
  store.collect();
  expected[mode] = [...result.read.keys()];
  return result;
}

/** What the operator would do now. */
export function decisionOn(store: Store, mode: Mode): ReturnType<typeof decide> {
  return decide(store, graphKey, { expected: expected[mode], apiGroups: childrenOf[mode].apiGroups });
}

/** The clusters a pass may leave: carried out, or dead after any of its writes. */
export function passOutcomes(store: Store, mode: Mode): readonly { readonly writes: number; readonly store: Store }[] {
  const writes = decisionOn(store, mode).steps.flat();
  return writes.map((_write, last) => {
    const outcome = store.copy();
    for (const write of writes.slice(0, last + 1)) execute(outcome, write, versionOf(outcome.get(graphKey) ?? {}));
    return { writes: last + 1, store: outcome };
  });
}

/** The services a graph has now. */
export function servicesOf(store: Store): readonly string[] {
  return sortedKeys(objectAt(store.get(graphKey), 'spec', 'services'));
}

/** Lets something happen; whether it could happen. */
export function act(store: Store, mode: Mode, step: Action): boolean {
  const children = childrenOf[mode];
  if (step.action === 'relay') return children.relay(store);
  if (step.action === 'observe') return children.observe(store, step.service);
  if (step.action === 'available') return children.turn(store, step.service, true);
  if (step.action === 'unavailable') return children.turn(store, step.service, false);
  const before = store.get(graphKey) ?? {};
  return store.update(graphKey, (graph) => ({ ...graph, spec: editedSpec(objectAt(graph, 'spec'), step) })) !== before;
}

function editedSpec(spec: JsonObject, edit: GraphEdit): JsonObject {
  const services = objectAt(spec, 'services');
  if (edit.action === 'env') return { ...spec, envs: [{ name: 'A', value: edit.value }] };
  if (edit.action === 'request') {
    const { restart: _before, ...rest } = spec;
    return edit.restart === undefined ? rest : { ...rest, restart: edit.restart };
  }
  const { [edit.service]: found, ...others } = services;
  if (edit.action === 'add')
    return { ...spec, services: { ...services, [edit.service]: found ?? serviceSpec({ name: edit.service, nodes: 1 }) } };
  if (!isObject(found) || (edit.action === 'remove' && Object.keys(others).length === 0)) return spec;
  if (edit.action === 'remove') return { ...spec, services: others };
  return { ...spec, services: { ...services, [edit.service]: { ...found, replicas: edit.replicas } } };
}

/** Lets every service take up what was asked of it and become available; whether anything happened. */
export function becomeReady(store: Store, mode: Mode): boolean {
  const relayed = act(store, mode, { action: 'relay' });
  const happened = servicesOf(store).flatMap((service) => [
    act(store, mode, { action: 'observe', service }),
    act(store, mode, { action: 'available', service }),
  ]);
  return relayed || happened.includes(true);
}

/** An operator that is left alone, and services that become ready; whether anything happened. */
export function goOn(store: Store, mode: Mode): boolean {
  const moved = becomeReady(store, mode);
  return passOver(store, mode).writes.length > 0 || moved;
}

/** Where a restart stands, seen from outside. */
export interface View {
  readonly id: string;
  readonly type: string;
  readonly phase: string;
  readonly observedID: string;
  readonly inProgress: readonly string[];
  /** The services that are there. */
  readonly services: Readonly<Record<string, Progress>>;
}

/** What can be seen of a restart. */
export function view(store: Store, mode: Mode): View {
  const graph = store.get(graphKey);
  return {
    id: stringAt(graph, 'spec', 'restart', 'id'),
    type: stringAt(graph, 'spec', 'restart', 'strategy', 'type'),
    phase: stringAt(graph, 'status', 'restart', 'phase'),
    observedID: stringAt(graph, 'status', 'restart', 'observedID'),
    inProgress: listAt(graph, 'status', 'restart', 'inProgress').flatMap((name) => (typeof name === 'string' ? [name] : [])),
    services: Object.fromEntries(
      servicesOf(store).flatMap((service) => {
        const progress = childrenOf[mode].progress(store, service);
        return progress === undefined ? [] : [[service, progress]];
      }),
    ),
  };
}

/** Whether the graph has been edited. */
export function isEdited(store: Store): boolean {
  return listAt(store.get(graphKey), 'spec', 'envs').length > 0;
}

/** All that decides how a restart may go on, as text. */
export function stateKey(store: Store, mode: Mode): string {
  const state = stringAt(store.get(graphKey), 'status', 'state');
  return JSON.stringify([view(store, mode), isEdited(store), state, childrenOf[mode].detail(store, servicesOf(store))]);
}

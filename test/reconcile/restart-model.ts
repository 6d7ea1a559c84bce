import { listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import type { Lookup } from '../../lib/reconcile/index.ts';
import { platformStore, resourceKey, setStatus } from './cluster.ts';
import { decide, execute, pass, type PassResult } from './shell.ts';
import { generationOf, versionOf, type Store } from './store.ts';

/** The services of the graph that is restarted. */
export const services = ['Frontend', 'decode', 'prefill'] as const;

const graphKey = resourceKey('Deployment', 'g');
const componentKey = (service: string) => resourceKey('ComponentDeployment', `g-${service.toLowerCase()}`);

/** What can happen to a graph while it restarts. */
export type Action =
  | { readonly action: 'pass' }
  | { readonly action: 'observe' | 'available' | 'unavailable'; readonly service: string }
  | { readonly action: 'request'; readonly id: string }
  | { readonly action: 'edit' };

/** A graph whose components are ready and that nobody has asked to restart. */
export function quietGraph(type: 'Parallel' | 'Sequential'): Store {
  const store = platformStore();
  const worker = { componentType: 'worker', replicas: 1 };
  store.create({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'demo', annotations: { type } },
    spec: { services: { Frontend: { componentType: 'frontend', replicas: 1 }, decode: worker, prefill: worker } },
  });
  passOver(store);
  for (const service of services) act(store, { action: 'available', service });
  passOver(store);
  return store;
}

let expected: readonly Lookup[] = [];

function passOver(store: Store): PassResult {
  const result = pass(store, graphKey, { expected });
  expected = [...result.read.keys()];
  return result;
}

/** The clusters a pass may leave: carried out, or dead after any of its writes. */
export function passOutcomes(store: Store): readonly { readonly writes: number; readonly store: Store }[] {
  const writes = decide(store, graphKey, { expected }).steps.flat();
  return writes.map((_write, last) => {
    const outcome = store.copy();
    for (const write of writes.slice(0, last + 1)) execute(outcome, write, versionOf(outcome.get(graphKey) ?? {}));
    return { writes: last + 1, store: outcome };
  });
}

/** Lets something happen; whether it could happen. */
export function act(store: Store, step: Action): boolean {
  if (step.action === 'pass') return passOver(store).writes.length > 0;
  if (step.action === 'request' || step.action === 'edit') {
    const graph = store.get(graphKey) ?? {};
    const type = stringAt(graph, 'metadata', 'annotations', 'type');
    const change: JsonObject =
      step.action === 'edit' ? { envs: [{ name: 'A', value: 'b' }] } : { restart: { id: step.id, strategy: { type } } };
    store.update(graphKey, (live) => ({ ...live, spec: { ...objectAt(live, 'spec'), ...change } }));
    return true;
  }
  const live = store.get(componentKey(step.service));
  if (live === undefined) return false;
  const observedGeneration = generationOf(live);
  const status = step.action === 'available' ? 'True' : 'False';
  const before = stringAt(listAt(live, 'status', 'conditions')[0], 'status');
  const isBehind = valueAt(live, 'status', 'observedGeneration') !== observedGeneration;
  // A component first sees its new spec and is not available then; only later does it become so.
  if (step.action === 'observe' ? !isBehind : isBehind && before !== '') return false;
  return setStatus(store, live, { conditions: [{ type: 'Available', status }], observedGeneration });
}

/** Where a restart stands, seen from outside. */
export interface View {
  readonly id: string;
  readonly phase: string;
  readonly observedID: string;
  readonly inProgress: readonly string[];
  readonly tokens: readonly string[];
  /** Whether each service has seen its spec, and is available. */
  readonly done: readonly boolean[];
  readonly seen: readonly boolean[];
}

/** What can be seen of a restart. */
export function view(store: Store): View {
  const graph = store.get(graphKey);
  const components = services.map((service) => store.get(componentKey(service)) ?? {});
  const seen = components.map((one) => valueAt(one, 'status', 'observedGeneration') === generationOf(one));
  return {
    id: stringAt(graph, 'spec', 'restart', 'id'),
    phase: stringAt(graph, 'status', 'restart', 'phase'),
    observedID: stringAt(graph, 'status', 'restart', 'observedID'),
    inProgress: listAt(graph, 'status', 'restart', 'inProgress').flatMap((name) => (typeof name === 'string' ? [name] : [])),
    tokens: components.map((one) => stringAt(one, 'spec', 'annotations', 'nvidia.com/restartAt')),
    seen,
    done: components.map(
      (one, index) => seen[index] === true && stringAt(listAt(one, 'status', 'conditions')[0], 'status') === 'True',
    ),
  };
}

/** Whether the graph has been edited, and whether its components know. */
export function edits(store: Store): string {
  const known = services.map((service) => listAt(store.get(componentKey(service)), 'spec', 'envs').length);
  const state = stringAt(store.get(graphKey), 'status', 'state');
  return `${listAt(store.get(graphKey), 'spec', 'envs').length} ${known.join('')} ${state}`;
}

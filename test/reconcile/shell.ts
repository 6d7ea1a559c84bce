import type { JsonObject } from '../../lib/json/index.ts';
import {
  decideAdapter,
  decideComponent,
  decideGraph,
  decideRequest,
  lookupKey,
  rememberingRenderers,
  type Answer,
  type Decision,
  type EffectResult,
  type Event,
  type Lookup,
  type ObjectKey,
  type Snapshot,
  type Write,
} from '../../lib/reconcile/index.ts';
import { flagDefaults, type OperatorConfig } from '../../lib/render/index.ts';
import { keyOf, Refused, Store, versionOf } from './store.ts';

/** Renderings depend on their input alone, so that equal input need not be rendered again. */
const render = rememberingRenderers(5000);

/** The deciding function of a kind. */
const deciders: Readonly<Record<string, (snapshot: Snapshot) => Answer>> = {
  DynamoGraphDeployment: (snapshot) => decideGraph(snapshot, render),
  DynamoComponentDeployment: (snapshot) => decideComponent(snapshot, render),
  DynamoGraphDeploymentScalingAdapter: decideAdapter,
  DynamoGraphDeploymentRequest: decideRequest,
};

/** What a test decides about a pass. */
export interface PassOptions {
  readonly now?: string;
  readonly config?: OperatorConfig;
  readonly apiGroups?: readonly string[];
  /** What the snapshot is taken from, when it is older than what is written to. */
  readonly view?: Store;
  readonly effects?: Readonly<Record<string, EffectResult>>;
  /** Whether everything asked for outside the API server succeeds. */
  readonly effectsSucceed?: boolean;
  /** What to read before deciding, as an earlier pass asked for it. */
  readonly expected?: Iterable<Lookup>;
  /** What the API server says to a write instead of carrying it out. */
  readonly intercept?: (write: Write, index: number) => Refused | 'crash' | undefined;
}

/** What came of a pass. */
export interface PassResult {
  /** Writes that reached the store. */
  readonly writes: readonly Write[];
  readonly events: readonly Event[];
  readonly error?: string;
  readonly lookAgainSeconds?: number;
  readonly ended: 'done' | 'crashed' | 'conflict';
  /** What was decided; absent where the resource is gone. */
  readonly decision?: Decision;
  /** Rounds of look-ups. */
  readonly rounds: number;
  /** What was read. */
  readonly read: Readings;
}

/** Questions to the cluster and their answers. */
export type Readings = ReadonlyMap<Lookup, ReturnType<Store['answer']>>;

/** Flags as the chart sets them, as far as decisions need them. */
export const config: OperatorConfig = {
  ...flagDefaults,
  etcdAddress: 'etcd:2379',
  mpiSecretName: 'mpi-run-ssh-secret',
  mpiSecretNamespace: 'dynamo-system',
  plannerClusterRole: 'planner',
  eppClusterRole: 'epp',
};

/** One pass over a resource, as the operator's shell makes it; a resource that is gone gives none. */
export function pass(store: Store, key: ObjectKey, options: PassOptions = {}): PassResult {
  const view = options.view ?? store;
  const resource = view.get(key);
  if (resource === undefined) return { writes: [], events: [], ended: 'done', rounds: 0, read: new Map() };
  const gathered = gather(view, resource, options);
  if (!('decision' in gathered)) throw new Error(`effects without results: ${JSON.stringify(gathered.answer)}`);
  const { snapshot, decision, rounds, read } = gathered;
  return { ...carryOut(store, snapshot, decision, options), decision, rounds, read };
}

/** Decides on a resource of the store without writing. */
export function decide(store: Store, key: ObjectKey, options: PassOptions = {}): Decision {
  const resource = store.get(key);
  if (resource === undefined) throw new Error(`${key.name} is not there`);
  const gathered = gather(store, resource, options);
  if (!('decision' in gathered)) throw new Error(`effects without results: ${JSON.stringify(gathered.answer)}`);
  return gathered.decision;
}

/** The answer to a resource of the store once all look-ups are answered. */
export function answerTo(store: Store, key: ObjectKey, options: PassOptions = {}): Answer {
  const resource = store.get(key);
  if (resource === undefined) throw new Error(`${key.name} is not there`);
  return gather(store, resource, options).answer;
}

type Gathered = { readonly snapshot: Snapshot; readonly answer: Answer; readonly rounds: number; readonly read: Readings } & (
  { readonly decision: Decision } | object
);

function gather(view: Store, resource: JsonObject, options: PassOptions): Gathered {
  const objects: Record<string, JsonObject | null> = {};
  const lists: Record<string, readonly JsonObject[]> = {};
  const effects: Record<string, EffectResult> = { ...options.effects };
  const snapshot: Snapshot = {
    now: options.now ?? '2026-01-01T00:00:00.000Z',
    config: options.config ?? config,
    apiGroups: options.apiGroups ?? [],
    resource,
    objects,
    lists,
    effects,
  };
  const decider = deciders[keyOf(resource).kind];
  if (decider === undefined) throw new Error(`nobody decides on ${keyOf(resource).kind}`);
  const read = new Map<Lookup, ReturnType<Store['answer']>>();
  const ask = (lookups: Iterable<Lookup>): void => {
    for (const lookup of lookups) {
      const found = view.answer(lookup);
      read.set(lookup, found);
      if (Array.isArray(found)) lists[lookupKey(lookup)] = found;
      else objects[lookupKey(lookup)] = found as JsonObject | null;
    }
  };
  ask(options.expected ?? []);
  for (let rounds = 0; rounds < 6; rounds++) {
    const answer = decider(snapshot);
    if (answer.answer === 'decision') return { snapshot, answer, decision: answer.decision, rounds, read };
    if (answer.answer === 'lookups') ask(answer.lookups);
    else if (options.effectsSucceed === true) for (const { id } of answer.effects) effects[id] = { ok: true };
    else return { snapshot, answer, rounds, read };
  }
  throw new Error('a decision asks for ever');
}

function carryOut(
  target: Store,
  snapshot: Snapshot,
  decision: Decision,
  options: PassOptions,
  version = versionOf(snapshot.resource),
): Omit<PassResult, 'rounds' | 'read'> {
  const done: Write[] = [];
  let newest = version;
  const result = (ended: PassResult['ended']): Omit<PassResult, 'rounds' | 'read'> => ({
    writes: done,
    events: ended === 'done' ? decision.events : [],
    ...(decision.error !== undefined && { error: decision.error }),
    ...(decision.lookAgainSeconds !== undefined && { lookAgainSeconds: decision.lookAgainSeconds }),
    ended,
  });
  for (const [index, write] of decision.steps.flat().entries()) {
    const verdict = options.intercept?.(write, index);
    if (verdict === 'crash') return result('crashed');
    try {
      if (verdict instanceof Refused) throw verdict;
      const answer = execute(target, write, newest);
      if (answer !== undefined && sameObject(write.target, keyOf(snapshot.resource))) newest = versionOf(answer);
      done.push(write);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (isHarmless(write, error)) continue;
      if (isConflict(error)) return result('conflict');
      const refused = { write: index, verb: write.verb, target: write.target, message: error.message, status: error.status };
      const again = deciders[keyOf(snapshot.resource).kind]?.({ ...snapshot, refused });
      if (again?.answer !== 'decision') throw new Error('a refused write must end in a decision', { cause: error });
      const { intercept: _intercept, ...rest } = options;
      const follow = carryOut(target, { ...snapshot, refused }, again.decision, rest, newest);
      return { ...follow, writes: [...done, ...follow.writes] };
    }
  }
  return result('done');
}

/** Carries one write out. */
export function execute(target: Store, write: Write, resourceVersion: string): JsonObject | undefined {
  if (write.verb === 'create') return target.create(write.object);
  if (write.verb === 'patch') return target.patch(write.target, write.patch);
  if (write.verb === 'status') return target.status(write.object, resourceVersion);
  if (write.verb === 'scale') return target.scale(write.target, write.resourceVersion, write.replicas);
  if (write.verb === 'delete') {
    target.delete(write.target, write.uid);
    return undefined;
  }
  const source = target.get(write.source);
  if (source === undefined) throw new Refused(404, 'NotFound', `Secret "${write.source.name}" not found`);
  const { name, namespace } = write.target;
  const managedFields = [{ manager: 'manager', operation: 'Update', fieldsV1: { 'f:data': {} } }];
  const copied = { data: source['data'] ?? {}, type: source['type'] ?? 'Opaque' };
  if (write.resourceVersion === undefined)
    return target.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, managedFields }, ...copied });
  return target.update(write.target, (live) => ({ ...live, ...copied }));
}

function sameObject(a: ObjectKey, b: ObjectKey): boolean {
  return lookupKey({ question: 'get', ...a }) === lookupKey({ question: 'get', ...b });
}

function isHarmless(write: Write, { reason }: Refused): boolean {
  return (write.verb === 'delete' && reason === 'NotFound') || (write.verb === 'create' && reason === 'AlreadyExists');
}

/** A version that is not the newest any more: a failed `test` is answered with 422. */
function isConflict({ status, message, reason }: Refused): boolean {
  return reason === 'Conflict' || reason === 'NotFound' || (status === 422 && message.startsWith('testing value'));
}

/**
 * Runs the decisions of one kind: queues a resource when it changes, or anything that its last decision looked up; then reconciles it until there is
 * nothing to do. Between passes only the look-ups are remembered.
 */
import type { KubernetesObject } from '../../api/index.ts';
import { isEqual } from '../../json/index.ts';
import type { Lookup, ObjectKind, Snapshot, Write } from '../../reconcile/index.ts';
import { account, accountBindingName } from '../../render/index.ts';
import { errorType } from '../api/errors.ts';
import type { Cache, CacheChange } from '../cache/cache.ts';
import { Lookups, type LookupPass } from '../cache/lookups.ts';
import type { ControllerContext } from '../controller.ts';
import type { EventRecorder } from '../events/recorder.ts';
import type { Logger } from '../logger.ts';
import type { WorkQueue } from '../queue/queue.ts';
import { runWorkers, type ReconcileResult } from '../queue/workers.ts';
import { effectRunner } from './effect-runner.ts';
import { reconcilePass, type Decide, type LookupAnswer, type PassResult } from './pass.ts';
import { projectionOf } from './watched-kinds.ts';

/** Milliseconds that passes must have failed before errors inside the API server are told in the status. */
const lastingMs = 10_000;

/** Least time between two statuses of a resource that differ in counts alone. */
const countsMs = 1000;

/** One kind and its decision function. */
export interface ReconcilerDefinition {
  readonly kind: ObjectKind;
  /** Component its events come from. */
  readonly recorder: string;
  readonly decide: Decide;
  /** Resources worked on at once. */
  readonly workers: number;
  /**
   * Milliseconds until the next pass, if the objects that the last pass looked up were changed only by the pass itself and it left nothing to do.
   * @default 0 - at once
   */
  readonly echoMs?: number;
  /** Kinds that are read from the API server at every look-up: no watch shows them, and an outdated answer must not be used. */
  readonly readLive?: readonly ObjectKind[];
  /** The annotation in which decisions record what they did. A change of it leads to no further pass. */
  readonly note?: string;
}

/** Passes over the resources of one kind until the signal is aborted. */
export async function runReconciler(
  definition: ReconcilerDefinition,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const reconciler = new Reconciler(definition, context);
  await reconciler.run(signal);
}

/** Object versions noted during a pass: those seen among its look-ups, and those it wrote itself. */
interface ChangesOfPass {
  readonly seen: Set<string>;
  readonly written: Set<string>;
}

/** The controller of one kind. */
class Reconciler {
  readonly #definition: ReconcilerDefinition;
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #recorder: EventRecorder;
  readonly #lookups: Lookups;
  readonly #runEffects: ReturnType<typeof effectRunner>;
  readonly #creations = new Map<string, Promise<unknown>>();
  /** Object versions noted during running passes, by resource. */
  readonly #underWay = new Map<string, ChangesOfPass>();
  /** Resources this process has passed over once. */
  readonly #seen = new Set<string>();
  /** When the status of a resource was last stored. */
  readonly #stored = new Map<string, number>();

  constructor(definition: ReconcilerDefinition, context: ControllerContext) {
    this.#definition = definition;
    this.#context = context;
    this.#queue = context.newQueue(definition.kind.kind);
    this.#recorder = context.recorder(definition.recorder);
    const { cache, client, log, options } = context;
    this.#lookups = new Lookups({
      cache,
      client,
      log,
      project: projectionOf,
      users: definition.kind,
      requeue: (key, version) => this.#requeue(key, version),
    });
    this.#runEffects = effectRunner(options.config.etcdAddress, options.etcd);
  }

  /** Queues every resource of a namespace, or of all namespaces if it is empty. */
  #addAll(namespace: string): void {
    const { cache } = this.#context;
    for (const { metadata } of cache.list(this.#definition.kind, namespace)?.value ?? [])
      this.#queue.add(`${metadata.namespace ?? ''}/${metadata.name}`);
  }

  /** Runs until the signal is aborted, then finishes running passes. */
  async run(signal: AbortSignal): Promise<void> {
    const { cache, metrics, clock, log, scope } = this.#context;
    const { kind, workers } = this.#definition;
    const stops = [cache.onChange((change) => this.#changed(change)), cache.onApis(() => this.#addAll(''))];
    scope.onChange((namespace, isIncluded) => {
      if (isIncluded) this.#addAll(namespace);
    });
    this.#addAll('');
    await Promise.all([
      this.#lookups.run(signal),
      runWorkers(this.#queue, this.#reconcile, { name: kind.kind, workers, clock, metrics, log }, signal),
    ]);
    for (const stop of stops) stop();
  }

  #changed({ before, after, watched }: CacheChange): void {
    if (watched.kind !== this.#definition.kind.kind || watched.apiVersion !== this.#definition.kind.apiVersion) return;
    const object = after ?? before;
    if (object !== undefined && isTrigger(before, after, this.#definition.note))
      this.#requeue(`${object.metadata.namespace ?? ''}/${object.metadata.name}`, after?.metadata.resourceVersion);
  }

  /**
   * Queues a resource. During a pass over the resource the version is only noted: at the end of the pass it is known whether the pass itself wrote
   * it.
   */
  #requeue(key: string, version: string | undefined): void {
    const changes = this.#underWay.get(key);
    if (changes === undefined || version === undefined) this.#queue.add(key);
    else changes.seen.add(version);
  }

  readonly #reconcile = async (key: string, signal: AbortSignal, log: Logger, rest: () => void): Promise<ReconcileResult> => {
    const { cache, scope, clock, metrics } = this.#context;
    const { kind } = this.#definition.kind;
    const [namespace = '', name = ''] = key.split('/');
    const resource = cache.get({ ...this.#definition.kind, namespace, name })?.value;
    const labels = { resource_type: kind, namespace };
    const started = clock.now();
    const count = (result: string): void => {
      metrics.observe('dynamo_operator_reconcile_duration_seconds', { ...labels, result }, (clock.now() - started) / 1000);
      metrics.count('dynamo_operator_reconcile_total', { ...labels, result });
    };
    if (resource === undefined || !scope.includes(namespace)) {
      this.#lookups.forget(key);
      this.#seen.delete(key);
      this.#stored.delete(key);
      count('success');
      return {};
    }
    try {
      const { isStale = false, lookAgainSeconds, error } = await this.#pass(key, resource, { log, rest }, signal);
      if (error !== undefined) throw error;
      this.#seen.add(key);
      count(isStale || lookAgainSeconds !== undefined ? 'requeue' : 'success');
      if (isStale) return { requeue: true };
      return lookAgainSeconds === undefined ? {} : { requeueAfterMs: lookAgainSeconds * 1000 };
    } catch (error) {
      count('error');
      metrics.count('dynamo_operator_reconcile_errors_total', { ...labels, error_type: errorType(error) });
      throw error;
    }
  };

  async #pass(
    key: string,
    resource: KubernetesObject,
    { log, rest }: { readonly log: Logger; readonly rest: () => void },
    signal: AbortSignal,
  ): Promise<PassResult> {
    const { client, cache, clock, options, operatorNamespace, apis } = this.#context;
    const pass = this.#lookups.begin(key);
    const snapshot: Snapshot = {
      now: clock.date().toISOString(),
      config: options.config,
      apiGroups: [...apis().groups],
      ...(operatorNamespace !== '' && { operatorNamespace }),
      firstPass: !this.#seen.has(key),
      resource,
      objects: {},
      lists: {},
    };
    const changes: ChangesOfPass = { seen: new Set(), written: new Set() };
    this.#underWay.set(key, changes);
    const result = await reconcilePass(
      snapshot,
      {
        client,
        creations: this.#creations,
        serves: (kind) => cache.apis?.serves(kind) !== false,
        failsLastingly: this.#queue.failingMs(key) >= lastingMs,
        answers: {
          put: (object) => {
            changes.written.add(object.metadata.resourceVersion ?? '');
            cache.record(object);
            this.#lookups.record(object, key);
          },
          has: (target) => cache.get(target)?.value !== undefined,
          remove: (target, uid) => {
            cache.recordDeleted(target, uid);
            this.#lookups.recordDeleted(target, key);
          },
          reread: async (target) => {
            if (this.#isOutside(target.namespace))
              throw new Error(`namespace ${target.namespace} is not this operator's to read`);
            // While the answer is on its way, a watch may show a new object of that name: the answer is about the one known before.
            const known = cache.get(target)?.value?.metadata.uid;
            const live = await pass.reread(target, signal);
            if (live === null && known !== undefined) cache.recordDeleted(target, known);
            return live;
          },
        },
        wrote: (write) => {
          if (write.verb === 'status') this.#stored.set(key, clock.now());
          tellWrite(write, log);
        },
        waitMs: () => (this.#stored.get(key) ?? -countsMs) + countsMs - clock.now(),
        rest,
        decide: this.#definition.decide,
        lookUp: (lookup) => {
          if (lookup.question === 'get' && this.#isOutside(lookup.namespace)) return null;
          return this.#isReadLive(lookup) ? pass.ask(lookup, signal) : lookUp(lookup, pass, cache, signal);
        },
        runEffects: this.#runEffects,
        tell: (events) => {
          for (const event of events) this.#recorder.record(resource, event);
        },
      },
      signal,
    ).finally(() => this.#end(key, changes));
    const isEchoed = [...changes.seen].some((version) => changes.written.has(version));
    if (isEchoed) this.#afterEcho(key, result);
    for (const reason of result.notes ?? []) log.info('Call failed.', { reason });
    pass.end(result.error === undefined && result.isStale !== true && result.lookAgainSeconds === undefined);
    return result;
  }

  /** Ends a pass; queues the resource again if anything but the pass itself changed what it looked up. */
  #end(key: string, { seen, written }: ChangesOfPass): void {
    this.#underWay.delete(key);
    if ([...seen].some((version) => !written.has(version))) this.#queue.add(key);
  }

  /** After a pass that changed what it looks up: another one at once; after `echoMs` if nothing was left to do; none if a later pass is due anyway. */
  #afterEcho(key: string, { isSettled = false, lookAgainSeconds }: PassResult): void {
    const { echoMs = 0 } = this.#definition;
    if (!isSettled) this.#queue.add(key);
    else if (echoMs === 0 || lookAgainSeconds === undefined) this.#queue.addAfter(key, echoMs);
  }

  /** Whether a namespace is outside a restricted operator's scope: its objects count as absent. */
  #isOutside(namespace: string): boolean {
    const { restrictedNamespace } = this.#context.options;
    return restrictedNamespace !== '' && namespace !== '' && namespace !== restrictedNamespace;
  }

  #isReadLive(lookup: Lookup): lookup is Extract<Lookup, { question: 'get' }> {
    return lookup.question === 'get' && this.#definition.readLive?.some(({ kind }) => kind === lookup.kind) === true;
  }
}

const doneWord = { create: 'created', copySecret: 'copied', patch: 'updated', delete: 'deleted', scale: 'scaled', status: '' };

/** One log line for each write, except of a status. */
function tellWrite({ verb, target }: Write, log: Logger): void {
  const { namespace, name, kind } = target;
  if (doneWord[verb] !== '') log.info(`${kind} ${doneWord[verb]}.`, { namespace, resourceName: name, resourceType: kind });
}

/** Whether a change leads to a pass. A new status alone does not: it is the result of one. */
function isTrigger(before: KubernetesObject | undefined, after: KubernetesObject | undefined, note = ''): boolean {
  if (before === undefined || after === undefined || before.metadata.uid !== after.metadata.uid) return true;
  const { generation, annotations, labels, finalizers, deletionTimestamp } = before.metadata;
  const now = after.metadata;
  const noted = now.annotations?.[note];
  return (
    generation !== now.generation ||
    deletionTimestamp !== now.deletionTimestamp ||
    !isEqual(noted === undefined ? annotations : { ...annotations, [note]: noted }, now.annotations) ||
    !isEqual(labels, now.labels) ||
    !isEqual(finalizers, now.finalizers)
  );
}

/** Kinds that users create and graphs only refer to: an object that no watch covers may still exist. */
const referred = new Set(['ConfigMap', 'Secret']);

/** Accounts and bindings that all graphs of a namespace share: a chart or a user may have made them without the label that is watched. */
const shared = new Set(Object.values(account).flatMap((name) => [name, accountBindingName(name)]));

/** Answers a question from the cache; asks the API server where no watch can know. */
function lookUp(lookup: Lookup, pass: LookupPass, cache: Cache, signal: AbortSignal): LookupAnswer | Promise<LookupAnswer> {
  const isUnserved = cache.apis?.serves(lookup) === false;
  if (lookup.question === 'list') {
    const found = pass.list(lookup, lookup.namespace, lookup.select);
    if (found === undefined && isUnserved) return [];
    if (found === undefined) throw new Error(`${lookup.kind} has not been listed yet`);
    return found;
  }
  const found = pass.get(lookup);
  if (found === undefined && isUnserved) return null;
  const mayBeHidden = referred.has(lookup.kind) || shared.has(lookup.name);
  const isHidden = found === null && mayBeHidden && cache.get(lookup)?.isCertain !== true;
  return found === undefined || isHidden ? pass.ask(lookup, signal) : found;
}

/** One pass over a resource: gather a snapshot, decide, carry the decision out. */
import { append, type JsonObject } from '../../json/index.ts';
import {
  eventsOfDone,
  isSettled,
  lookupKey,
  type Answer,
  type Decision,
  type Effect,
  type EffectResult,
  type Event,
  type Lookup,
  type Snapshot,
  type Write,
} from '../../reconcile/index.ts';
import { carryOut, type WriteContext, type WrittenVersions } from './carry-out.ts';

/** A pure decision, as lib/reconcile makes them. */
export type Decide = (snapshot: Snapshot) => Answer;

/** Dependencies of a pass. */
export interface PassContext extends WriteContext {
  readonly decide: Decide;
  /** Answers a question from the cache, or from the API server where the kind is not watched. */
  readonly lookUp: (lookup: Lookup, signal: AbortSignal) => LookupAnswer | Promise<LookupAnswer>;
  /** Carries out effects outside the API server. */
  readonly runEffects: (effects: readonly Effect[], signal: AbortSignal) => Promise<Readonly<Record<string, EffectResult>>>;
  /**
   * Milliseconds to wait before storing a status that differs only in counts, since another was stored shortly before.
   * @default - none ever waits
   */
  readonly waitMs?: () => number;
  /** Records events on the resource. */
  readonly tell: (events: readonly Event[]) => void;
}

/** An object, null where it is absent, or the objects of a list. */
export type LookupAnswer = JsonObject | null | readonly JsonObject[];

/** The result of a pass. */
export interface PassResult {
  /** Look-ups that the decision was made on; a change of any answer leads to another pass. */
  readonly lookups: readonly Lookup[];
  /** Seconds after which the resource is reconciled again. */
  readonly lookAgainSeconds?: number;
  /** Further lines for the log. */
  readonly notes?: readonly string[];
  /** Whether another pass right after this one would find nothing to do. */
  readonly isSettled?: boolean;
  /** Somebody else wrote in between: decide again soon, without log line or event. */
  readonly isStale?: boolean;
  /** Why the pass failed. */
  readonly error?: Error;
}

/** Rounds of look-ups after which the decision function must be faulty; three or four are usual. */
const mostRounds = 100;

/** Does one full pass; throws where the API server cannot be reached. */
export async function reconcilePass(start: Snapshot, context: PassContext, signal: AbortSignal): Promise<PassResult> {
  const { snapshot, decision, lookups } = await gather(start, context, signal);
  const waitMs = decision.canWait === true ? (context.waitMs?.() ?? 0) : 0;
  if (waitMs > 0) return { lookups, lookAgainSeconds: waitMs / 1000 };
  const versions: WrittenVersions = new Map();
  const done = new Set<Write>();
  const wrote = (write: Write): void => {
    done.add(write);
    context.wrote(write);
  };
  // The next pass sees the writes of this one as done and records no events for them.
  const tellDone = (): void => tellIfAny(eventsOfDone(decision, done), context);
  const failAndTell = (error: unknown): never => {
    tellDone();
    throw error;
  };
  const ended = await carryOut(decision.steps, versions, { ...context, wrote }, signal).catch(failAndTell);
  if (ended.outcome === 'stale') {
    tellDone();
    return { lookups, isStale: true };
  }
  if (ended.outcome === 'done') return { ...finish(decision, lookups, context), isSettled: isSettled(decision) };

  const second = context.decide({ ...snapshot, refused: ended.refused });
  if (second.answer !== 'decision') {
    tellDone();
    return { lookups, error: ended.cause };
  }
  const told = await carryOut(second.decision.steps, versions, context, signal).catch(failAndTell);
  if (told.outcome === 'stale') {
    tellDone();
    return { lookups, isStale: true };
  }
  const events = eventsAfterRefusal(decision, done, second.decision, told.outcome === 'done');
  const { error, ...result } = finish({ ...second.decision, events }, lookups, context);
  return { ...result, error: new Error(error?.message ?? ended.cause.message, { cause: ended.cause }) };
}

/**
 * Events of a pass with a refused write. Only this pass knows what was done beside that write; the decision about the refusal knows only the earlier
 * steps. Events that are not about writes tell of a status, so it must be stored first.
 */
function eventsAfterRefusal(
  decision: Decision,
  done: ReadonlySet<Write>,
  { events }: Decision,
  isStored: boolean,
): readonly Event[] {
  if (decision.told === undefined) return isStored ? events : [];
  return [...eventsOfDone(decision, done), ...events.filter(({ type }) => type === 'Warning')];
}

function finish(decision: Decision, lookups: readonly Lookup[], context: PassContext): PassResult {
  const { events, lookAgainSeconds, notes, error } = decision;
  tellIfAny(events, context);
  return {
    lookups,
    ...(lookAgainSeconds === undefined ? {} : { lookAgainSeconds }),
    ...(notes === undefined ? {} : { notes }),
    ...(error === undefined ? {} : { error: new Error(error) }),
  };
}

function tellIfAny(events: readonly Event[], { tell }: PassContext): void {
  if (events.length > 0) tell(events);
}

interface Gathered {
  readonly snapshot: Snapshot;
  readonly decision: Decision;
  readonly lookups: readonly Lookup[];
}

async function gather(start: Snapshot, context: PassContext, signal: AbortSignal): Promise<Gathered> {
  const objects: Record<string, JsonObject | null> = { ...start.objects };
  const lists: Record<string, readonly JsonObject[]> = { ...start.lists };
  const effects: Record<string, EffectResult> = { ...start.effects };
  const failedLists: Record<string, string> = {};
  const lookups: Lookup[] = [];
  const snapshot: Snapshot = { ...start, objects, lists, effects, failedLists };
  for (let round = 0; round < mostRounds; round += 1) {
    signal.throwIfAborted();
    const answer = context.decide(snapshot);
    if (answer.answer === 'decision') return { snapshot, decision: answer.decision, lookups };
    if (answer.answer === 'effects') {
      Object.assign(effects, await context.runEffects(answer.effects, signal));
      continue;
    }
    append(lookups, answer.lookups);
    for (const lookup of answer.lookups) {
      const key = lookupKey(lookup);
      try {
        const pending = context.lookUp(lookup, signal);
        const found = pending instanceof Promise ? await pending : pending;
        if (isList(found)) lists[key] = found;
        else objects[key] = found;
      } catch (error) {
        // A decision may report that a list cannot be read. A decision that asks for the list again cannot, so the pass fails.
        if (lookup.question === 'get' || signal.aborted || failedLists[key] !== undefined) throw error;
        failedLists[key] = error instanceof Error ? error.message : String(error);
      }
    }
  }
  throw new TypeError(`no decision after ${mostRounds} rounds of questions`);
}

function isList(answer: LookupAnswer): answer is readonly JsonObject[] {
  return Array.isArray(answer);
}

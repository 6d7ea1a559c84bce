import { isEqual, stringAt, type JsonObject } from '../../json/index.ts';
import { conditionOf, isSameMessage, statusOf, withCondition, type Condition } from '../condition.ts';
import type { Decision, Event, Write } from '../decision.ts';
import { keyOf } from '../metadata.ts';
import type { Snapshot } from '../snapshot.ts';
import { cutMessage } from '../status.ts';
import { acceptedGeneration } from './accepted-spec.ts';
import type { RequestState } from './request-keys.ts';

/** A step of a request from one state to the next. */
interface Transition {
  readonly state: RequestState;
  /** Conditions to set; each carries the generation and a new time. */
  readonly conditions?: readonly Condition[];
  /** The condition of the deployment, whose `lastTransitionTime` moves only when its status changes. */
  readonly deployment?: Condition;
  /** Other members of the status. */
  readonly fields?: JsonObject;
  readonly events?: readonly Event[];
  /** Writes performed before the status update, step by step. */
  readonly before?: readonly (readonly Write[])[];
}

/** States after which another pass follows at once. */
const goesOn: ReadonlySet<RequestState> = new Set(['Pending', 'Profiling', 'Deploying'] as const);

/** The decision that carries out a transition. An unchanged status is not written. */
export function moveTo(snapshot: Snapshot, transition: Transition): Decision {
  const { resource } = snapshot;
  const status = statusAfter(snapshot, transition);
  const steps = (transition.before ?? []).filter((step) => step.length > 0);
  const write: Write = { verb: 'status', target: keyOf(resource), object: { ...resource, status } };
  const isReached = transition.state !== stringAt(statusOf(resource), 'state') && goesOn.has(transition.state);
  return {
    steps: isEqual(statusOf(resource), status) ? steps : [...steps, [write]],
    events: transition.events ?? [],
    ...(isReached && { lookAgainSeconds: 0 }),
  };
}

function statusAfter({ resource, now }: Snapshot, { state, conditions = [], deployment, fields }: Transition): JsonObject {
  const observedGeneration = acceptedGeneration(resource);
  const start: JsonObject = { ...statusOf(resource), ...fields, state };
  const status = conditions.reduce(
    (into, condition) => withCondition(into, { ...cut(condition), observedGeneration }, now, 'always'),
    start,
  );
  return deployment === undefined ? status : withCondition(status, cut(deployment), now);
}

/** Cut: messages from elsewhere may be longer than a condition can hold. */
function cut(condition: Condition): Condition {
  return { ...condition, message: cutMessage(condition.message) };
}

/** The decision that ends a request for good, with the reason in a condition and an event. */
export function fail(
  snapshot: Snapshot,
  type: string,
  reason: string,
  message: string,
  event: string,
  earlier: readonly Condition[] = [],
): Decision {
  return moveTo(snapshot, {
    state: 'Failed',
    conditions: [...earlier, { type, status: 'False', reason, message }],
    events: [{ type: 'Warning', reason: event, message }],
  });
}

/** The decision that leaves a request in its state, says in a condition and an event why it stays there, and tries again. */
export function tryAgain(
  snapshot: Snapshot,
  state: RequestState,
  condition: Condition,
  event: string,
  earlier: readonly Condition[] = [],
): Decision {
  const { message } = condition;
  if (isTold(snapshot, condition)) return { steps: [], events: [], error: message };
  const events: readonly Event[] = [{ type: 'Warning', reason: event, message }];
  return { ...moveTo(snapshot, { state, conditions: [...earlier, condition], events }), error: message };
}

/** Whether the status has a condition already, with this reason and message. */
export function isTold({ resource }: Snapshot, condition: Condition): boolean {
  const told = conditionOf(statusOf(resource), condition.type);
  const { reason, message } = cut(condition);
  return stringAt(told, 'reason') === reason && isSameMessage(stringAt(told, 'message'), message);
}

/** Nothing to do. */
export const nothing: Decision = { steps: [], events: [] };

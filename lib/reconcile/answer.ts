import type { Answer, Decision } from './decision.ts';
import { eventsOf, writesOf, type Step } from './plan.ts';
import type { Reader } from './reader.ts';

/** Seconds after which a resource that is not ready is reconciled again, unless an event comes first. */
export const pendingSeconds = 30;

/** The look-ups that a snapshot does not answer yet; undefined when it answers all of them. */
export function askFor(reader: Reader): Answer | undefined {
  const lookups = reader.missing();
  return lookups.length === 0 ? undefined : { answer: 'lookups', lookups };
}

/** A decision that carries out a plan and records its events. */
export function decisionFor(steps: readonly Step[], more: Partial<Decision> = {}): Answer {
  return { answer: 'decision', decision: { events: eventsOf(steps), ...more, ...writesOf(steps) } };
}

import type { Answer, Decision } from './decision.ts';
import { eventsOf, writesOf, type Step } from './plan.ts';
import type { Reader } from './reader.ts';

/** How long to wait for an event before looking again at something that is not ready. */
export const pendingSeconds = 30;

/** Asks for what a snapshot lacks; nothing where it lacks nothing. */
export function askFor(reader: Reader): Answer | undefined {
  const lookups = reader.missing();
  return lookups.length === 0 ? undefined : { answer: 'lookups', lookups };
}

/** A decision to carry out a plan and tell it. */
export function carryOut(steps: readonly Step[], more: Partial<Decision> = {}): Answer {
  return { answer: 'decision', decision: { events: eventsOf(steps), ...more, ...writesOf(steps) } };
}

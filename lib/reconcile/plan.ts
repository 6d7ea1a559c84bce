import type { Decision, Event, Told, Write } from './decision.ts';
import type { RefusedWrite } from './snapshot.ts';

/** A write, its event, and the prefix of an error about it. */
export interface PlannedWrite {
  readonly write: Write;
  /** Prefix that the original puts before the API server's message when the write is refused. */
  readonly chain: string;
  /** The event about the write; writes of one verb and kind share one event. Absent for writes without an event. */
  readonly told?: Told | Event;
}

/** Writes that may be sent at once. */
export type Step = readonly PlannedWrite[];

const done = { Create: 'Created', Update: 'Updated', Delete: 'Deleted' } as const;

/** The events of a pass: one for each verb and kind, in the order of the writes. */
export function eventsOf(steps: readonly Step[]): readonly Event[] {
  return joined(steps.flat().map(({ told }) => told));
}

/** The events of a pass that ended after some of its writes. */
export function eventsOfDone({ steps, told = [] }: Decision, done: ReadonlySet<Write>): readonly Event[] {
  return joined(steps.flatMap((step, at) => step.map((write, index) => (done.has(write) ? told[at]?.[index] : undefined))));
}

function joined(parts: readonly (Told | Event | undefined)[]): readonly Event[] {
  const events = new Map<string, Event>();
  for (const told of parts) {
    if (told === undefined) continue;
    if ('reason' in told) {
      events.set(`${told.reason} ${told.message}`, told);
      continue;
    }
    const reason = `${told.verb}${told.kind}`;
    const before = events.get(reason);
    const message = before ? `${before.message}, ${told.name}` : `${done[told.verb]} ${told.kind} ${told.name}`;
    events.set(reason, { type: 'Normal', reason, message });
  }
  return [...events.values()];
}

/** A pass whose write was refused. */
interface Refusal {
  /** The write, found again in the plan. */
  readonly write: Write;
  /** The full error, as the original words it. */
  readonly error: string;
  /** Events of the writes before it, and of its failure. */
  readonly events: readonly Event[];
}

/** Finds the refused write in the plan of the same pass; undefined if the plan has no such write. */
export function refusalOf(steps: readonly Step[], refused: RefusedWrite): Refusal | undefined {
  for (const [index, step] of steps.entries()) {
    const found = step.find(({ write }) => isRefused(write, refused));
    if (found === undefined) continue;
    const { write, chain, told } = found;
    const failed = told === undefined || 'reason' in told ? [] : [failureEvent(told, refused.message)];
    return { write, error: `${chain}${refused.message}`, events: [...eventsOf(steps.slice(0, index)), ...failed] };
  }
  return undefined;
}

function isRefused({ verb, target }: Write, refused: RefusedWrite): boolean {
  const { apiVersion, kind, namespace, name } = refused.target;
  return (
    (verb === refused.verb || verb === 'copySecret') &&
    target.kind === kind &&
    target.name === name &&
    target.namespace === namespace &&
    target.apiVersion === apiVersion
  );
}

function failureEvent({ verb, kind, name }: Told, message: string): Event {
  return {
    type: 'Warning',
    reason: `${verb}${kind}`,
    message: `Failed to ${verb.toLowerCase()} ${kind} ${name}: ${message}`,
  };
}

/** The writes of a plan and their events, in the form a decision has them. */
export function writesOf(steps: readonly Step[]): Required<Pick<Decision, 'steps' | 'told'>> {
  const filled = steps.filter((step) => step.length > 0);
  return {
    steps: filled.map((step) => step.map(({ write }) => write)),
    told: filled.map((step) => step.map(({ told }) => told)),
  };
}

/** Compares what an operator did in a scenario with what the original did. */
import { byteOrder, isList, isObject, objectsAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { PlayedStep, Seen, Standing } from './play-scenario.ts';

/** A difference that is wanted, with its reason. */
export interface WantedDifference {
  readonly scenario: string;
  readonly mode?: string;
  /** Name of a step, or `*` for any. */
  readonly step: string;
  /** How the difference begins. */
  readonly what: string;
  readonly why: string;
  /** A race may hide it. */
  readonly mayOccur?: boolean;
}

/** Where end states or restarts differ, step by step, and where more was written or told than by the original. */
export function compareSteps(want: readonly PlayedStep[], got: readonly PlayedStep[]): readonly string[] {
  const differences: string[] = [];
  for (const wanted of want) {
    const found = got.find(({ step }) => step === wanted.step);
    const tell = (what: string, a: unknown, b: unknown): void => {
      if (text(a) !== text(b)) differences.push(`${wanted.step}: ${what}: want ${text(a)}, got ${text(b)}`);
    };
    if (found === undefined) {
      differences.push(`${wanted.step}: not played`);
      continue;
    }
    const [a, b] = [wanted.end, found.end];
    for (const key of union(a.statuses, b.statuses))
      tell(`status of ${key}`, comparable(a.statuses[key]), comparable(b.statuses[key]));
    for (const key of union(a.objects, b.objects)) tell(key, standingObject(key, a), standingObject(key, b));
    for (const object of new Set(wanted.statuses.map((seen) => seen.object)))
      tell(`restart of ${object}`, restarts(wanted.statuses, object), restarts(found.statuses, object));
  }
  const sum = (steps: readonly PlayedStep[], count: (step: PlayedStep) => number): number =>
    steps.reduce((total, step) => total + count(step), 0);
  const counts = { writes: (step: PlayedStep) => step.writes.length, events: (step: PlayedStep) => step.events };
  for (const [what, count] of Object.entries(counts)) {
    const [most, made] = [sum(want, count), sum(got, count)];
    // The original's own numbers vary by a tenth from one play to the next.
    if (made > 1.1 * most) differences.push(`*: number of ${what}, at most: want ${most}, got ${made}`);
  }
  return differences;
}

/** Differences nobody wants, and wanted ones that did not show. */
export function unwanted(differences: readonly string[], wanted: readonly WantedDifference[]): readonly string[] {
  const begins = (difference: string, { step, what }: WantedDifference): boolean =>
    step === '*' ? difference.slice(difference.indexOf(': ') + 2).startsWith(what) : difference.startsWith(`${step}: ${what}`);
  const missing = wanted.filter((entry) => entry.mayOccur !== true && !differences.some((text_) => begins(text_, entry)));
  return [
    ...differences.filter((difference) => !wanted.some((entry) => begins(difference, entry))),
    ...missing.map(({ step, what }) => `${step}: ${what}: listed as a difference, but does not differ`),
  ];
}

function union(a: object, b: object): ReadonlySet<string> {
  return new Set([...Object.keys(a), ...Object.keys(b)]);
}

/** A status by type of condition; generations count as current or behind, since the original raises them when it adds its finalizer. */
function comparable(standing: Standing['statuses'][string] | undefined): unknown {
  if (standing === undefined || !isObject(standing.status)) return standing?.status ?? 'none';
  const status: JsonObject = JSON.parse(JSON.stringify(standing.status), (key, value: unknown) =>
    key === 'observedGeneration' ? (value === standing.generation ? '(current)' : '(behind)') : value,
  );
  const conditions = Object.fromEntries(
    objectsAt(status, 'conditions').map((condition) => [stringAt(condition, 'type'), condition]),
  );
  return { ...status, conditions };
}

/** The hash of a Job holds its owner's uid. */
function standingObject(key: string, { objects }: Standing): JsonObject | undefined {
  const object = objects[key];
  return object !== undefined && key.startsWith('jobs/') ? { ...object, hash: '(any)' } : object;
}

/** The phases a restart was seen to go through. */
function restarts(seen: readonly Seen[], object: string): readonly string[] {
  return seen
    .filter((entry) => entry.object === object && isObject(entry.status) && isObject(entry.status['restart']))
    .map(({ status }) => {
      const { observedID, phase, inProgress } = isObject(status) && isObject(status['restart']) ? status['restart'] : {};
      return text([observedID, phase, isList(inProgress) ? inProgress.map((name) => text(name)).toSorted(byteOrder) : []]);
    })
    .filter((entry, index, all) => entry !== all[index - 1]);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : (member as Json),
  );
}

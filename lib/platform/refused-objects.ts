/** Rendered objects that the API server would refuse, reported at the values that cause it. */
import type { Issue } from '../api/index.ts';
import { formatPath, isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { refusedFields } from '../rejections/index.ts';
import type { KubernetesObject } from './part.ts';

interface Refusal {
  readonly object: KubernetesObject;
  readonly field: Path;
  readonly message: string;
  /** The kind of object and the field in it. */
  readonly place: string;
  /** Its identity in another rendering: its place, and its message where several have the same place. */
  readonly identity: string;
}

/**
 * What the API server would refuse of the objects, each with the values that cause it: without them it is not refused. They are found by bisection:
 * rendering again without half of the values.
 */
export function refusedObjects(
  objects: readonly KubernetesObject[],
  values: JsonObject,
  render: (values: JsonObject) => readonly KubernetesObject[],
): readonly Issue[] {
  const refusals = refusalsOf(objects);
  if (refusals.length === 0) return [];
  const trials = new Trials(values, render);
  return refusals.flatMap((refusal) => {
    const { kind, metadata } = refusal.object;
    const message = `the API server refuses ${kind} ${metadata.name}: ${formatPath(refusal.field)}: ${refusal.message}`;
    return causesOf(refusal, trials).map((path) => ({ path, code: 'refused_by_api_server', message }));
  });
}

/** What is rendered without some values. */
interface Trial {
  readonly kinds: ReadonlySet<string>;
  readonly refusals: ReadonlySet<string>;
}

/** A value that may be the cause. */
interface Candidate {
  readonly path: Path;
  readonly text: string;
}

/** Limits for the search: renderings, values and refusals. Refusals beyond them are reported without the value that causes them. */
const patience = { trials: 150, values: 1_000_000, refusals: 50_000 } as const;

/** Renders without ranges of the values, each range once. */
class Trials {
  readonly candidates: readonly Candidate[];
  readonly #values: JsonObject;
  readonly #render: (values: JsonObject) => readonly KubernetesObject[];
  readonly #done = new Map<string, Trial>();
  #refusals = 0;

  constructor(values: JsonObject, render: (values: JsonObject) => readonly KubernetesObject[]) {
    this.#values = values;
    this.#render = render;
    this.candidates = leaves(values, []).map(({ path, value }) => ({ path, text: showValue(value) }));
  }

  /** Whether the limit of renderings is reached. */
  get isOver(): boolean {
    const { trials, values, refusals } = patience;
    const { size } = this.#done;
    return size >= trials || size * this.candidates.length >= values || this.#refusals >= refusals;
  }

  /** What is rendered without the values from one place up to another; undefined when too many were tried. */
  without(from: number, to: number): Trial | undefined {
    const known = this.#done.get(`${from} ${to}`);
    if (known !== undefined || this.isOver) return known;
    const left = this.#render(dropAll(this.#values, this.candidates.slice(from, to)));
    const refused = refusalsOf(left);
    this.#refusals += refused.length;
    const trial = { kinds: new Set(left.map(({ kind }) => kind)), refusals: identities(refused) };
    this.#done.set(`${from} ${to}`, trial);
    return trial;
  }

  /** Whether a refusal disappears without these values. */
  isCure(refusal: Refusal, from: number, to: number): boolean {
    return this.without(from, to)?.refusals.has(refusal.identity) === false;
  }

  /** Single values of a range without which a refusal disappears. */
  cures(refusal: Refusal, from: number, to: number): readonly number[] {
    if (from === to || !this.isCure(refusal, from, to)) return [];
    if (to - from === 1) return [from];
    const middle = (from + to) >> 1;
    return [...this.cures(refusal, from, middle), ...this.cures(refusal, middle, to)];
  }
}

/** The values that cause a refusal. Of several without which it disappears, those that the message shows come before switches. */
function causesOf(refusal: Refusal, trials: Trials): readonly Path[] {
  if (trials.isOver) return [[]];
  const { candidates } = trials;
  const isShown = (text: string): boolean => text.length > 1 && refusal.message.includes(text);
  const paths = (indexes: readonly number[]): readonly Path[] => indexes.map((i) => candidates[i]?.path ?? []);
  const shown = [...candidates.keys()].filter((i) => isShown(candidates[i]?.text ?? '') && trials.isCure(refusal, i, i + 1));
  if (shown.length > 0) return paths(shown);
  const cures = trials.cures(refusal, 0, candidates.length);
  const kept = cures.filter((i) => trials.without(i, i + 1)?.kinds.has(refusal.object.kind) === true);
  const causes = kept.length > 0 ? kept : cures;
  return causes.length === 0 ? [[]] : paths(causes);
}

function refusalsOf(objects: readonly KubernetesObject[]): readonly Refusal[] {
  const all = objects.flatMap((object) =>
    refusedFields(object).map(({ field, message }) => {
      const place = JSON.stringify([object.apiVersion, object.kind, field]);
      return { object, field, message, place, identity: place };
    }),
  );
  const seen = new Set<string>();
  const crowded = new Set(all.flatMap(({ place }) => (seen.has(place) ? [place] : (seen.add(place), []))));
  return all.map((refusal) => (crowded.has(refusal.place) ? { ...refusal, identity: exact(refusal) } : refusal));
}

function exact({ place, message }: Pick<Refusal, 'place' | 'message'>): string {
  return `${place} ${message}`;
}

function identities(refusals: readonly Refusal[]): ReadonlySet<string> {
  return new Set(refusals.flatMap((refusal) => [refusal.place, exact(refusal)]));
}

/** Paths of all values that are no maps; a list is one value. */
function leaves(values: JsonObject, path: Path): readonly { readonly path: Path; readonly value: Json | undefined }[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isObject(value) && Object.keys(value).length > 0 ? leaves(value, [...path, key]) : [{ path: [...path, key], value }],
  );
}

function dropAll(values: JsonObject, dropped: readonly Candidate[]): JsonObject {
  const gone = new Set(dropped.map(({ path }) => JSON.stringify(path)));
  const keep = (value: JsonObject, path: Path): JsonObject =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const here = [...path, name];
        if (gone.has(JSON.stringify(here))) return [];
        return [[name, isObject(inner) ? keep(inner, here) : inner]];
      }),
    );
  return keep(values, []);
}

/** Rendered objects that the API server or the kubelet would refuse, reported at the values that cause it. */
import type { Issue, KubernetesObject } from '../api/index.ts';
import { formatPath, isList, isObject, isWithin, type Json, type JsonObject, type Path, valueAt } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { type FieldError, refusedFields } from '../rejections/index.ts';
import { malformedImages } from './malformed-images.ts';

interface Refusal {
  readonly object: KubernetesObject;
  readonly code: 'refused_by_api_server' | 'malformed_image';
  readonly type: FieldError['type'];
  /** The field of the object; for an image, what its reference must be. */
  readonly field: Path;
  readonly message: string;
  /** Identifies the refusal in another rendering: the shortest of its keys that is unique. */
  readonly identity: string;
}

/**
 * Errors about objects that the API server or the kubelet would refuse, each at the values that cause it: without them the object is not refused. They are
 * found by bisection, rendering again without half of the values. Errors about values that are already reported, or that these may cause, are left out.
 */
export function refusedObjects(
  objects: readonly KubernetesObject[],
  values: JsonObject,
  render: (values: JsonObject) => readonly KubernetesObject[],
  reported: readonly Issue[] = [],
): readonly Issue[] {
  // A field may be missing because of a missing value, which is already reported.
  const isIncomplete = reported.some(({ code }) => code === 'required');
  const refusals = refusalsOf(objects).filter(({ type }) => !isIncomplete || type !== 'required');
  if (refusals.length === 0) return [];
  const trials = new Trials(values, render);
  const found = new Map<string, Issue>();
  for (const refusal of refusals) {
    const causes = causesOf(refusal, trials);
    if (causes.some((path) => isReported(path, reported))) continue;
    for (const path of causes) {
      const fault = JSON.stringify([path, faultOf(refusal, path, values)]);
      if (!found.has(fault)) found.set(fault, issueOf(refusal, path));
    }
  }
  return [...found.values()];
}

function issueOf({ object, code, field, message }: Refusal, path: Path): Issue {
  const name = `${object.kind} ${object.metadata.name}`;
  const details =
    code === 'malformed_image'
      ? `no node can pull the image of ${name}: ${message}`
      : `the API server refuses ${name}: ${formatPath(field)}: ${message}`;
  return { path, code, message: details };
}

/** Whether an issue about a value is already reported; an error without a cause may follow from any issue. */
function isReported(path: Path, reported: readonly Issue[]): boolean {
  if (path.length === 0) return reported.length > 0;
  return reported.some((issue) => issue.path.length > 0 && (isWithin(path, issue.path) || isWithin(issue.path, path)));
}

/** A key that distinguishes the errors of one value, however often it is rendered: a scalar has one error, a list one for each field of an item. */
function faultOf({ field, identity }: Refusal, path: Path, values: JsonObject): Path {
  if (path.length === 0) return [identity];
  return isList(valueAt(values, ...path)) ? field.slice(field.findLastIndex((step) => typeof step === 'number')) : [];
}

/** The result of rendering without some values. */
interface Trial {
  readonly kinds: ReadonlySet<string>;
  readonly refusals: ReadonlySet<string>;
}

/** A value that may be the cause. */
interface Candidate {
  readonly path: Path;
  /** The value as messages show it. */
  readonly formatted: string;
}

/** Limits of the search: renderings, values and refusals. Refusals beyond them are reported without the value that causes them. */
const searchLimits = { trials: 150, values: 1_000_000, refusals: 50_000 } as const;

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
    this.candidates = leaves(values, []).map(({ path, value }) => ({ path, formatted: showValue(value) }));
  }

  /** Whether the limit of renderings is reached. */
  get isOver(): boolean {
    const { trials, values, refusals } = searchLimits;
    const { size } = this.#done;
    return size >= trials || size * this.candidates.length >= values || this.#refusals >= refusals;
  }

  /** The result of rendering without a range of the candidates; undefined if the limit is reached. */
  without(from: number, to: number): Trial | undefined {
    const known = this.#done.get(`${from} ${to}`);
    if (known !== undefined || this.isOver) return known;
    const left = this.#render(dropAll(this.#values, this.candidates.slice(from, to)));
    const refused = refusalsOf(left);
    this.#refusals += refused.length;
    const trial = { kinds: new Set(left.map(({ kind }) => kind)), refusals: allIdentities(refused) };
    this.#done.set(`${from} ${to}`, trial);
    return trial;
  }

  /** Whether a refusal disappears without the values of a range. */
  isCure(refusal: Refusal, from: number, to: number): boolean {
    return this.without(from, to)?.refusals.has(refusal.identity) === false;
  }

  /** Indexes of the single values in a range whose removal makes the refusal go away. */
  cures(refusal: Refusal, from: number, to: number): readonly number[] {
    if (from === to || !this.isCure(refusal, from, to)) return [];
    if (to - from === 1) return [from];
    const middle = (from + to) >> 1;
    return [...this.cures(refusal, from, middle), ...this.cures(refusal, middle, to)];
  }
}

/** The values that cause a refusal. If removing any one of several values cures it, those that the message shows are preferred to switches. */
function causesOf(refusal: Refusal, trials: Trials): readonly Path[] {
  if (trials.isOver) return [[]];
  const { candidates } = trials;
  const isShown = (formatted: string): boolean => formatted.length > 1 && refusal.message.includes(formatted);
  const paths = (indexes: readonly number[]): readonly Path[] => indexes.map((i) => candidates[i]?.path ?? []);
  const shown = [...candidates.keys()].filter((i) => isShown(candidates[i]?.formatted ?? '') && trials.isCure(refusal, i, i + 1));
  if (shown.length > 0) return paths(shown);
  const cures = trials.cures(refusal, 0, candidates.length);
  const kept = cures.filter((i) => trials.without(i, i + 1)?.kinds.has(refusal.object.kind) === true);
  const causes = kept.length > 0 ? kept : cures;
  return causes.length === 0 ? [[]] : paths(causes);
}

/** Keys of a refusal, the shortest first: in another rendering the object may have another name, and the message other values. */
const identities: readonly ((refusal: Omit<Refusal, 'identity'>) => string)[] = [
  ({ object, field }) => JSON.stringify([object.apiVersion, object.kind, field]),
  ({ object, field, message }) => JSON.stringify([object.apiVersion, object.kind, field, message]),
  ({ object, field, message }) => JSON.stringify([object.apiVersion, object.kind, object.metadata.name, field, message]),
];

function refusalsOf(objects: readonly KubernetesObject[]): readonly Refusal[] {
  const all = objects.flatMap((object) => [
    ...refusedFields(object).map((error) => ({ object, code: 'refused_by_api_server' as const, ...error })),
    ...malformedImages(object).map(({ image, reason }) => ({
      object,
      code: 'malformed_image' as const,
      type: 'invalid' as const,
      field: [reason],
      message: `it ${reason}, got ${JSON.stringify(image)}; write REGISTRY/REPOSITORY:TAG`,
    })),
  ]);
  const times = new Map<string, number>();
  for (const refusal of all)
    for (const identity of identities) times.set(identity(refusal), (times.get(identity(refusal)) ?? 0) + 1);
  return all.map((refusal) => {
    const known = identities.map((identity) => identity(refusal));
    return { ...refusal, identity: known.find((identity) => times.get(identity) === 1) ?? known.at(-1) ?? '' };
  });
}

function allIdentities(refusals: readonly Refusal[]): ReadonlySet<string> {
  return new Set(refusals.flatMap((refusal) => identities.map((identity) => identity(refusal))));
}

/** Paths of all values that are not maps; a list is one value. */
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

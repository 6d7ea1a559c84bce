/** Rendered objects that the API server would refuse, told of the values that cause it. */
import type { Issue } from '../api/index.ts';
import { formatPath, isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { refusedFields } from '../rejections/index.ts';
import type { KubernetesObject } from './part.ts';

interface Refusal {
  readonly object: KubernetesObject;
  readonly field: Path;
  readonly message: string;
}

/**
 * What the API server would refuse of the objects, each with the values that cause it: those without which it does not come about. The values
 * are found by rendering again without them, one after the other.
 */
export function refusedObjects(
  objects: readonly KubernetesObject[],
  values: JsonObject,
  render: (values: JsonObject) => readonly KubernetesObject[],
): readonly Issue[] {
  const refusals = refusalsOf(objects);
  if (refusals.length === 0) return [];
  const candidates = leaves(values, []).map(({ path, value }): Candidate => {
    let trial: Trial | undefined;
    return { path, text: showValue(value), without: () => (trial ??= tryWithout(path)) };
  });
  const tryWithout = (path: Path): Trial => {
    const left = render(drop(values, path));
    return { kinds: new Set(left.map(({ kind }) => kind)), refusals: new Set(refusalsOf(left).map(identity)) };
  };
  return refusals.flatMap((refusal) => {
    const { kind, metadata } = refusal.object;
    const message = `the API server refuses ${kind} ${metadata.name}: ${formatPath(refusal.field)}: ${refusal.message}`;
    return causesOf(refusal, candidates).map((path) => ({ path, code: 'refused_by_api_server', message }));
  });
}

/** What is rendered without one value. */
interface Trial {
  readonly kinds: ReadonlySet<string>;
  readonly refusals: ReadonlySet<string>;
}

/** A value that may be the cause, and what is rendered without it. */
interface Candidate {
  readonly path: Path;
  readonly text: string;
  readonly without: () => Trial;
}

/** The values that cause a refusal; of several that cure it, those the message shows rather than those that turn something on. */
function causesOf(refusal: Refusal, candidates: readonly Candidate[]): readonly Path[] {
  const isCure = ({ without }: Candidate): boolean => !without().refusals.has(identity(refusal));
  const isShown = ({ text }: Candidate): boolean => text.length > 1 && refusal.message.includes(text);
  const shown = candidates.filter((candidate) => isShown(candidate) && isCure(candidate));
  if (shown.length > 0) return shown.map(({ path }) => path);
  const cures = candidates.filter(isCure);
  const kept = cures.filter(({ without }) => without().kinds.has(refusal.object.kind));
  const causes = kept.length > 0 ? kept : cures;
  return causes.length === 0 ? [[]] : causes.map(({ path }) => path);
}

function refusalsOf(objects: readonly KubernetesObject[]): readonly Refusal[] {
  return objects.flatMap((object) => refusedFields(object).map(({ field, message }) => ({ object, field, message })));
}

function identity({ object, field }: Refusal): string {
  return JSON.stringify([object.apiVersion, object.kind, field]);
}

/** Paths of all values that are no maps; a list is one value. */
function leaves(values: JsonObject, path: Path): readonly { readonly path: Path; readonly value: Json | undefined }[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isObject(value) && Object.keys(value).length > 0 ? leaves(value, [...path, key]) : [{ path: [...path, key], value }],
  );
}

function drop(values: JsonObject, [key, ...rest]: Path): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (name !== key) return [[name, value]];
      return rest.length > 0 && isObject(value) ? [[name, drop(value, rest)]] : [];
    }),
  );
}

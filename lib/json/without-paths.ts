import { isList, isObject, type Json, type JsonObject } from './json.ts';
import type { Path } from './path.ts';

/** A copy of a map without the fields at the given paths. Items of lists stay, so that the others keep their index. */
export function withoutPaths(value: JsonObject, paths: readonly Path[]): JsonObject {
  if (paths.length === 0) return value;
  const kept = Object.entries(value).filter(([key]) => !paths.some((path) => path.length === 1 && path[0] === key));
  return Object.fromEntries(kept.map(([key, member]) => [key, inside(member, below(paths, key))]));
}

function inside(value: Json | undefined, paths: readonly Path[]): Json | undefined {
  if (isList(value)) return value.map((item, index) => inside(item, below(paths, index)) ?? null);
  return isObject(value) ? withoutPaths(value, paths) : value;
}

/** The paths below a key, relative to it. */
function below(paths: readonly Path[], key: string | number): readonly Path[] {
  return paths.filter((path) => path.length > 1 && path[0] === key).map((path) => path.slice(1));
}

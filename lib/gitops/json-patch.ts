import { escapePointerKey, isEqual, isObject, type Json, type PatchOperation } from '../json/index.ts';

/** The operations that turn one value into another. Lists are replaced as a whole unless their items have the same names in the same order. */
export function jsonPatch(from: Json, to: Json, path = ''): readonly PatchOperation[] {
  if (isEqual(from, to)) return [];
  if (isObject(from) && isObject(to)) {
    const removed = Object.keys(from).filter((k) => to[k] === undefined && from[k] !== undefined);
    return [
      ...removed.map((k) => ({ op: 'remove' as const, path: `${path}/${escapePointerKey(k)}` })),
      ...Object.entries(to).flatMap(([k, value]): readonly PatchOperation[] => {
        if (value === undefined) return [];
        const before = from[k];
        const at = `${path}/${escapePointerKey(k)}`;
        return before === undefined ? [{ op: 'add', path: at, value }] : jsonPatch(before, value, at);
      }),
    ];
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    const pairs: readonly (readonly [Json, Json])[] = from.map((item: Json, i) => [item, to[i] as Json]);
    if (pairs.every(([a, b]) => isObject(a) && isObject(b) && a['name'] === b['name']))
      return pairs.flatMap(([a, b], i) => jsonPatch(a, b, `${path}/${i}`));
  }
  return [{ op: 'replace', path, value: to }];
}

/** JSON values: types, access by keys, paths and pointers, comparison, key order. Independent of Kubernetes. */
export { append } from './append.ts';
export { byteLength } from './byte-length.ts';
export { byteOrder, sortedDeep, sortedEntries, sortedKeys } from './byte-order.ts';
export { isEqual } from './equal.ts';
export { isList, isObject, type Json, type JsonObject } from './json.ts';
export { maximum } from './maximum.ts';
export { parseJsonObject } from './parse-object.ts';
export { formatPath, isWithin, type Path } from './path.ts';
export type { PatchOperation } from './patch-operation.ts';
export { escapePointerKey, parsePointer, resolvePointer } from './pointer.ts';
export { printable, printableLines } from './printable.ts';
export {
  findCount,
  findNumber,
  findObject,
  findString,
  isTrueAt,
  listAt,
  objectAt,
  objectsAt,
  stringAt,
  stringMapAt,
  valueAt,
} from './read.ts';
export { setKey } from './set-key.ts';
export { trimEndOf } from './trim.ts';
export { withoutNulls } from './without-nulls.ts';
export { withoutPaths } from './without-paths.ts';

import { isObject, type Json } from './json.ts';
import type { Path } from './path.ts';

/** Escapes one key of a JSON pointer: `~` becomes `~0`, `/` becomes `~1` (RFC 6901, section 3). */
export function escapePointerKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The keys of a JSON pointer, or undefined if the string is not one. The empty pointer refers to the whole value. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  // `~1` first, so that `~01` becomes `~1` and not `/` (RFC 6901, section 4).
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The path of a JSON pointer and the value there; a key is a list index if its parent is a list. */
export function resolvePointer(root: Json, pointer: string): { readonly path: Path; readonly value: Json | undefined } {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const key of parsePointer(pointer) ?? []) {
    path.push(Array.isArray(value) ? Number(key) : key);
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  }
  return { path, value };
}

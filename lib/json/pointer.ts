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

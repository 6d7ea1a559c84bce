/** One key of a JSON pointer as RFC 6901 section 3 writes it: `~` as `~0`, `/` as `~1`. */
export function escapePointerKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The keys of a JSON pointer; undefined where a text is none. The empty pointer means the whole value. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  // `~1` first, so that `~01` becomes `~1` and not `/` (RFC 6901, section 4).
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Recognizes, without parsing, watch events that repeat the answer to one of the operator's own writes. */

const types = ['ADDED', 'MODIFIED'].map((type) => Buffer.from(`{"type":"${type}",`));
// Without the first quote: the search is faster for a string that begins with a rare character.
const versionMember = Buffer.from('resourceVersion":"');
const quote = 0x22;

/**
 * Whether an event has a version for which `isWritten` is true; false where only parsing can tell.
 *
 * No two objects have the same version. Quotes inside JSON strings are escaped, so no string value can look like a member. A label may have the name
 * of the member too; then all values must be equal.
 */
export function isOwnEcho(event: Buffer, isWritten: (version: string) => boolean): boolean {
  if (!types.some((start) => start.equals(event.subarray(0, start.length)))) return false;
  let found: string | undefined;
  for (let at = event.indexOf(versionMember); at >= 0; at = event.indexOf(versionMember, at + 1)) {
    if (event[at - 1] !== quote) continue;
    const start = at + versionMember.length;
    const version = event.toString('latin1', start, event.indexOf(quote, start));
    if (version !== (found ?? version)) return false;
    found = version;
  }
  return found !== undefined && isWritten(found);
}

/** Looks into events of a watch without parsing them, which is most of what an event costs. */

const types = ['ADDED', 'MODIFIED', 'DELETED'].map((type) => Buffer.from(`{"type":"${type}",`));
// Without the first quote: the search is fast for a needle that begins with a rare character.
const uidMember = Buffer.from('uid":"');
const quote = 0x22;

/**
 * Whether an event is about an object that is neither ours nor known; false where only parsing can tell.
 *
 * Every object of ours has the marker in its JSON. One that we know and that lost it is recognized by its uid, which is among those in the
 * event: quotes inside strings are escaped, so no string hides or feigns a member.
 */
export function isForeignEvent(event: Buffer, marker: Buffer, isKnown: (uid: string) => boolean): boolean {
  if (!types.some((start) => start.equals(event.subarray(0, start.length))) || event.includes(marker)) return false;
  let at = event.indexOf(uidMember);
  if (at < 0) return false;
  for (; at >= 0; at = event.indexOf(uidMember, at + 1)) {
    const start = at + uidMember.length;
    if (isKnown(event.toString('latin1', start, event.indexOf(quote, start)))) return false;
  }
  return true;
}

/** Examines events of a watch without parsing them, since parsing is most of an event's cost. */

const added = Buffer.from('{"type":"ADDED",');
const types = [added, ...['MODIFIED', 'DELETED'].map((type) => Buffer.from(`{"type":"${type}",`))];
// Without the first quote: the search is faster for a string that begins with a rare character.
const uidMember = Buffer.from('uid":"');
const quote = 0x22;
/** The end of the object and of the event. */
const end = Buffer.from('}}');

/**
 * Whether an event is about an object that neither belongs to the operator nor is in the store; false where only parsing can tell.
 *
 * Every object of the operator has the marker in its JSON. A stored object that lost the marker is recognized by its uid in the event. Quotes inside
 * JSON strings are escaped, so no string value can look like a member.
 */
export function isForeignEvent(event: Buffer, marker: Buffer, isKnown: (uid: string) => boolean): boolean {
  // What a break has cut off may have had the marker.
  if (!types.some((type) => startsWith(event, type)) || !event.subarray(-2).equals(end) || event.includes(marker)) return false;
  let at = event.indexOf(uidMember);
  if (at < 0) return false;
  for (; at >= 0; at = event.indexOf(uidMember, at + 1)) {
    const start = at + uidMember.length;
    if (isKnown(event.toString('latin1', start, event.indexOf(quote, start)))) return false;
  }
  return true;
}

/** Whether an event shows an object for the first time. */
export function isAddition(event: Buffer): boolean {
  return startsWith(event, added);
}

function startsWith(event: Buffer, start: Buffer): boolean {
  return start.equals(event.subarray(0, start.length));
}

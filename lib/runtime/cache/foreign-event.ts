/** Looks into events of a watch without parsing them, which is most of what an event costs. */

const types = ['ADDED', 'MODIFIED', 'DELETED'].map((type) => Buffer.from(`{"type":"${type}",`));
const uidMember = Buffer.from('"uid":"');
const versionMember = Buffer.from('"resourceVersion":"');
const quote = 0x22;

/**
 * The version in an event about an object that is neither ours nor known; `undefined` when only parsing can tell.
 *
 * Every object of ours has the marker in its JSON. One that we know and that lost it is recognized by its uid, which is among those in the
 * event. Quotes inside strings are escaped, so no string can hold a member; the first version is the object's own, since metadata comes before
 * everything that could name another.
 */
export function foreignVersion(event: Buffer, marker: string, isKnown: (uid: string) => boolean): string | undefined {
  if (!types.some((start) => event.subarray(0, start.length).equals(start)) || event.includes(marker)) return undefined;
  let at = event.indexOf(uidMember);
  if (at < 0) return undefined;
  for (; at >= 0; at = event.indexOf(uidMember, at + 1)) if (isKnown(valueAt(event, at + uidMember.length))) return undefined;
  const version = event.indexOf(versionMember);
  return version < 0 ? undefined : valueAt(event, version + versionMember.length);
}

function valueAt(event: Buffer, start: number): string {
  return event.toString('latin1', start, event.indexOf(quote, start));
}

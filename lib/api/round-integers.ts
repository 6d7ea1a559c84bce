import { isObject, type Json } from '../json/index.ts';
import { fitsInt64 } from './integer.ts';

type Container = Json[] | Record<string, Json>;

function emptyLike(value: object): Container {
  return Array.isArray(value) ? [] : {};
}

function isContainer(value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json | undefined } {
  return Array.isArray(value) || isObject(value);
}

function isGreat(value: unknown): boolean {
  return typeof value === 'bigint' && !fitsInt64(value);
}

/** Whether some number in the value needs more than 64 bits. Walks without recursion: free-form content may be nested deeply. */
function hasGreatInteger(value: Json): boolean {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isGreat(next)) return true;
    if (isContainer(next)) for (const member of Object.values(next)) if (member !== undefined) pending.push(member);
  }
  return false;
}

/** Free-form content as the API server keeps it: integers beyond 64 bits become floating point numbers. */
export function roundIntegers(value: Json): Json {
  if (!hasGreatInteger(value)) return value;
  const root: Json[] = [];
  const pending: { readonly from: object; readonly to: Container }[] = [{ from: [value], to: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, member] of Object.entries(next.from)) {
      const copy = isContainer(member) ? emptyLike(member) : isGreat(member) ? Number(member) : member;
      if (isContainer(member)) pending.push({ from: member, to: copy });
      // Defined, not assigned: `__proto__` is a key like any other.
      Object.defineProperty(next.to, key, { value: copy, enumerable: true, configurable: true, writable: true });
    }
  }
  return root[0] ?? value;
}

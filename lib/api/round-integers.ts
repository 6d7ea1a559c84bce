import { isObject, type Json } from '../json/index.ts';
import { fitsInt64 } from './integer.ts';

type Container = Json[] | Record<string, Json>;

function emptyLike(value: object): Container {
  return Array.isArray(value) ? [] : {};
}

function isContainer(value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json | undefined } {
  return Array.isArray(value) || isObject(value);
}

function exceedsInt64(value: unknown): boolean {
  return typeof value === 'bigint' && !fitsInt64(value);
}

/** Whether a value contains an integer beyond 64 bits. Not recursive, since free-form content may be nested deeply. */
function hasLargeInteger(value: Json): boolean {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (exceedsInt64(next)) return true;
    if (isContainer(next)) for (const member of Object.values(next)) if (member !== undefined) pending.push(member);
  }
  return false;
}

/** Converts free-form content as the API server does: integers beyond 64 bits become floating-point numbers. */
export function roundIntegers(value: Json): Json {
  if (!hasLargeInteger(value)) return value;
  const root: Json[] = [];
  const pending: { readonly from: object; readonly to: Container }[] = [{ from: [value], to: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, member] of Object.entries(next.from)) {
      const copy = isContainer(member) ? emptyLike(member) : exceedsInt64(member) ? Number(member) : member;
      if (isContainer(member)) pending.push({ from: member, to: copy });
      // An assignment to `__proto__` would replace the prototype.
      Object.defineProperty(next.to, key, { value: copy, enumerable: true, configurable: true, writable: true });
    }
  }
  return root[0] ?? value;
}

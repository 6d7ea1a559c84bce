import { setKey } from './set-key.ts';

/** Removes fields that are null or undefined, at every level; items of lists stay. A value without any is returned as it is, not copied. */
export function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutNulls(item));
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  const out: Record<string, unknown> = {};
  let same = true;
  for (const key of Object.keys(value)) {
    const member: unknown = value[key as keyof T];
    const kept = withoutNulls(member);
    const isKept = kept !== null && kept !== undefined;
    if (isKept) setKey(out, key, kept);
    same &&= isKept && kept === member;
  }
  return same ? value : (out as T);
}

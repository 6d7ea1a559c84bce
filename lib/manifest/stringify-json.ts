import type { Json } from '../json/index.ts';

/** Serializes JSON with all digits of a `bigint` and keys in insertion order; `indent` is the number of spaces per level. */
export function stringifyJson(value: Json, indent = 0): string {
  return write(value, indent > 0 ? ' '.repeat(indent) : '', indent > 0 ? '\n' : '');
}

function write(value: Json | undefined, step: string, lead: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = lead + step;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    return items.length === 0 ? '[]' : `[${inner}${items.map((item) => write(item, step, inner)).join(`,${inner}`)}${lead}]`;
  }
  const colon = lead === '' ? ':' : ': ';
  const members: string[] = [];
  for (const [key, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(key)}${colon}${write(member, step, inner)}`);
  return members.length === 0 ? '{}' : `{${inner}${members.join(`,${inner}`)}${lead}}`;
}

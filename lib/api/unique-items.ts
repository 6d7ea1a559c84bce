import { isObject, type Json, type Path, sortedKeys } from '../json/index.ts';
import type { Schema } from './schema/dsl.ts';
import { shown, type Cause, type SchemaIssue } from './schema-issue.ts';

/** A position in an object; `key` marks a key of a map. */
export interface Step {
  readonly name: string | number;
  readonly key: boolean;
}

/** Writes a place as the API server's list checks do: map keys in brackets, unlike all its other errors. */
function bracketed(steps: readonly Step[], index: number): string {
  const text = steps
    .map(({ name, key }, at) => (key || typeof name === 'number' ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('');
  return `${text}[${index}]`;
}

/** A text that is equal for equal values, whatever the order of their keys. */
function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isObject(value)) {
    return `{${sortedKeys(value)
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
      .join()}}`;
  }
  return typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? '');
}

function identity(schema: Schema, item: Json): Json {
  if (schema.listType === 'set') return item;
  const fields = isObject(item) ? item : {};
  return Object.fromEntries((schema.listMapKeys ?? []).flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])));
}

function describe(schema: Schema, item: Json): string {
  if (schema.listType === 'set') return shown(item);
  const keys = Object.entries(isObject(item) ? item : {}).map(([key, value]) => `${key} ${shown(value)}`);
  return keys.length === 0 ? `no ${(schema.listMapKeys ?? []).join(' and ')}` : keys.join(' and ');
}

/** Checks that the items of a set, or the keys of a map list, differ. As the API server, reports the second of equals and no third. */
export function uniqueItems(schema: Schema, items: readonly Json[], steps: readonly Step[]): readonly SchemaIssue[] {
  const at = (index: number): Path => [...steps.map((step) => step.name), index];
  const cause = (index: number, reason: Cause['reason']): Cause => ({ field: bracketed(steps, index), reason });
  if (schema.listType === 'map') {
    const odd = items.findIndex((item) => item !== null && !isObject(item));
    if (odd !== -1) {
      return [
        {
          path: at(odd),
          code: 'type',
          message: `must be an object, got ${shown(items[odd])}`,
          causes: [cause(odd, 'FieldValueInvalid')],
        },
      ];
    }
  }
  if (items.length <= 1) return [];
  const seen = new Map<string, number[]>();
  items.forEach((item, index) => {
    const text = canonical(identity(schema, item));
    const places = seen.get(text);
    if (places === undefined) seen.set(text, [index]);
    else if (places.length === 1) places.push(index);
  });
  return [...seen.values()].flatMap(([first = 0, second]) => {
    if (second === undefined) return [];
    const message = `duplicate of entry ${first}: both have ${describe(schema, identity(schema, items[second] ?? null))}`;
    return [{ path: at(second), code: 'duplicate', message, causes: [cause(second, 'FieldValueDuplicate')] }];
  });
}

import { isObject, type Json, type Path, sortedKeys } from '../json/index.ts';
import type { Schema } from './schema/dsl.ts';
import { shown, type Cause, type SchemaIssue } from './schema-issue.ts';

/** One step of a path; `key` is true for the key of a map. */
export interface PathStep {
  readonly name: string | number;
  readonly key: boolean;
}

/**
 * Formats a path as the API server's checks of lists do: map keys are in brackets, unlike in its other errors
 * (`ValidateListSetsAndMaps` of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype).
 */
function formatListPath(steps: readonly PathStep[], index: number): string {
  const formatted = steps
    .map(({ name, key }, at) => (key || typeof name === 'number' ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('');
  return `${formatted}[${index}]`;
}

/** Serializes a value so that equal values give equal strings, regardless of key order. */
function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (isObject(value)) {
    return `{${sortedKeys(value)
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
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

/** Validates that the items of a set, or the keys of a map list, are unique. Like the API server, reports only the first duplicate of an item. */
export function uniqueItems(schema: Schema, items: readonly Json[], steps: readonly PathStep[]): readonly SchemaIssue[] {
  const at = (index: number): Path => [...steps.map((step) => step.name), index];
  const cause = (index: number, reason: Cause['reason']): Cause => ({ field: formatListPath(steps, index), reason });
  if (schema.listType === 'map') {
    const invalid = items.findIndex((item) => item !== null && !isObject(item));
    if (invalid !== -1) {
      return [
        {
          path: at(invalid),
          code: 'type',
          message: `must be an object, got ${shown(items[invalid])}`,
          causes: [cause(invalid, 'FieldValueInvalid')],
        },
      ];
    }
  }
  if (items.length <= 1) return [];
  const seen = new Map<string, number[]>();
  items.forEach((item, index) => {
    const key = canonicalJson(identity(schema, item));
    const indexes = seen.get(key);
    if (indexes === undefined) seen.set(key, [index]);
    else if (indexes.length === 1) indexes.push(index);
  });
  return [...seen.values()].flatMap(([first = 0, second]) => {
    if (second === undefined) return [];
    const message = `duplicate of entry ${first}: both have ${describe(schema, identity(schema, items[second] ?? null))}`;
    return [{ path: at(second), code: 'duplicate', message, causes: [cause(second, 'FieldValueDuplicate')] }];
  });
}

import { isDate } from './string-format.ts';
import type { Issue } from './issue.ts';
import { isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import { fitsInt64 } from './integer.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';
import { unknownField } from './unknown-field.ts';

/** Decoded metadata: the value to store, the decoding errors and the unknown fields. */
export interface DecodedMetadata {
  readonly value: JsonObject;
  readonly issues: readonly SchemaIssue[];
  readonly unknown: readonly Issue[];
}

interface Context {
  readonly issues: SchemaIssue[];
  readonly unknown: Issue[];
}

/** Maximum number of unknown fields reported. */
const maxUnknownFields = 100;

/** Decodes one field to its stored value; undefined drops the field. `null` is the zero value, as in Go. */
type Decoder = (value: Json, path: Path, context: Context) => Json | undefined;

const fail = (expected: string, value: Json, path: Path, context: Context): undefined => {
  context.issues.push(decodeIssue(path, `must be ${expected}, got ${shown(value)}`));
};

const string: Decoder = (value, path, context) => {
  if (value === null) return '';
  return typeof value === 'string' ? value : fail('a string', value, path, context);
};

const boolean: Decoder = (value, path, context) => {
  if (value === null) return undefined;
  return typeof value === 'boolean' ? value : fail('true or false', value, path, context);
};

const integer: Decoder = (value, path, context) => {
  if (value === null) return undefined;
  return Number.isSafeInteger(value) || (typeof value === 'bigint' && fitsInt64(value))
    ? value
    : fail('an integer', value, path, context);
};

/** RFC 3339 as Go's `time.Parse` accepts it: the fraction may follow a comma, the offset may have 24 hours and 60 minutes. */
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]([01]\d|2[0-4]):([0-5]\d|60))$/;

const time: Decoder = (value, path, context) => {
  if (value === null) return undefined;
  const day = typeof value === 'string' ? rfc3339.exec(value)?.[1] : undefined;
  return day !== undefined && isDate(day) ? value : fail('a time such as 2026-01-31T12:00:00Z', value, path, context);
};

const stringMap: Decoder = (value, path, context) => {
  if (value === null) return undefined;
  if (!isObject(value)) return fail('an object', value, path, context);
  const entries = Object.entries(value).map(
    ([key, member]) => [key, string(member ?? null, [...path, key], context) ?? ''] as const,
  );
  return Object.fromEntries(entries);
};

const listOf =
  (item: Decoder): Decoder =>
  (value, path, context) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) return fail('a list', value, path, context);
    return value.map((member, index) => item(member, [...path, index], context) ?? null);
  };

const objectOf =
  (fields: Readonly<Record<string, Decoder>>, alwaysStored: readonly string[] = []): Decoder =>
  (value, path, context) => {
    if (value !== null && !isObject(value)) return fail('an object', value, path, context);
    const entries = Object.entries(value ?? {}).flatMap(([key, member]): (readonly [string, Json])[] => {
      const decode = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (decode === undefined) {
        if (context.unknown.length < maxUnknownFields)
          context.unknown.push(unknownField([...path, key], key, Object.keys(fields)));
        return [];
      }
      const decoded = decode(member ?? null, [...path, key], context);
      return decoded === undefined || (isEmpty(decoded) && !alwaysStored.includes(key)) ? [] : [[key, decoded]];
    });
    return Object.fromEntries([...alwaysStored.map((key) => [key, ''] as const), ...entries]);
  };

function isEmpty(value: Json): boolean {
  if (value === '' || value === 0) return true;
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0;
}

const unchanged: Decoder = (value) => value;

const ownerReference = objectOf(
  { apiVersion: string, kind: string, name: string, uid: string, controller: boolean, blockOwnerDeletion: boolean },
  ['apiVersion', 'kind', 'name', 'uid'],
);

const objectMeta = objectOf({
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: integer,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: stringMap,
  annotations: stringMap,
  ownerReferences: listOf(ownerReference),
  finalizers: listOf(string),
  managedFields: unchanged,
});

/**
 * Decodes metadata as the API server does: unknown and empty fields are dropped, null counts as absent
 * (`GetObjectMetaWithOptions` of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta).
 */
export function decodeMetadata(value: Json | undefined, path: Path): DecodedMetadata {
  const context: Context = { issues: [], unknown: [] };
  const decoded = objectMeta(value ?? null, path, context);
  return { value: isObject(decoded) ? decoded : {}, ...context };
}

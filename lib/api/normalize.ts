import { celIssues } from './cel-rules.ts';
import type { DynamoResource } from './generated/types.ts';
import { validators } from './generated/validators.js';
import type { Issue } from './issue.ts';
import { isObject, type Json, type JsonObject } from '../json/index.ts';
import { metadataIssues } from './metadata-rules.ts';
import { decodeMetadata, type DecodedMetadata } from './decode-metadata.ts';
import type { Schema } from './schema/dsl.ts';
import type { Kind } from './schema/kinds.ts';
import { schemaIssue, type SchemaIssue } from './schema-issue.ts';
import { scaleIssues } from './scale-subresource.ts';
import { classifyResource, type ServedKind } from './dynamo-resource.ts';
import { Pruner } from './prune-and-default.ts';
import { issuesOf } from './validator-errors.ts';

/** The result of submitting an object to the API server. */
export interface Normalized {
  /** The object's kind if it is a Dynamo resource of a served version, else undefined. */
  readonly kind: Kind | undefined;
  /** The object as stored: defaulted, without unknown fields and nulls. An object of another group is unchanged. */
  readonly value: Json;
  /** Why the API server rejects the object; empty if it accepts it. */
  readonly issues: readonly SchemaIssue[];
  /** Fields that the API server prunes without an error. */
  readonly warnings: readonly Issue[];
}

/** Options of `normalizeResource`. */
export interface NormalizeOptions {
  /**
   * Whether to keep `status`.
   * @default - `drop`, as on creation; `keep` validates and keeps it, as a write to the status subresource does
   */
  readonly status?: 'drop' | 'keep';
}

/** Computes what the API server stores for an object, or why it rejects it. Never changes its input. */
export function normalizeResource(value: Json, options: NormalizeOptions = {}): Normalized {
  const unchanged: Normalized = { kind: undefined, value, issues: [], warnings: [] };
  if (!isObject(value)) return unchanged;
  const resource = classifyResource(value);
  switch (resource.is) {
    case 'dynamo':
      return normalizeKind(resource.served, value, options.status === 'keep');
    case 'unserved':
      return { ...unchanged, issues: [resource.issue] };
    case 'doubtful':
      return { ...unchanged, warnings: [resource.issue] };
    case 'other':
      return unchanged;
  }
}

/** A resource that passes every check of the API server, or the issues why it does not. */
export type Parsed =
  | { readonly resource: DynamoResource; readonly warnings: readonly Issue[] }
  | { readonly resource?: undefined; readonly issues: readonly SchemaIssue[]; readonly warnings: readonly Issue[] };

/** Parses JSON as one of our resources and applies defaults. */
export function parseResource(value: Json, options: NormalizeOptions = {}): Parsed {
  const { kind, value: stored, issues, warnings } = normalizeResource(value, options);
  if (kind !== undefined && issues.length === 0) return { resource: stored as unknown as DynamoResource, warnings };
  const notOurs = schemaIssue(['apiVersion'], 'type', 'FieldValueInvalid', 'must be a resource of nvidia.com/v1alpha1');
  return { issues: issues.length === 0 ? [notOurs] : issues, warnings };
}

function normalizeKind(served: ServedKind, value: JsonObject, keepStatus: boolean): Normalized {
  const pruner = new Pruner();
  const metadata = decodeMetadata(value['metadata'], ['metadata']);
  const { status, ...rest } = pruner.object(rootOf(served, keepStatus), value);
  const stored: JsonObject = { ...rest, metadata: metadata.value, ...(keepStatus && status !== undefined ? { status } : {}) };
  const { findings } = pruner;
  const issues = [
    ...findings.undecodable,
    ...(keepStatus ? [] : undecodableStatus(served, status)),
    ...metadata.issues,
    ...metadataIssues(metadata.value, ['metadata']).filter((issue) => !isUndecoded(issue, metadata)),
    ...schemaIssues(served, stored),
    ...findings.duplicates,
  ];
  return {
    kind: served.kind,
    value: stored,
    issues: mergeIssues([...issues, ...celIssues(issues, findings.celTargets)]),
    warnings: [...metadata.unknown, ...findings.unknown],
  };
}

/** Whether the field of an issue failed to decode, so that it is empty only for that reason. */
function isUndecoded(issue: SchemaIssue, metadata: DecodedMetadata): boolean {
  return metadata.issues.some((other) => other.path.every((part, at) => issue.path[at] === part));
}

const roots = new WeakMap<ServedKind, { readonly keep: Schema; readonly drop: Schema }>();

/** The schema of the whole object. Metadata, and a status that is dropped, are decoded separately. */
function rootOf(served: ServedKind, keepStatus: boolean): Schema {
  let schemas = roots.get(served);
  if (schemas === undefined) {
    const { spec, status } = served;
    const freeForm: Schema = { type: 'object', preserveUnknown: true };
    const root = (status: Schema | undefined): Schema => ({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: freeForm,
        spec,
        ...(status === undefined ? {} : { status }),
      },
    });
    schemas = { keep: root(status), drop: root(status === undefined ? undefined : freeForm) };
    roots.set(served, schemas);
  }
  return keepStatus ? schemas.keep : schemas.drop;
}

/** The API server decodes a status before it drops it, so an invalid one still makes the object undecodable. */
function undecodableStatus(served: ServedKind, status: Json | undefined): readonly SchemaIssue[] {
  if (served.status === undefined || status === undefined) return [];
  const pruner = new Pruner();
  pruner.store(served.status, status, 'status');
  return pruner.findings.undecodable;
}

/** Maximum number of schema errors reported. */
const maxErrors = 10_000;

function schemaIssues(served: ServedKind, stored: JsonObject): readonly SchemaIssue[] {
  const validate = validators[served.kind];
  const issues = validate(stored) ? [] : issuesOf((validate.errors ?? []).slice(0, maxErrors), stored);
  return served.scale === undefined ? issues : [...issues, ...scaleIssues(served.scale, stored)];
}

/** Codes of issues that repeat an earlier issue about the same field. */
const repeatingCodes: ReadonlySet<string> = new Set(['type', 'scale']);

/** Returns one issue per problem: if several checks report the same one, the first issue gets all causes. */
function mergeIssues(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const byPath = new Map<string, SchemaIssue>();
  const out: SchemaIssue[] = [];
  for (const issue of issues) {
    const key = JSON.stringify(issue.path);
    const first = byPath.get(key);
    if (first !== undefined && repeatingCodes.has(issue.code)) {
      const joined = { ...first, causes: [...first.causes, ...issue.causes] };
      out[out.indexOf(first)] = joined;
      byPath.set(key, joined);
    } else {
      out.push(issue);
      if (first === undefined) byPath.set(key, issue);
    }
  }
  return out;
}

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

/** What the API server would make of an object. */
export interface Normalized {
  /** The kind, if the object is one of ours. */
  readonly kind: Kind | undefined;
  /** The object as it would be stored: defaults in, unknown fields and nulls out. An object of another group is passed as it is. */
  readonly value: Json;
  /** Why the API server would refuse the object; empty if it would not. */
  readonly issues: readonly SchemaIssue[];
  /** Fields that the API server would prune without an error. */
  readonly warnings: readonly Issue[];
}

/** How to normalize. */
export interface NormalizeOptions {
  /**
   * What becomes of `status`.
   * @default - `drop`, as on creation; `keep` checks and keeps it, as a write to the status sub-resource does
   */
  readonly status?: 'drop' | 'keep';
}

/** The object as the API server would store it, and why it would refuse it. Pure; never changes its input. */
export function normalizeResource(value: Json, options: NormalizeOptions = {}): Normalized {
  const untouched: Normalized = { kind: undefined, value, issues: [], warnings: [] };
  if (!isObject(value)) return untouched;
  const resource = classifyResource(value);
  switch (resource.is) {
    case 'dynamo':
      return normalizeKind(resource.served, value, options.status === 'keep');
    case 'unserved':
      return { ...untouched, issues: [resource.issue] };
    case 'doubtful':
      return { ...untouched, warnings: [resource.issue] };
    case 'other':
      return untouched;
  }
}

/** A resource that passed every check of the API server, or the reasons why it did not. */
export type Parsed =
  | { readonly resource: DynamoResource; readonly warnings: readonly Issue[] }
  | { readonly resource?: undefined; readonly issues: readonly SchemaIssue[]; readonly warnings: readonly Issue[] };

/** Reads plain data as one of our resources, defaults filled in. */
export function parseResource(value: Json, options: NormalizeOptions = {}): Parsed {
  const { kind, value: stored, issues, warnings } = normalizeResource(value, options);
  if (kind !== undefined && issues.length === 0) return { resource: stored as unknown as DynamoResource, warnings };
  const foreign = schemaIssue(['apiVersion'], 'type', 'FieldValueInvalid', 'must be a resource of nvidia.com/v1alpha1');
  return { issues: issues.length === 0 ? [foreign] : issues, warnings };
}

function normalizeKind(served: ServedKind, value: JsonObject, keepStatus: boolean): Normalized {
  const structure = new Pruner();
  const metadata = decodeMetadata(value['metadata'], ['metadata']);
  const { status, ...rest } = structure.object(rootOf(served, keepStatus), value);
  const stored: JsonObject = { ...rest, metadata: metadata.value, ...(keepStatus && status !== undefined ? { status } : {}) };
  const { findings } = structure;
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
    issues: merged([...issues, ...celIssues(issues, findings.celTargets)]),
    warnings: [...metadata.unknown, ...findings.unknown],
  };
}

/** Whether metadata failed to decode at an issue's field: the field is then empty for that reason alone. */
function isUndecoded(issue: SchemaIssue, metadata: DecodedMetadata): boolean {
  return metadata.issues.some((other) => other.path.every((part, at) => issue.path[at] === part));
}

const roots = new WeakMap<ServedKind, { readonly keep: Schema; readonly drop: Schema }>();

/** The schema of the whole object. Metadata, and a status that is dropped, are decoded separately. */
function rootOf(served: ServedKind, keepStatus: boolean): Schema {
  let both = roots.get(served);
  if (both === undefined) {
    const { spec, status } = served;
    const free: Schema = { type: 'object', preserveUnknown: true };
    const root = (status: Schema | undefined): Schema => ({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: free,
        spec,
        ...(status === undefined ? {} : { status }),
      },
    });
    both = { keep: root(status), drop: root(status === undefined ? undefined : free) };
    roots.set(served, both);
  }
  return keepStatus ? both.keep : both.drop;
}

/** A status is decoded before it is dropped, so that it can still make an object unreadable. */
function undecodableStatus(served: ServedKind, status: Json | undefined): readonly SchemaIssue[] {
  if (served.status === undefined || status === undefined) return [];
  const structure = new Pruner();
  structure.store(served.status, status, 'status');
  return structure.findings.undecodable;
}

/** The most errors that are reported. */
const mostErrors = 10_000;

function schemaIssues(served: ServedKind, stored: JsonObject): readonly SchemaIssue[] {
  const validate = validators[served.kind];
  const issues = validate(stored) ? [] : issuesOf((validate.errors ?? []).slice(0, mostErrors), stored);
  return served.scale === undefined ? issues : [...issues, ...scaleIssues(served.scale, stored)];
}

/** Codes whose issue repeats an earlier one of the same field in other words. */
const repeated: ReadonlySet<string> = new Set(['type', 'scale']);

/** One issue per problem: where checks of different kinds met the same one, its causes are gathered in the first. */
function merged(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const byPath = new Map<string, SchemaIssue>();
  const out: SchemaIssue[] = [];
  for (const issue of issues) {
    const place = JSON.stringify(issue.path);
    const first = byPath.get(place);
    if (first !== undefined && repeated.has(issue.code)) {
      const joined = { ...first, causes: [...first.causes, ...issue.causes] };
      out[out.indexOf(first)] = joined;
      byPath.set(place, joined);
    } else {
      out.push(issue);
      if (first === undefined) byPath.set(place, issue);
    }
  }
  return out;
}

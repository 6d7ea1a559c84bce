import type { Issue } from './issue.ts';
import { append, isObject, type Json, type JsonObject, type Path, setKey } from '../json/index.ts';
import { decodeMetadata } from './decode-metadata.ts';
import { fitsInt64 } from './integer.ts';
import { roundIntegers } from './round-integers.ts';
import type { CelTarget } from './cel-rules.ts';
import type { Schema } from './schema/dsl.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';
import { unknownField } from './unknown-field.ts';
import { uniqueItems, type PathStep } from './unique-items.ts';

/** What a walk over a value finds, besides the value to store. */
interface Findings {
  /** Fields that are pruned because they are not in the schema. */
  readonly unknown: Issue[];
  readonly duplicates: SchemaIssue[];
  /** Objects with CEL rules, which are evaluated after all other checks. */
  readonly celTargets: CelTarget[];
  /** Problems that prevent the API server from decoding the object. */
  readonly undecodable: SchemaIssue[];
}

/** Schema of the items of a list where none is allowed: the list is an error, and the members of its items are pruned. */
const unexpectedItem: Schema = {};
/** Schema of the items of a list where a string with a format belongs. The API server accepts such a list and prunes the members of its items. */
const prunedItem: Schema = { type: 'object' };

/** Nesting that no schema of ours needs; deeper input is rejected before it exhausts the stack. */
const maxDepth = 200;

/** Maximum number of unknown fields reported, and of those with a suggested name, which is slow to find. */
const maxUnknownFields = 10_000;
const maxSuggestions = 100;

/**
 * Prunes and defaults an object as the API server does before it stores it: drops unknown fields and nulls, adds defaults. Never changes its input.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
 */
export class Pruner {
  readonly findings: Findings = { unknown: [], duplicates: [], celTargets: [], undecodable: [] };
  private readonly steps: PathStep[] = [];

  private path(...more: Path): Path {
    return [...this.steps.map((step) => step.name), ...more];
  }

  /** The value as stored; `at` is its path in the object. */
  store(schema: Schema, value: Json, ...at: readonly string[]): Json {
    append(
      this.steps,
      at.map((name) => ({ name, key: false })),
    );
    const stored = this.visit(schema, value);
    this.steps.length -= at.length;
    return stored;
  }

  private visit(schema: Schema, value: Json): Json {
    if (this.steps.length > maxDepth) return this.rejectDepth();
    if (Array.isArray(value)) return this.list(schema, value);
    if (isObject(value)) return this.object(schema, value);
    return typeof value === 'bigint' && !fitsInt64(value) ? Number(value) : value;
  }

  private list(schema: Schema, value: readonly Json[]): Json {
    const items = schema.items ?? (schema.format === undefined && schema !== prunedItem ? unexpectedItem : prunedItem);
    const stored = value.map((item, index) => {
      this.steps.push({ name: index, key: false });
      const result = this.visit(items, item);
      this.steps.pop();
      return result;
    });
    if (schema.listType === 'map' || schema.listType === 'set')
      append(this.findings.duplicates, uniqueItems(schema, stored, this.steps));
    return stored;
  }

  /** An object as stored. */
  object(schema: Schema, value: JsonObject): JsonObject {
    const stored: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member === undefined) continue;
      const known = schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      const field = known ?? schema.additionalProperties;
      if (field === undefined) {
        if (schema.preserveUnknown) setKey(stored, key, roundIntegers(member));
        else this.reportUnknown(schema, key);
      } else if (member !== null) {
        this.steps.push({ name: key, key: known === undefined });
        setKey(stored, key, this.visit(field, member));
        this.steps.pop();
      }
    }
    for (const [key, field] of defaultsOf(schema)) if (!Object.hasOwn(stored, key)) stored[key] = field;
    if (schema.celRules) this.findings.celTargets.push({ path: this.path(), value: stored, rules: schema.celRules });
    return schema.embeddedResource ? this.embedded(stored) : stored;
  }

  /** An embedded resource. Its metadata is decoded; `apiVersion` and `kind` are not required, since it only occurs in a status. */
  private embedded(value: JsonObject): JsonObject {
    for (const field of ['apiVersion', 'kind']) {
      const member = value[field];
      if (member !== undefined && typeof member !== 'string') {
        this.findings.undecodable.push(decodeIssue(this.path(field), `must be a string, got ${shown(member)}`));
      }
    }
    if (!Object.hasOwn(value, 'metadata')) return value;
    const metadata = decodeMetadata(value['metadata'], this.path('metadata'));
    append(this.findings.undecodable, metadata.issues);
    append(this.findings.unknown, metadata.unknown);
    return { ...value, metadata: metadata.value };
  }

  private rejectDepth(): Json {
    if (this.findings.undecodable.length === 0) {
      this.findings.undecodable.push(decodeIssue(this.path().slice(0, 10), `nested too deeply: more than ${maxDepth} levels`));
    }
    return null;
  }

  private reportUnknown(schema: Schema, key: string): void {
    // A value of the wrong type is an error of its own; its members are not reported.
    if (schema.type !== 'object') return;
    const { unknown } = this.findings;
    if (unknown.length >= maxUnknownFields) return;
    unknown.push(unknownField(this.path(key), key, unknown.length < maxSuggestions ? Object.keys(schema.properties ?? {}) : []));
  }
}

const defaults = new WeakMap<Schema, readonly (readonly [string, Json])[]>();

function defaultsOf(schema: Schema): readonly (readonly [string, Json])[] {
  let known = defaults.get(schema);
  if (known === undefined) {
    known = Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
      field.default === undefined ? [] : [[key, field.default] as const],
    );
    defaults.set(schema, known);
  }
  return known;
}

import type { Issue } from './issue.ts';
import { isObject, type Json, type JsonObject, type Path, setKey } from '../json/index.ts';
import { decodeMetadata } from './decode-metadata.ts';
import { fitsInt64 } from './integer.ts';
import { roundIntegers } from './round-integers.ts';
import type { CelTarget } from './cel-rules.ts';
import type { Schema } from './schema/dsl.ts';
import { decodeIssue, shown, type SchemaIssue } from './schema-issue.ts';
import { unknownField } from './unknown-field.ts';
import { uniqueItems, type Step } from './unique-items.ts';

/** What a walk over a value found out besides the value itself. */
interface Findings {
  /** Fields that are pruned because the schema does not know them. */
  readonly unknown: Issue[];
  readonly duplicates: SchemaIssue[];
  /** Objects with CEL rules, to be evaluated once everything else is right. */
  readonly celTargets: CelTarget[];
  /** What keeps the API server from reading the object at all. */
  readonly undecodable: SchemaIssue[];
}

/** Schema of items where the schema has no list: their members are pruned, and the list itself is an error. */
const unlisted: Schema = {};
/** Schema of items where the schema has a string with a format, in place of which the API server accepts a list: their members are pruned. */
const emptied: Schema = { type: 'object' };

/** Nesting that no schema of ours needs; deeper input is refused before it can exhaust the stack. */
const deepest = 200;

/** The most unknown fields that are reported, and the most for which the nearest known name is searched, which is slow. */
const mostUnknown = 10_000;
const mostHints = 100;

/**
 * Prunes and defaults as the API server does before it stores an object: unknown fields and nulls out, defaults in. Never changes its input.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
 */
export class Pruner {
  readonly findings: Findings = { unknown: [], duplicates: [], celTargets: [], undecodable: [] };
  private readonly steps: Step[] = [];

  private path(...more: Path): Path {
    return [...this.steps.map((step) => step.name), ...more];
  }

  /** The value as stored, at the given place in the object. */
  store(schema: Schema, value: Json, ...at: readonly string[]): Json {
    this.steps.push(...at.map((name) => ({ name, key: false })));
    const stored = this.visit(schema, value);
    this.steps.length -= at.length;
    return stored;
  }

  private visit(schema: Schema, value: Json): Json {
    if (this.steps.length > deepest) return this.refuse();
    if (Array.isArray(value)) return this.list(schema, value);
    if (isObject(value)) return this.object(schema, value);
    return typeof value === 'bigint' && !fitsInt64(value) ? Number(value) : value;
  }

  private list(schema: Schema, value: readonly Json[]): Json {
    const items = schema.items ?? (schema.format === undefined && schema !== emptied ? unlisted : emptied);
    const stored = value.map((item, index) => {
      this.steps.push({ name: index, key: false });
      const result = this.visit(items, item);
      this.steps.pop();
      return result;
    });
    if (schema.listType === 'map' || schema.listType === 'set')
      this.findings.duplicates.push(...uniqueItems(schema, stored, this.steps));
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
        else this.drop(schema, key);
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
      const text = value[field];
      if (text !== undefined && typeof text !== 'string') {
        this.findings.undecodable.push(decodeIssue(this.path(field), `must be a string, got ${shown(text)}`));
      }
    }
    if (!Object.hasOwn(value, 'metadata')) return value;
    const metadata = decodeMetadata(value['metadata'], this.path('metadata'));
    this.findings.undecodable.push(...metadata.issues);
    this.findings.unknown.push(...metadata.unknown);
    return { ...value, metadata: metadata.value };
  }

  private refuse(): Json {
    if (this.findings.undecodable.length === 0) {
      this.findings.undecodable.push(decodeIssue(this.path().slice(0, 10), `nested too deeply: more than ${deepest} levels`));
    }
    return null;
  }

  private drop(schema: Schema, key: string): void {
    // A value of the wrong type is reported as such; its members say nothing more.
    if (schema.type !== 'object') return;
    const { unknown } = this.findings;
    if (unknown.length >= mostUnknown) return;
    unknown.push(unknownField(this.path(key), key, unknown.length < mostHints ? Object.keys(schema.properties ?? {}) : []));
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

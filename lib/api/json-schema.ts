import type { Json, JsonObject } from '../json/index.ts';
import type { Schema } from './schema/dsl.ts';
import { apiVersion, kinds, version, type KindDefinition } from './schema/kinds.ts';

/** A JSON Schema and the file name that editors and kubeconform look for. */
export interface JsonSchemaFile {
  readonly name: string;
  readonly schema: JsonObject;
}

const plain = ['enum', 'pattern', 'minimum', 'minLength', 'maxLength', 'maxItems', 'maxProperties', 'default'] as const;

function notes({ description, deprecated }: Schema): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true, deprecationMessage: deprecated }),
  };
}

/** The same type, or null. */
function nullable({ type, enum: values, ...rest }: JsonObject): JsonObject {
  const types = Array.isArray(type) ? type : [type ?? 'string'];
  return { ...rest, type: [...types, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

/** Folds named types into definitions, so that each is written once. */
class Definitions {
  readonly all: Record<string, Json> = {};

  /** A value that must be there. */
  field(schema: Schema): JsonObject {
    return schema.typeName === undefined
      ? { ...notes(schema), ...this.type(schema) }
      : { ...this.optional(schema), type: 'object' };
  }

  /** A member that may be left out; the API server takes null for that. */
  optional(schema: Schema): JsonObject {
    const { typeName, doc = '' } = schema;
    if (typeName === undefined) return { ...notes(schema), ...nullable(this.type(schema)) };
    if (this.all[typeName] === undefined) {
      this.all[typeName] = {};
      this.all[typeName] = { description: doc, ...nullable(this.type(schema)) };
    }
    // Draft 7 ignores what stands beside a reference.
    return { ...notes(schema), allOf: [{ $ref: `#/definitions/${typeName}` }] };
  }

  private type(schema: Schema): JsonObject {
    const { properties = {}, items, additionalProperties } = schema;
    // A default fills a field in before it is missed.
    const required = (schema.required ?? []).filter((name) => properties[name]?.default === undefined);
    const member = (name: string, field: Schema) => (required.includes(name) ? this.field(field) : this.optional(field));
    const out: Record<string, Json> = { type: schema.intOrString ? ['integer', 'string'] : (schema.type ?? 'string') };
    if (schema.format === 'date-time') out['format'] = schema.format;
    for (const facet of plain) {
      const value = schema[facet];
      if (value !== undefined) out[facet] = value;
    }
    if (required.length > 0) out['required'] = required;
    if (items) out['items'] = this.field(items);
    if (schema.properties)
      out['properties'] = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, member(name, field)]));
    if (additionalProperties) out['additionalProperties'] = this.optional(additionalProperties);
    else if (schema.type === 'object' && !schema.preserveUnknown) out['additionalProperties'] = false;
    return out;
  }
}

function jsonSchema(definition: KindDefinition): JsonObject {
  const definitions = new Definitions();
  const spec = definitions.optional(definition.spec);
  const status = definition.status === undefined ? {} : { status: definitions.optional(definition.status) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: definition.kind,
    description: definition.doc,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      apiVersion: { description: 'Version of the API.', enum: [apiVersion] },
      kind: { description: 'Kind of the object.', enum: [definition.kind] },
      metadata: { description: 'Name, namespace, labels and annotations of the object.', type: 'object' },
      spec,
      ...status,
    },
    additionalProperties: false,
    definitions: definitions.all,
  };
}

/** A JSON Schema of every kind, for editors and kubeconform; unknown fields are errors there. */
export function jsonSchemas(): readonly JsonSchemaFile[] {
  return kinds.map((definition) => ({ name: `${definition.singular}_${version}.json`, schema: jsonSchema(definition) }));
}

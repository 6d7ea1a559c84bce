import type { Json, JsonObject } from '../json/index.ts';
import { metadataSchema } from './metadata-schema.ts';
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

/** Fields that the API leaves open and the operator understands few values of; an editor offers these and marks others. */
const understood: Readonly<Record<string, readonly string[]>> = {
  componentType: ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'],
  subComponentType: ['prefill', 'decode'],
};

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

  /** A member that may be left out; the API server reads null as absent. */
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
    const member = (name: string, field: Schema): JsonObject => {
      const values = field.type === 'string' && field.enum === undefined ? understood[name] : undefined;
      const closed = values === undefined ? field : { ...field, enum: values };
      return required.includes(name) ? this.field(closed) : this.optional(closed);
    };
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
      metadata: metadataSchema,
      spec,
      ...status,
    },
    additionalProperties: false,
    definitions: definitions.all,
  };
}

/** One JSON Schema for files that mix the kinds with others: each object is checked by its kind, objects of other groups are not. */
export function combinedJsonSchema(): JsonObject {
  const files = jsonSchemas();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Dynamo resources',
    allOf: kinds.map((definition, index) => ({
      if: {
        required: ['kind', 'apiVersion'],
        properties: { kind: { const: definition.kind }, apiVersion: { const: apiVersion } },
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { $ref: files[index]?.name ?? '' },
    })),
  };
}

/** A JSON Schema of every kind, for editors and kubeconform; unknown fields are errors there. */
export function jsonSchemas(): readonly JsonSchemaFile[] {
  return kinds.map((definition) => ({ name: `${definition.singular}_${version}.json`, schema: jsonSchema(definition) }));
}

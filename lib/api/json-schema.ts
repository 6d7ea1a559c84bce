import type { Json, JsonObject } from '../json/index.ts';
import { metadataSchema } from './metadata-schema.ts';
import type { Schema } from './schema/dsl.ts';
import { apiVersion, kinds, version, type KindDefinition } from './schema/kinds.ts';

/** A JSON Schema and the file name that editors and kubeconform expect. */
export interface JsonSchemaFile {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Fields of a schema that the JSON Schema copies unchanged. */
const copiedFields = ['enum', 'pattern', 'minimum', 'minLength', 'maxLength', 'maxItems', 'maxProperties', 'default'] as const;

function documentation({ description, deprecated }: Schema): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true, deprecationMessage: deprecated }),
  };
}

/** The values that the operator supports in fields where the API accepts any string; an editor suggests them and marks others. */
const supportedValues: Readonly<Record<string, readonly string[]>> = {
  componentType: ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'],
  subComponentType: ['prefill', 'decode'],
};

/** The same type, or null. */
function nullable({ type, enum: values, ...rest }: JsonObject): JsonObject {
  const types = Array.isArray(type) ? type : [type ?? 'string'];
  return { ...rest, type: [...types, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

/** Collects named types, so that each is defined once. */
class Definitions {
  readonly all: Record<string, Json> = {};

  /** Schema of a required value. */
  field(schema: Schema): JsonObject {
    return schema.typeName === undefined
      ? { ...documentation(schema), ...this.type(schema) }
      : { ...this.optional(schema), type: 'object' };
  }

  /** Schema of an optional value; the API server treats null as absent. */
  optional(schema: Schema): JsonObject {
    const { typeName, doc = '' } = schema;
    if (typeName === undefined) return { ...documentation(schema), ...nullable(this.type(schema)) };
    if (this.all[typeName] === undefined) {
      this.all[typeName] = {};
      this.all[typeName] = { description: doc, ...nullable(this.type(schema)) };
    }
    // Draft 7 ignores all other keywords beside `$ref` (draft-handrews-json-schema-01, section 8.3).
    return { ...documentation(schema), allOf: [{ $ref: `#/definitions/${typeName}` }] };
  }

  private type(schema: Schema): JsonObject {
    const { properties = {}, items, additionalProperties } = schema;
    // The API server applies defaults before it checks required fields.
    const required = (schema.required ?? []).filter((name) => properties[name]?.default === undefined);
    const member = (name: string, field: Schema): JsonObject => {
      const values = field.type === 'string' && field.enum === undefined ? supportedValues[name] : undefined;
      const restricted = values === undefined ? field : { ...field, enum: values };
      return required.includes(name) ? this.field(restricted) : this.optional(restricted);
    };
    const out: Record<string, Json> = { type: schema.intOrString ? ['integer', 'string'] : (schema.type ?? 'string') };
    if (schema.format === 'date-time') out['format'] = schema.format;
    for (const field of copiedFields) {
      const value = schema[field];
      if (value !== undefined) out[field] = value;
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

/** One JSON Schema for files with objects of any kind: validates ours by their kind and accepts all others. */
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

/** One JSON Schema per kind, for editors and kubeconform; an unknown field is an error. */
export function jsonSchemas(): readonly JsonSchemaFile[] {
  return kinds.map((definition) => ({ name: `${definition.singular}_${version}.json`, schema: jsonSchema(definition) }));
}

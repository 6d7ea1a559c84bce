import type { Json, JsonObject } from './json.ts';
import type { Schema } from './schema/dsl.ts';
import { apiVersion, kinds, version, type KindDefinition } from './schema/kinds.ts';

/** A JSON Schema and the file name that editors and kubeconform look for. */
export interface JsonSchemaFile {
  readonly name: string;
  readonly schema: JsonObject;
}

const plain = [
  'enum',
  'pattern',
  'minimum',
  'minLength',
  'maxLength',
  'maxItems',
  'maxProperties',
  'default',
  'required',
] as const;

/** Folds named types into definitions, so that each is written once. */
class Definitions {
  readonly all: Record<string, Json> = {};

  field(schema: Schema): JsonObject {
    const description = schema.description === undefined ? {} : { description: schema.description };
    const deprecated = schema.deprecated === undefined ? {} : { deprecated: true, deprecationMessage: schema.deprecated };
    if (schema.typeName === undefined) return { ...description, ...deprecated, ...this.type(schema) };
    if (this.all[schema.typeName] === undefined) {
      this.all[schema.typeName] = {};
      this.all[schema.typeName] = { description: schema.doc ?? '', ...this.type(schema) };
    }
    const reference = { $ref: `#/definitions/${schema.typeName}` };
    return schema.description === undefined ? reference : { ...description, ...deprecated, allOf: [reference] };
  }

  private type(schema: Schema): JsonObject {
    const out: Record<string, Json> = {};
    if (schema.intOrString) out['type'] = ['integer', 'string'];
    else if (schema.type) out['type'] = schema.type;
    if (schema.format === 'date-time') out['format'] = schema.format;
    for (const facet of plain) {
      const value = schema[facet];
      if (value !== undefined) out[facet] = value;
    }
    // A default fills the field in before it is missed.
    if (schema.required) out['required'] = schema.required.filter((name) => schema.properties?.[name]?.default === undefined);
    if (schema.items) out['items'] = this.field(schema.items);
    if (schema.properties)
      out['properties'] = Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, this.field(field)]));
    if (schema.additionalProperties) out['additionalProperties'] = this.field(schema.additionalProperties);
    else if (schema.type === 'object' && !schema.preserveUnknown) out['additionalProperties'] = false;
    return out;
  }
}

function jsonSchema(definition: KindDefinition): JsonObject {
  const definitions = new Definitions();
  const spec = definitions.field(definition.spec);
  const status = definition.status === undefined ? {} : { status: definitions.field(definition.status) };
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

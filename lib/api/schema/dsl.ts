import type { CelRule } from '../cel-rules.ts';

/** One node of a resource's schema: the single source of its type, its CRD and its validator. */
export interface Schema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  /** Name of the TypeScript interface of an object. */
  readonly typeName?: string;
  /** Description of the type, for its interface and for fields without a description of their own. */
  readonly doc?: string;
  /** Description of the field. */
  readonly description?: string;
  /** Whether this is a Kubernetes type, whose fields the Kubernetes API reference documents. */
  readonly kubernetes?: boolean;
  /** Why the field should no longer be used. */
  readonly deprecated?: string;
  readonly format?: 'int32' | 'int64' | 'date-time' | 'byte';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly default?: string | number | boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly atomicMap?: boolean;
  readonly intOrString?: boolean;
  readonly preserveUnknown?: boolean;
  readonly embeddedResource?: boolean;
  /** `x-kubernetes-validations`. */
  readonly celRules?: readonly CelRule[];
}

/** A field that must be present in its parent. */
interface RequiredField {
  readonly required: Schema;
}

/** The fields of an object by JSON name. */
export type Fields = Readonly<Record<string, Schema | RequiredField>>;

type Facets = Omit<Schema, 'type' | 'description'>;

/** The pattern of quantities in CRDs that Kubernetes tools generate. */
export const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

function scalar(base: Schema): (description?: string, facets?: Facets) => Schema {
  return (description, facets) => ({ ...base, ...(description === undefined ? {} : { description }), ...facets });
}

/** A string. */
export const string = scalar({ type: 'string' });
/** True or false. */
export const boolean = scalar({ type: 'boolean' });
/** An integer without a declared width. */
export const integer = scalar({ type: 'integer' });
/** A 32-bit integer. */
export const int32 = scalar({ type: 'integer', format: 'int32' });
/** A 64-bit integer. */
export const int64 = scalar({ type: 'integer', format: 'int64' });
/** A number that may have a fraction. */
export const number = scalar({ type: 'number' });
/** A time in RFC 3339 format. */
export const dateTime = scalar({ type: 'string', format: 'date-time' });
/** Bytes in base64. */
export const bytes = scalar({ type: 'string', format: 'byte' });
/** A port: its number or its name. */
export const intOrString = scalar({ intOrString: true });
/** An amount such as `500m` or `2Gi`. */
export const quantity = scalar({ intOrString: true, pattern: quantityPattern });
/** An object whose members are all pruned. */
export const emptyObject = scalar({ type: 'object' });
/** An object with arbitrary members, which are kept unchanged. */
export const freeForm = scalar({ type: 'object', preserveUnknown: true });

/** Marks a field as required in its parent. */
export function required(schema: Schema): RequiredField {
  return { required: schema };
}

/** The same schema with the description of a field. */
export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}

/** A list; `facets` set its list type or maximum length. */
export function list(items: Schema, facets?: Facets & { readonly description?: string }): Schema {
  return { type: 'array', items, ...facets };
}

/**
 * A list that server-side apply replaces as a whole.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function atomicList(items: Schema): Schema {
  return { type: 'array', items, listType: 'atomic' };
}

/** A list whose items are identified by the given fields. */
export function mapList(items: Schema, ...keys: readonly string[]): Schema {
  return { type: 'array', items, listType: 'map', listMapKeys: keys };
}

/** A map from arbitrary keys to values of one schema. */
export function map(values: Schema, facets?: Facets & { readonly description?: string }): Schema {
  return { type: 'object', additionalProperties: values, ...facets };
}

function members(fields: Fields): Pick<Schema, 'properties' | 'required'> {
  const entries = Object.entries(fields);
  const names = entries.filter(([, field]) => isRequired(field)).map(([name]) => name);
  const properties = Object.fromEntries(entries.map(([name, field]) => [name, isRequired(field) ? field.required : field]));
  return { properties, ...(names.length === 0 ? {} : { required: names }) };
}

function isRequired(field: Schema | RequiredField): field is RequiredField {
  return typeof field.required === 'object' && !Array.isArray(field.required);
}

/** An object type of Dynamo; a TypeScript interface with its name is generated. */
export function object(typeName: string, doc: string, fields: Fields, facets?: Facets): Schema {
  return { type: 'object', typeName, doc, ...members(fields), ...facets };
}

/** An object type of Kubernetes. */
export function kubernetesObject(typeName: string, doc: string, fields: Fields, facets?: Facets): Schema {
  return { ...object(typeName, doc, fields, facets), kubernetes: true };
}

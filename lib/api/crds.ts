import type { Json, JsonObject } from '../json/index.ts';
import type { Schema } from './schema/dsl.ts';
import { group, kinds, version, type Kind, type KindDefinition, type PrinterColumn } from './schema/kinds.ts';

/** The part of a CustomResourceDefinition that our CRDs use. A type, not an interface, so that it is assignable to `Json`. */
export type CustomResourceDefinition = {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: Kind;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames: readonly string[];
    };
    readonly scope: 'Namespaced';
    readonly versions: readonly CustomResourceVersion[];
  };
};

/** The only version of a CustomResourceDefinition. */
export type CustomResourceVersion = {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: JsonObject };
  readonly subresources?: JsonObject;
};

/** Fields of a schema that the CRD copies unchanged. */
const copiedFields = [
  'type',
  'format',
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

function openApi(schema: Schema): JsonObject {
  const description = schema.description ?? schema.doc;
  const out: Record<string, Json> = {};
  if (description !== undefined)
    out['description'] = schema.deprecated === undefined ? description : `${description} Deprecated. ${schema.deprecated}`;
  for (const field of copiedFields) {
    const value = schema[field];
    if (value !== undefined) out[field] = value;
  }
  if (schema.items) out['items'] = openApi(schema.items);
  if (schema.properties)
    out['properties'] = Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, openApi(field)]));
  if (schema.additionalProperties) out['additionalProperties'] = openApi(schema.additionalProperties);
  if (schema.intOrString) {
    out['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
    out['x-kubernetes-int-or-string'] = true;
  }
  if (schema.listType) out['x-kubernetes-list-type'] = schema.listType;
  if (schema.listMapKeys) out['x-kubernetes-list-map-keys'] = schema.listMapKeys;
  if (schema.atomicMap) out['x-kubernetes-map-type'] = 'atomic';
  if (schema.preserveUnknown) out['x-kubernetes-preserve-unknown-fields'] = true;
  if (schema.embeddedResource) out['x-kubernetes-embedded-resource'] = true;
  if (schema.celRules) out['x-kubernetes-validations'] = schema.celRules.map(({ rule, message }) => ({ rule, message }));
  return out;
}

function rootSchema(definition: KindDefinition): JsonObject {
  return {
    description: definition.doc,
    type: 'object',
    properties: {
      apiVersion: { description: 'Version of the API, `nvidia.com/v1alpha1`.', type: 'string' },
      kind: { description: `Kind of the object, \`${definition.kind}\`.`, type: 'string' },
      metadata: { type: 'object' },
      spec: openApi(definition.spec),
      ...(definition.status === undefined ? {} : { status: openApi(definition.status) }),
    },
  };
}

function definitionOf(definition: KindDefinition & { readonly kind: Kind }): CustomResourceDefinition {
  const { kind, plural, singular, shortName, columns, status, scale, keep } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(keep ? { annotations: { 'helm.sh/resource-policy': 'keep' } } : {}) },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName] },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: rootSchema(definition) },
          ...(status === undefined ? {} : { subresources: { status: {}, ...(scale === undefined ? {} : { scale }) } }),
        },
      ],
    },
  };
}

/** The CustomResourceDefinitions of all six kinds, graphs first. */
export function crds(): readonly CustomResourceDefinition[] {
  return kinds.map(definitionOf);
}

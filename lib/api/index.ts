/**
 * The six custom resources of Dynamo. One schema per kind, in `schema/`, is the source of their TypeScript types, their CRDs and their
 * validators. Pure: no file, no clock, no cluster.
 */
export { crds, type CustomResourceDefinition, type CustomResourceVersion } from './crds.ts';
export { dynamoNamespace } from './dynamo-namespace.ts';
export type * from './generated/types.ts';
export { formatDuration, parseDuration } from './go-duration.ts';
export { malformedImage } from './image-reference.ts';
export type { Issue } from './issue.ts';
export { droppedFields, fieldHistory, laterFields } from './field-history.ts';
export { combinedJsonSchema, jsonSchemas, type JsonSchemaFile } from './json-schema.ts';
export { isObject, type Json, type JsonObject } from '../json/index.ts';
export { metadataIssues } from './metadata-rules.ts';
export { generatedName, labelProblem, releaseNameProblem } from './name-rules.ts';
export { didYouMean, isMisspelling, nearestName } from './nearest-name.ts';
export { normalizeResource, parseResource, type Normalized, type NormalizeOptions, type Parsed } from './normalize.ts';
export { groupOf, kindOf, nameOf, namespaceOf } from './object-identity.ts';
export type { KubernetesObject, NamedObjectMeta } from './kubernetes-object.ts';
export type { ObjectMeta, OwnerReference } from './object-meta.ts';
export { formatPath, type Path } from '../json/index.ts';
export type { Cause, CauseReason, SchemaIssue } from './schema-issue.ts';
export { apiVersion, group, kinds, version, type Kind, type KindDefinition, type PrinterColumn } from './schema/kinds.ts';
export { classifyResource, servedKind, type ResourceClass } from './dynamo-resource.ts';
export { ownRelease } from './releases.ts';
export type { Schema } from './schema/dsl.ts';
export { labelSelector } from './schema/meta.ts';
export { podSpec } from './schema/pod.ts';
export type { ValidationError, Validator } from './generated/validators.js';
export { knownRelease, type Presence, presenceIn, publishedIn, type Span, spansByName, type SpanTable } from './release-span.ts';

import { byteLength, listAt, objectsAt, stringAt, stringMapAt, type Json, type JsonObject, type Path } from '../json/index.ts';
import {
  generatedName,
  generateNameProblem,
  labelProblem,
  labelValueProblem,
  qualifiedNameProblem,
  subdomainProblem,
} from './name-rules.ts';
import { schemaIssue, shown, type SchemaIssue } from './schema-issue.ts';

/** `TotalAnnotationSizeLimitB` of k8s.io/apimachinery/pkg/api/validation. */
const maxAnnotationBytes = 256 * 1024;

function invalid(path: Path, problem: string | undefined, value: Json): readonly SchemaIssue[] {
  return problem === undefined
    ? []
    : [schemaIssue(path, 'metadata', 'FieldValueInvalid', problem.includes('got') ? problem : `${problem}, got ${shown(value)}`)];
}

function nameIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  const name = stringAt(metadata, 'name');
  const prefix = stringAt(metadata, 'generateName');
  const at = [...path, 'generateName'];
  const issues = prefix === '' ? [] : invalid(at, generateNameProblem(prefix), prefix);
  if (name !== '') return [...issues, ...invalid([...path, 'name'], subdomainProblem(name), name)];
  if (prefix === '') return [schemaIssue([...path, 'name'], 'required', 'FieldValueRequired', 'is required (or generateName)')];
  const problem = subdomainProblem(generatedName(prefix));
  return [...issues, ...invalid([...path, 'name'], problem, prefix).map((issue) => ({ ...issue, path: at }))];
}

function labelIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  return Object.entries(stringMapAt(metadata, 'labels')).flatMap(([key, value]) => [
    ...invalid([...path, 'labels'], qualifiedNameProblem(key)?.replace(/^/, 'a key '), key),
    ...invalid([...path, 'labels'], labelValueProblem(value)?.replace(/^/, `the value of ${shown(key)} `), value),
  ]);
}

function annotationIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  const entries = Object.entries(stringMapAt(metadata, 'annotations'));
  const at = [...path, 'annotations'];
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  const tooLong =
    size <= maxAnnotationBytes
      ? []
      : [schemaIssue(at, 'too_long', 'FieldValueTooLong', `must have at most ${maxAnnotationBytes} bytes in total, got ${size}`)];
  return [
    // The API server checks annotation keys in lower case (`ValidateAnnotations` of k8s.io/apimachinery/pkg/api/validation).
    ...entries.flatMap(([key]) => invalid(at, qualifiedNameProblem(key.toLowerCase())?.replace(/^/, 'a key '), key)),
    ...tooLong,
  ];
}

/** Whether an `apiVersion` is well-formed and names a version: `v1`, `apps/v1`. */
function hasVersion(apiVersion: string): boolean {
  const parts = apiVersion.split('/');
  return parts.length <= 2 && parts.at(-1) !== '';
}

function ownerIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  const at = [...path, 'ownerReferences'];
  const owners = objectsAt(metadata, 'ownerReferences');
  const empty = owners.flatMap((owner) => [
    ...(hasVersion(stringAt(owner, 'apiVersion'))
      ? []
      : invalid([...at, 'apiVersion'], 'must name a version', owner['apiVersion'] ?? '')),
    ...['kind', 'name', 'uid'].flatMap((field) =>
      stringAt(owner, field) === '' ? invalid([...at, field], 'must not be empty', '') : [],
    ),
  ]);
  const hasEvent = owners.some((owner) => owner['apiVersion'] === 'v1' && owner['kind'] === 'Event');
  const controllers = owners.filter((owner) => owner['controller'] === true).length;
  return [
    ...empty,
    ...(hasEvent ? invalid(at, 'must not name an Event', 'Event') : []),
    ...(controllers > 1 ? invalid(at, 'only one owner can have controller: true', controllers) : []),
  ];
}

function finalizerIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  const at = [...path, 'finalizers'];
  const finalizers = listAt(metadata, 'finalizers').map((name) => stringAt(name));
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  return [
    ...finalizers.flatMap((finalizer) => invalid(at, qualifiedNameProblem(finalizer), finalizer)),
    ...(both ? invalid(at, 'orphan and foregroundDeletion are mutually exclusive', 'orphan') : []),
  ];
}

/** Validates decoded metadata as the API server does on creation. The namespace is optional, since the request can supply it. */
export function metadataIssues(metadata: JsonObject, path: Path): readonly SchemaIssue[] {
  const namespace = stringAt(metadata, 'namespace');
  return [
    ...nameIssues(metadata, path),
    ...(namespace === '' ? [] : invalid([...path, 'namespace'], labelProblem(namespace), namespace)),
    ...labelIssues(metadata, path),
    ...annotationIssues(metadata, path),
    ...ownerIssues(metadata, path),
    ...finalizerIssues(metadata, path),
  ];
}

/**
 * The first stage of the pipeline: the kind of each document, the form in which the API server stores it, and the errors and warnings of schema and
 * webhook. The admission webhook uses only this stage, so nothing here imports rendering or lint.
 */
import { judge as judgeObject } from '../admission/index.ts';
import {
  classifyResource,
  droppedFields,
  fieldHistory,
  generatedName,
  type Issue,
  kindOf,
  nameOf,
  namespaceOf,
} from '../api/index.ts';
import { formatPath, isObject, objectAt, stringAt, valueAt, type Json, type JsonObject } from '../json/index.ts';
import { isPlaceholder } from '../manifest/index.ts';
import type { DocumentFinding, Identity, Stage } from './finding.ts';
import type { JudgeSettings } from './settings.ts';

/** Anything that holds an object: a document of a file, an object of a cdk8s app. */
export interface CheckSource {
  readonly value: Json;
}

/** One document after schema and admission. */
export interface JudgedDocument<S extends CheckSource = CheckSource> {
  readonly source: S;
  readonly identity: Identity;
  /** Whether it is one of the Dynamo kinds, or was probably meant to be one: a misspelled kind, a version that is not served. */
  readonly isDynamo: boolean;
  /** Whether it was judged as an update. */
  readonly isUpdate: boolean;
  /** The object with defaults and without unknown fields, with its namespace; absent when schema validation fails. */
  readonly normalized?: JsonObject;
  /** The object as the API server stores it, with a name if it generates one; absent when schema validation or decoding fails. */
  readonly stored?: JsonObject;
  readonly findings: readonly DocumentFinding[];
}

/** Checks the kind, the schema, the decoding and the admission rules of every document. */
export function judgeDocuments<S extends CheckSource>(
  sources: readonly S[],
  settings: JudgeSettings,
): readonly JudgedDocument<S>[] {
  const old = byIdentity(settings.old ?? [], settings.namespace);
  const names = generatedNames(sources.map(({ value }) => value));
  return sources.map((source, index) => judgeDocument(source, settings, old, names[index] ?? ''));
}

/** The names that the API server generates for objects, examples that differ from each other; empty for objects that need none. */
function generatedNames(values: readonly Json[]): readonly string[] {
  const used = new Map<string, number>();
  return values.map((value) => {
    const prefix = isObject(value) && nameOf(value) === '' ? stringAt(value, 'metadata', 'generateName') : '';
    if (prefix === '') return '';
    const ordinal = (used.get(prefix) ?? 0) + 1;
    used.set(prefix, ordinal);
    return generatedName(prefix, ordinal);
  });
}

/** Kind, namespace and name of an object; empty when they are not strings. */
function identify(value: Json, namespace: string): Identity {
  const object = isObject(value) ? value : {};
  return { kind: kindOf(object), namespace: namespaceOf(object, namespace), name: nameOf(object) };
}

/** Objects by identity; of several objects with the same identity the first is kept. */
export function byIdentity(objects: readonly JsonObject[], namespace: string): ReadonlyMap<string, JsonObject> {
  return new Map(objects.toReversed().map((object) => [identityKey(identify(object, namespace)), object]));
}

/** The map key of an identity. */
export function identityKey({ kind, namespace, name }: Identity): string {
  return `${kind}/${namespace}/${name}`;
}

/** Sets the namespace of an object that has none. */
function withNamespace(value: JsonObject, namespace: string): JsonObject {
  const { metadata } = value;
  if (!isObject(metadata) || (metadata['namespace'] ?? '') !== '') return value;
  return { ...value, metadata: { ...metadata, namespace } };
}

/** Sets the name that the API server generates for an object, if it does. */
function withName(stored: JsonObject, generated: string): JsonObject {
  return generated === '' ? stored : { ...stored, metadata: { ...objectAt(stored, 'metadata'), name: generated } };
}

function judgeDocument<S extends CheckSource>(
  source: S,
  settings: JudgeSettings,
  old: ReadonlyMap<string, JsonObject>,
  generated: string,
): JudgedDocument<S> {
  const { value } = source;
  const given = identify(value, settings.namespace);
  const identity = { ...given, name: given.name || generated };
  const other = { source, identity, isDynamo: false, isUpdate: false };
  if (!isObject(value))
    return { ...other, findings: [toFinding('kind', 'error', { path: [], code: 'type', message: 'must be an object' })] };
  const resource = classifyResource(value);
  switch (resource.is) {
    case 'unserved':
      return { ...other, isDynamo: true, findings: [toFinding('kind', 'error', resource.issue)] };
    case 'doubtful':
      return { ...other, findings: [toFinding('kind', 'warning', resource.issue)] };
    case 'other':
      return { ...other, findings: untyped(value) };
    case 'dynamo':
      return { source, identity, isDynamo: true, ...judgeResource(value, settings, old.get(identityKey(given)), generated) };
  }
}

function judgeResource(
  value: JsonObject,
  settings: JudgeSettings,
  old: JsonObject | undefined,
  generated: string,
): Pick<JudgedDocument, 'isUpdate' | 'normalized' | 'stored' | 'findings'> {
  const { namespace, user } = settings;
  const submission = { object: withNamespace(value, namespace), oldObject: old && withNamespace(old, namespace), user };
  const { normalized, schema, undecodable, verdict, stored } = judgeObject(submission, {
    ...settings,
    thorough: settings.thorough ?? true,
  });
  const findings = [
    ...schema.map((issue) => toFinding('schema', 'error', withPlaceholder(withMisplaced(issue, normalized.warnings), value))),
    ...judgeFields(normalized.warnings, value, settings.release).map((issue) => toFinding('schema', 'warning', issue)),
    ...undecodable.map((issue) => toFinding('schema', 'error', issue)),
    ...verdict.issues.map((issue) => ({ ...toFinding('admission', 'error', issue), webhookMessage: issue.text })),
    ...verdict.warnings.map((issue) => ({ ...toFinding('admission', 'warning', issue), webhookMessage: issue.text })),
  ];
  return {
    isUpdate: old !== undefined,
    findings,
    ...(schema.length === 0 && isObject(normalized.value) ? { normalized: normalized.value } : {}),
    ...(stored === undefined ? {} : { stored: withName(stored, generated) }),
  };
}

/**
 * Adjusts the warnings about unknown fields to a release: drops the warning for a field that the release has, and adds the releases that have a
 * field to the warning for one that it lacks.
 */
function judgeFields(warnings: readonly Issue[], value: JsonObject, release: string | undefined): readonly Issue[] {
  const kind = kindOf(value);
  const adjusted = warnings.flatMap((issue): readonly Issue[] => {
    const history = fieldHistory(kind, issue.path, release);
    if (history.is === 'there') return [];
    return history.is === 'dropped' ? [{ ...issue, message: `${issue.message}: ${history.message}` }] : [issue];
  });
  if (release === undefined) return adjusted;
  const unknown = new Set(warnings.map(({ path }) => formatPath(path)));
  const dropped = droppedFields(kind, value, release).filter(({ path }) => !unknown.has(formatPath(path)));
  return [
    ...adjusted,
    ...dropped.map(({ path, message }) => ({ path, code: 'unknown_field', message: `unknown field: ${message}` })),
  ];
}

/** Adds a hint to an issue whose value is a placeholder that was not substituted. */
function withPlaceholder(issue: Issue, value: JsonObject): Issue {
  if (!isPlaceholder(valueAt(value, ...issue.path))) return issue;
  return { ...issue, message: `${issue.message}: the value is a placeholder; substitute it first, for example with envsubst` };
}

/** Adds a hint to a missing required field when an unknown field of the same name exists elsewhere. */
function withMisplaced(issue: Issue, warnings: readonly Issue[]): Issue {
  if (issue.code !== 'required') return issue;
  const elsewhere = warnings.find(({ path }) => path.at(-1) === issue.path.at(-1));
  return elsewhere === undefined
    ? issue
    : { ...issue, message: `${issue.message} here; move it from ${formatPath(elsewhere.path)}` };
}

/** kubectl rejects an object without apiVersion or kind. A document with neither is probably not an object, such as a Helm values file: a warning. */
function untyped(value: JsonObject): readonly DocumentFinding[] {
  if (value['apiVersion'] === undefined && value['kind'] === undefined) {
    const message = 'not a Kubernetes object: apiVersion and kind are missing; nothing was checked';
    return [toFinding('kind', 'warning', { path: [], code: 'untyped', message })];
  }
  const absent = (['apiVersion', 'kind'] as const).filter((field) => typeof value[field] !== 'string' || value[field] === '');
  return absent.map((field) => {
    const found = value[field] === undefined ? 'nothing' : JSON.stringify(value[field]);
    return toFinding('kind', 'error', { path: [field], code: 'required', message: `must be a string, got ${found}` });
  });
}

function toFinding(stage: Stage, severity: DocumentFinding['severity'], { path, code, message }: Issue): DocumentFinding {
  return { stage, severity, id: code, path, message };
}

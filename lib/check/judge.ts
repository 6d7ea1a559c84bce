/**
 * The first stage of the pipeline: what each document is, how the API server would store it, and what schema and webhook say against it. The
 * webhook needs no more than this file; nothing here loads rendering or lint.
 */
import { judge as judgeObject } from '../admission/index.ts';
import { classifyResource, droppedFields, fieldHistory, type Issue, kindOf, nameOf, namespaceOf } from '../api/index.ts';
import { formatPath, isObject, valueAt, type Json, type JsonObject } from '../json/index.ts';
import { isPlaceholder } from '../manifest/index.ts';
import type { DocumentFinding, Identity, Stage } from './finding.ts';
import type { JudgeSettings } from './settings.ts';

/** Anything that holds an object: a document of a file, an object of an app. */
export interface CheckSource {
  readonly value: Json;
}

/** One document after schema and admission. */
export interface JudgedDocument<S extends CheckSource = CheckSource> {
  readonly source: S;
  readonly identity: Identity;
  /** Whether it is one of our kinds or was meant to be one. */
  readonly isDynamo: boolean;
  /** Whether it was judged as an update. */
  readonly isUpdate: boolean;
  /** The object as stored, when schema and decoding let it pass. */
  readonly stored?: JsonObject;
  readonly findings: readonly DocumentFinding[];
}

/** Judges every document: its kind, its schema, what the operator can decode, the rules of admission. */
export function judgeDocuments<S extends CheckSource>(
  sources: readonly S[],
  settings: JudgeSettings,
): readonly JudgedDocument<S>[] {
  const old = byIdentity(settings.old ?? [], settings.namespace);
  return sources.map((source) => judgeDocument(source, settings, old));
}

/** Kind, namespace and name of an object; empty where they are no string. */
function identify(value: Json, namespace: string): Identity {
  const object = isObject(value) ? value : {};
  return { kind: kindOf(object), namespace: namespaceOf(object, namespace), name: nameOf(object) };
}

/** Objects by what they are called; of several with one identity the first counts. */
export function byIdentity(objects: readonly JsonObject[], namespace: string): ReadonlyMap<string, JsonObject> {
  return new Map(objects.toReversed().map((object) => [identityKey(identify(object, namespace)), object]));
}

/** One string for one identity, to look objects up by. */
export function identityKey({ kind, namespace, name }: Identity): string {
  return `${kind}/${namespace}/${name}`;
}

/** An object with the namespace that it lands in. */
function withNamespace(value: JsonObject, namespace: string): JsonObject {
  const { metadata } = value;
  if (!isObject(metadata) || (metadata['namespace'] ?? '') !== '') return value;
  return { ...value, metadata: { ...metadata, namespace } };
}

function judgeDocument<S extends CheckSource>(
  source: S,
  settings: JudgeSettings,
  old: ReadonlyMap<string, JsonObject>,
): JudgedDocument<S> {
  const { value } = source;
  const identity = identify(value, settings.namespace);
  const other = { source, identity, isDynamo: false, isUpdate: false };
  if (!isObject(value))
    return { ...other, findings: [tell('kind', 'error', { path: [], code: 'type', message: 'must be an object' })] };
  const resource = classifyResource(value);
  switch (resource.is) {
    case 'unserved':
      return { ...other, isDynamo: true, findings: [tell('kind', 'error', resource.issue)] };
    case 'doubtful':
      return { ...other, findings: [tell('kind', 'warning', resource.issue)] };
    case 'other':
      return { ...other, findings: untyped(value) };
    case 'dynamo':
      return { source, identity, isDynamo: true, ...judgeResource(value, settings, old.get(identityKey(identity))) };
  }
}

function judgeResource(
  value: JsonObject,
  settings: JudgeSettings,
  old: JsonObject | undefined,
): Pick<JudgedDocument, 'isUpdate' | 'stored' | 'findings'> {
  const { namespace, user } = settings;
  const submission = { object: withNamespace(value, namespace), oldObject: old && withNamespace(old, namespace), user };
  const { normalized, schema, undecodable, verdict, stored } = judgeObject(submission, {
    ...settings,
    thorough: settings.thorough ?? true,
  });
  const findings = [
    ...schema.map((issue) => tell('schema', 'error', withPlaceholder(withMisplaced(issue, normalized.warnings), value))),
    ...judgeFields(normalized.warnings, value, settings.release).map((issue) => tell('schema', 'warning', issue)),
    ...undecodable.map((issue) => tell('schema', 'error', issue)),
    ...verdict.issues.map((issue) => ({ ...tell('admission', 'error', issue), webhookText: issue.text })),
    ...verdict.warnings.map((issue) => ({ ...tell('admission', 'warning', issue), webhookText: issue.text })),
  ];
  return { isUpdate: old !== undefined, findings, ...(stored === undefined ? {} : { stored }) };
}

/** Warnings about fields, judged by a release: what another release knows says when it came or went, what this one knows is no mistake. */
function judgeFields(warnings: readonly Issue[], value: JsonObject, release: string | undefined): readonly Issue[] {
  const kind = kindOf(value);
  const told = warnings.flatMap((issue): readonly Issue[] => {
    const history = issue.code === 'unknown_field' ? fieldHistory(kind, issue.path, release) : undefined;
    if (history?.is === 'there') return [];
    return history?.is === 'dropped' ? [{ ...issue, message: `${issue.message}: ${history.message}` }] : [issue];
  });
  if (release === undefined) return told;
  const unknown = new Set(warnings.map(({ path }) => formatPath(path)));
  const dropped = droppedFields(kind, value, release).filter(({ path }) => !unknown.has(formatPath(path)));
  return [
    ...told,
    ...dropped.map(({ path, message }) => ({ path, code: 'unknown_field', message: `unknown field: ${message}` })),
  ];
}

/** A value that cannot be right because somebody still has to fill it in. */
function withPlaceholder(issue: Issue, value: JsonObject): Issue {
  if (!isPlaceholder(valueAt(value, ...issue.path))) return issue;
  return { ...issue, message: `${issue.message}: it is a placeholder, fill it in first, for instance with envsubst` };
}

/** A required field that stands somewhere else, where nobody knows it, is most likely misplaced. */
function withMisplaced(issue: Issue, warnings: readonly Issue[]): Issue {
  if (issue.code !== 'required') return issue;
  const elsewhere = warnings.find(({ code, path }) => code === 'unknown_field' && path.at(-1) === issue.path.at(-1));
  return elsewhere === undefined
    ? issue
    : { ...issue, message: `${issue.message} here; move it from ${formatPath(elsewhere.path)}` };
}

/** kubectl takes no object without apiVersion and kind; a document that has neither, such as values for Helm, is hardly meant as one. */
function untyped(value: JsonObject): readonly DocumentFinding[] {
  if (value['apiVersion'] === undefined && value['kind'] === undefined) {
    const message = 'no object of Kubernetes: it has neither apiVersion nor kind; nothing was checked';
    return [tell('kind', 'warning', { path: [], code: 'untyped', message })];
  }
  const absent = (['apiVersion', 'kind'] as const).filter((field) => typeof value[field] !== 'string' || value[field] === '');
  return absent.map((field) => {
    const found = value[field] === undefined ? 'nothing' : JSON.stringify(value[field]);
    return tell('kind', 'error', { path: [field], code: 'required', message: `must be a string, got ${found}` });
  });
}

function tell(stage: Stage, severity: DocumentFinding['severity'], { path, code, message }: Issue): DocumentFinding {
  return { stage, severity, id: code, path, message };
}

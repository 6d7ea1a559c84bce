import { admit, checkDecoding, ratchet, type AdmissionContext, type User } from '../admission/index.ts';
import type { Issue } from '../api/issue.ts';
import { formatPath, isObject, type Json, type JsonObject } from '../json/index.ts';
import { nearestName } from '../api/nearest-name.ts';
import { normalizeResource } from '../api/normalize.ts';
import { apiVersion, group, kinds } from '../api/schema/kinds.ts';
import type { ManifestDocument, SourceIssue } from '../manifest/index.ts';
import type { Finding } from './report/index.ts';

/** What `validate` knows besides the documents. */
export interface ValidateSettings extends AdmissionContext {
  /** Namespace of objects that name none. */
  readonly namespace: string;
  readonly user?: User | undefined;
  /** Objects as they are now; a document with the same kind, namespace and name is judged as an update. */
  readonly old: readonly JsonObject[];
}

/** What became of one document. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** Whether the document is one of our kinds. */
  readonly ours: boolean;
  /** Whether it was judged as an update. */
  readonly updates?: boolean;
  /** The object as stored, when it passed the schema. */
  readonly stored?: JsonObject;
}

type Severity = Finding['severity'];

/** Kinds of other products that share our API group. */
const neighbours: ReadonlySet<Json | undefined> = new Set(['ClusterPolicy', 'NVIDIADriver']);
const kindNames = kinds.map((definition) => definition.kind as string);

/** A problem of the text itself as a finding; what kubectl would read in an unexpected way is an error here. */
export function sourceFinding({ file, line, column, code, message }: SourceIssue): Finding {
  return { file, line, column, severity: 'error', id: code, path: '', message };
}

/** Checks one document: schema, then what the operator can decode, then the rules of admission. */
export function checkDocument(document: ManifestDocument, settings: ValidateSettings): Checked {
  const { value } = document;
  const find = finder(document, settings.namespace);
  if (!isObject(value))
    return { ours: false, findings: [find({ path: [], code: 'type', message: 'must be an object' }, 'error')] };
  const stranger = strange(value);
  if (stranger) return { ours: false, findings: [find(stranger.issue, stranger.severity)] };
  if (!isOurs(value)) return { ours: false, findings: [] };
  const now = normalizeResource(withNamespace(value, settings.namespace));
  const { value: stored, warnings } = now;
  const given = findOld(value, settings);
  const before = given && normalizeResource(given);
  const old = before?.value;
  const refused = before ? ratchet(now, before) : now.issues;
  const findings = [...refused.map((issue) => find(issue, 'error')), ...warnings.map((warning) => find(warning, 'warning'))];
  const updates = isObject(old);
  if (refused.length > 0 || !isObject(stored)) return { ours: true, updates, findings };
  const unreadable = checkDecoding(stored);
  if (unreadable.length > 0)
    return { ours: true, updates, findings: [...findings, ...unreadable.map((issue) => find(issue, 'error'))] };
  const operation = updates ? 'UPDATE' : 'CREATE';
  const verdict = admit({ operation, object: stored, oldObject: isObject(old) ? old : undefined, user: settings.user }, settings);
  findings.push(
    ...verdict.issues.map((issue) => find(issue, 'error')),
    ...verdict.warnings.map((issue) => find(issue, 'warning')),
  );
  return { ours: true, updates, findings, stored };
}

/** Makes findings of a document's issues. */
function finder(document: ManifestDocument, namespace: string): (issue: Issue, severity: Severity) => Finding {
  const object = isObject(document.value) ? identify(document.value, namespace) : undefined;
  return ({ path, code, message }, severity) => ({
    file: document.file,
    ...document.position(path),
    severity,
    id: code,
    path: formatPath(path),
    message,
    ...(object && object.kind !== '' ? { object } : {}),
  });
}

function identify(
  value: JsonObject,
  fallback: string,
): { readonly kind: string; readonly namespace: string; readonly name: string } {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const text = (member: Json | undefined): string => (typeof member === 'string' ? member : '');
  return { kind: text(value['kind']), namespace: text(metadata['namespace']) || fallback, name: text(metadata['name']) };
}

function isOurs(value: JsonObject): boolean {
  const version = value['apiVersion'];
  return typeof version === 'string' && version.startsWith(`${group}/`) && !neighbours.has(value['kind']);
}

/** A document that means to be ours but says a version or a kind that does not exist. */
function strange(value: JsonObject): { readonly issue: Issue; readonly severity: Severity } | undefined {
  const { apiVersion: version, kind } = value;
  if (typeof kind !== 'string' || !kindNames.includes(kind) || isOurs(value)) return undefined;
  if (version === undefined) {
    return {
      severity: 'error',
      issue: { path: ['apiVersion'], code: 'required', message: `is required; ${kind} is ${apiVersion}` },
    };
  }
  const near = typeof version === 'string' && nearestName(version, [apiVersion, group]) !== undefined;
  const message = `${kind} is ${apiVersion}, got ${JSON.stringify(version)}`;
  return {
    severity: near || typeof version !== 'string' ? 'error' : 'warning',
    issue: { path: ['apiVersion'], code: 'version', message },
  };
}

function withNamespace(value: JsonObject, namespace: string): JsonObject {
  const { metadata } = value;
  if (!isObject(metadata) || (metadata['namespace'] ?? '') !== '') return value;
  return { ...value, metadata: { ...metadata, namespace } };
}

function findOld(value: JsonObject, { old, namespace }: ValidateSettings): JsonObject | undefined {
  const wanted = identify(value, namespace);
  const found = old.find((candidate) => {
    const is = identify(candidate, namespace);
    return is.kind === wanted.kind && is.namespace === wanted.namespace && is.name === wanted.name;
  });
  return found && withNamespace(found, namespace);
}

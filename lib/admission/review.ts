import { findObject, formatPath, type Json, type JsonObject, listAt, stringAt, valueAt } from '../json/index.ts';
import { apiVersion, group, kinds, type SchemaIssue } from '../api/index.ts';
import { parseJson } from '../manifest/index.ts';
import type { AdmissionContext } from './admission-request.ts';
import { judge } from './judge.ts';

const reviewVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];
const bodyLimit = 7 << 20;
const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** What a review is answered with, before it is wrapped. */
interface Answer {
  readonly allowed: boolean;
  readonly status: JsonObject;
  readonly warnings?: readonly string[];
}

/** Answers the text of one AdmissionReview; a text that is none is answered too. */
export function answerReview(text: string, context: AdmissionContext): JsonObject {
  // A character takes at most three bytes, so that most bodies need not be measured.
  if (text.length * 3 > bodyLimit && new TextEncoder().encode(text).length > bodyLimit)
    return wrap(undefined, failure(413, 'the body is larger than 7 MiB'));
  if (text.trim() === '') return wrap(undefined, badRequest('the body is empty'));
  return reviewAdmission(parseJson(text), context);
}

/** Answers one AdmissionReview: the schema first, as the API server does before it asks, then the rules as the webhook does. */
export function reviewAdmission(review: Json | undefined, context: AdmissionContext): JsonObject {
  const request = findObject(review, 'request');
  if (!request || stringAt(review, 'kind') !== 'AdmissionReview')
    return wrap(review, badRequest('not an AdmissionReview with a request'));
  if (!reviewVersions.includes(stringAt(review, 'apiVersion')))
    return wrap(review, badRequest(`apiVersion must be ${reviewVersions.join(' or ')}, got "${stringAt(review, 'apiVersion')}"`));
  return wrap(review, answer(request, context));
}

function answer(request: JsonObject, context: AdmissionContext): Answer {
  const asked = stringAt(request, 'operation');
  const operation = operations.find((known) => known === asked);
  if (!operation) return badRequest(`unknown operation "${asked}"`);
  if (operation === 'CONNECT') return allow([]);
  const object = readObject(request, operation === 'DELETE' ? 'oldObject' : 'object');
  if (typeof object === 'string') return badRequest(object);
  if (operation === 'DELETE') return allow([]);
  const oldObject = operation === 'UPDATE' ? readObject(request, 'oldObject') : undefined;
  if (typeof oldObject === 'string') return badRequest(oldObject);
  const { schema, undecodable, verdict } = judge({ object, oldObject, user: readUser(request) }, context);
  if (schema.length > 0) return refuse(object, schema);
  if (undecodable.length > 0)
    return badRequest(undecodable.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('\n'));
  const warnings = verdict.warnings.map((warning) => warning.text);
  if (verdict.issues.length === 0) return allow(warnings);
  return { ...failure(403, verdict.issues.map((issue) => issue.text).join('\n'), { reason: 'Forbidden' }), warnings };
}

/** The object of a request with its type and namespace filled in from the request; a text says why there is none. */
function readObject(request: JsonObject, field: 'object' | 'oldObject'): JsonObject | string {
  const asked = findObject(request, 'kind');
  const kind = stringAt(asked, 'kind');
  const object = findObject(request, field);
  if (!object) return `the request has no ${field}`;
  const metadata = {
    ...(stringAt(request, 'namespace') === '' ? {} : { namespace: stringAt(request, 'namespace') }),
    ...findObject(object, 'metadata'),
  };
  const typed: JsonObject = {
    apiVersion: `${stringAt(asked, 'group')}/${stringAt(asked, 'version')}`,
    kind,
    ...object,
    ...(findObject(object, 'metadata') ? { metadata } : {}),
  };
  const [isVersion, isKind] = [stringAt(typed, 'apiVersion'), stringAt(typed, 'kind')];
  if (isKind !== kind && kind !== '') return `the request is about a ${kind}, its ${field} is a ${isKind || 'nameless kind'}`;
  const known = isVersion === apiVersion && kinds.some((definition) => definition.kind === isKind);
  return known ? typed : `${field} is of a kind that is not served here: ${isVersion} ${isKind}`;
}

function readUser(request: JsonObject): { readonly username: string; readonly groups: readonly string[] } {
  const user = findObject(request, 'userInfo');
  return { username: stringAt(user, 'username'), groups: listAt(user, 'groups').filter((name) => typeof name === 'string') };
}

function allow(warnings: readonly string[]): Answer {
  return { allowed: true, status: { metadata: {}, code: 200 }, warnings };
}

function failure(code: number, message: string, more: JsonObject = {}): Answer {
  return { allowed: false, status: { metadata: {}, message, ...more, code } };
}

function badRequest(message: string): Answer {
  return failure(400, message);
}

function refuse(object: JsonObject, issues: readonly SchemaIssue[]): Answer {
  const lines = issues.map((issue) => `${formatPath(issue.path)}: ${issue.message}`);
  if (issues.some((issue) => issue.causes.length === 0)) return badRequest(lines.join('\n'));
  const [name, kind] = [stringAt(findObject(object, 'metadata'), 'name'), stringAt(object, 'kind')];
  const causes = issues.flatMap((issue) => issue.causes.map(({ reason, field }) => ({ reason, message: issue.message, field })));
  const problems = lines.length === 1 ? lines.join('') : `[${lines.join(', ')}]`;
  return failure(422, `${kind}.${group} "${name}" is invalid: ${problems}`, {
    status: 'Failure',
    reason: 'Invalid',
    details: { name, group, kind, causes },
  });
}

function wrap(review: Json | undefined, { allowed, status, warnings = [] }: Answer): JsonObject {
  const version = stringAt(review, 'apiVersion');
  const uid = valueAt(findObject(review, 'request'), 'uid');
  return {
    kind: 'AdmissionReview',
    apiVersion: reviewVersions.includes(version) ? version : 'admission.k8s.io/v1',
    response: { uid: typeof uid === 'string' ? uid : '', allowed, status, ...(warnings.length > 0 ? { warnings } : {}) },
  };
}

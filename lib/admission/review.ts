import { byteLength, findObject, formatPath, type Json, type JsonObject, listAt, stringAt, valueAt } from '../json/index.ts';
import { apiVersion, group, kinds, type SchemaIssue } from '../api/index.ts';
import { parseJson } from '../manifest/index.ts';
import type { AdmissionContext } from './admission-request.ts';
import { judge } from './judge.ts';

const reviewVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];
/** The limit of controller-runtime (`maxRequestSize` in pkg/webhook/admission). */
const bodyLimit = 7 << 20;
const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The response to a review without its UID. */
interface Answer {
  readonly allowed: boolean;
  readonly status: JsonObject;
  readonly warnings?: readonly string[];
}

/** Answers the body of an AdmissionReview request, also if it is not an AdmissionReview. */
export function answerReview(body: string, context: AdmissionContext): JsonObject {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so only long bodies need encoding.
  if (body.length * 3 > bodyLimit && byteLength(body) > bodyLimit)
    return wrap(undefined, failure(413, 'the body is larger than 7 MiB'));
  if (body.trim() === '') return wrap(undefined, badRequest('the body is empty'));
  return reviewAdmission(parseJson(body), context);
}

/** Answers one AdmissionReview: the schema, which the API server checks before it calls a webhook, then the rules of the webhook. */
export function reviewAdmission(review: Json | undefined, context: AdmissionContext): JsonObject {
  const request = findObject(review, 'request');
  if (!request || stringAt(review, 'kind') !== 'AdmissionReview')
    return wrap(review, badRequest('not an AdmissionReview with a request'));
  if (!reviewVersions.includes(stringAt(review, 'apiVersion')))
    return wrap(review, badRequest(`apiVersion must be ${reviewVersions.join(' or ')}, got "${stringAt(review, 'apiVersion')}"`));
  return wrap(review, answer(request, context));
}

function answer(request: JsonObject, context: AdmissionContext): Answer {
  const name = stringAt(request, 'operation');
  const operation = operations.find((known) => known === name);
  if (!operation) return badRequest(`unknown operation "${name}"`);
  if (operation === 'CONNECT') return allow([]);
  const object = readObject(request, operation === 'DELETE' ? 'oldObject' : 'object');
  if (typeof object === 'string') return badRequest(object);
  if (operation === 'DELETE') return allow([]);
  const oldObject = operation === 'UPDATE' ? readObject(request, 'oldObject') : undefined;
  if (typeof oldObject === 'string') return badRequest(oldObject);
  const { schema, undecodable, verdict } = judge({ object, oldObject, user: readUser(request) }, context);
  if (schema.length > 0) return reject(object, schema);
  if (undecodable.length > 0)
    return badRequest(undecodable.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('\n'));
  const warnings = verdict.warnings.map((warning) => warning.text);
  if (verdict.issues.length === 0) return allow(warnings);
  return { ...failure(403, verdict.issues.map((issue) => issue.text).join('\n'), { reason: 'Forbidden' }), warnings };
}

/** The object in an AdmissionRequest, with missing apiVersion, kind and namespace filled in from the request; or a message why it is unusable. */
function readObject(request: JsonObject, field: 'object' | 'oldObject'): JsonObject | string {
  const requested = findObject(request, 'kind');
  const kind = stringAt(requested, 'kind');
  const object = findObject(request, field);
  if (!object) return `the request has no ${field}`;
  const metadata = {
    ...(stringAt(request, 'namespace') === '' ? {} : { namespace: stringAt(request, 'namespace') }),
    ...findObject(object, 'metadata'),
  };
  const typed: JsonObject = {
    apiVersion: `${stringAt(requested, 'group')}/${stringAt(requested, 'version')}`,
    kind,
    ...object,
    ...(findObject(object, 'metadata') ? { metadata } : {}),
  };
  const [objectVersion, objectKind] = [stringAt(typed, 'apiVersion'), stringAt(typed, 'kind')];
  if (objectKind !== kind && kind !== '') return `the request is for kind ${kind}, but its ${field} has kind "${objectKind}"`;
  const known = objectVersion === apiVersion && kinds.some((definition) => definition.kind === objectKind);
  return known ? typed : `${field} has a kind that this webhook does not serve: ${objectVersion} ${objectKind}`;
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

function reject(object: JsonObject, issues: readonly SchemaIssue[]): Answer {
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

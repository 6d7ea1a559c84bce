import { type Issue, type Normalized, normalizeResource, type SchemaIssue } from '../api/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import type { AdmissionContext, AdmissionVerdict } from './admission-request.ts';
import { admit } from './admit.ts';
import { checkDecoding } from './decode.ts';
import { ratchet } from './ratchet.ts';
import type { User } from './who-may-scale.ts';

/** An object that a client submits, and the stored object that it replaces. */
export interface Submission {
  readonly object: JsonObject;
  /** The stored object; if present, the submission is an update. */
  readonly oldObject?: JsonObject | undefined;
  readonly user?: User | undefined;
}

/** The results of schema, decoding and webhook, in this order. A stage that does not run because an earlier one failed has no issues. */
export interface Judgement {
  readonly normalized: Normalized;
  /** Why the schema rejects the object. */
  readonly schema: readonly SchemaIssue[];
  /** Values of the object, or of the one it replaces, that the operator cannot decode. */
  readonly undecodable: readonly Issue[];
  readonly verdict: AdmissionVerdict;
  /** The object as stored, if it passes schema and decoding. */
  readonly stored?: JsonObject;
}

const noVerdict: AdmissionVerdict = { issues: [], warnings: [] };

/** Validates one object in the order of the API server: schema, decoding by the operator, webhook rules. */
export function judge({ object, oldObject: old, user }: Submission, context: AdmissionContext): Judgement {
  const normalized = normalizeResource(object);
  const oldNormalized = old && normalizeResource(old);
  const schema = oldNormalized ? ratchet(normalized, oldNormalized) : normalized.issues;
  const { value } = normalized;
  if (schema.length > 0 || normalized.kind === undefined || !isObject(value))
    return { normalized, schema, undecodable: [], verdict: noVerdict };
  const oldObject = isObject(oldNormalized?.value) ? oldNormalized.value : undefined;
  const undecodable = distinct([value, ...(oldObject ? [oldObject] : [])].flatMap(checkDecoding));
  if (undecodable.length > 0) return { normalized, schema, undecodable, verdict: noVerdict };
  const verdict = admit({ operation: oldObject ? 'UPDATE' : 'CREATE', object: value, oldObject, user }, context);
  return { normalized, schema, undecodable, verdict, stored: value };
}

/** Drops issues that occur twice: in the object and in the one it replaces. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  const byPathAndMessage = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...byPathAndMessage.values()];
}

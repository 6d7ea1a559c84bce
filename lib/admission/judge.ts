import { type Issue, type Normalized, normalizeResource, type SchemaIssue } from '../api/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import type { AdmissionContext, AdmissionVerdict } from './admission-request.ts';
import { admit } from './admit.ts';
import { checkDecoding } from './decode.ts';
import { ratchet } from './ratchet.ts';
import type { User } from './who-may-scale.ts';

/** An object as a client sends it, and what it is to replace. */
export interface Submission {
  readonly object: JsonObject;
  /** The object as it is now; its presence makes this an update. */
  readonly oldObject?: JsonObject | undefined;
  readonly user?: User | undefined;
}

/** What the API server and the webhook say, stage by stage; a stage that an earlier one keeps from running says nothing. */
export interface Judgement {
  readonly normalized: Normalized;
  /** Why the schema refuses the object. */
  readonly schema: readonly SchemaIssue[];
  /** What the operator cannot decode, in the object or the one before it. */
  readonly undecodable: readonly Issue[];
  readonly verdict: AdmissionVerdict;
  /** The object as stored, when schema and decoding let it pass. */
  readonly stored?: JsonObject;
}

const noVerdict: AdmissionVerdict = { issues: [], warnings: [] };

/** Judges one object as the API server does: the schema first, then what the operator can decode, then the rules of the webhook. */
export function judge({ object, oldObject: old, user }: Submission, context: AdmissionContext): Judgement {
  const normalized = normalizeResource(object);
  const before = old && normalizeResource(old);
  const schema = before ? ratchet(normalized, before) : normalized.issues;
  const { value } = normalized;
  if (schema.length > 0 || normalized.kind === undefined || !isObject(value))
    return { normalized, schema, undecodable: [], verdict: noVerdict };
  const oldObject = isObject(before?.value) ? before.value : undefined;
  const undecodable = distinct([value, ...(oldObject ? [oldObject] : [])].flatMap(checkDecoding));
  if (undecodable.length > 0) return { normalized, schema, undecodable, verdict: noVerdict };
  const verdict = admit({ operation: oldObject ? 'UPDATE' : 'CREATE', object: value, oldObject, user }, context);
  return { normalized, schema, undecodable, verdict, stored: value };
}

/** Issues without those that say the same of the object before. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  const byText = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...byText.values()];
}

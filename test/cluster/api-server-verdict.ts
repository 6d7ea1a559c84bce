/** Compares our verdict on a resource, and its stored form, with those of the API server. */
import { isDeepStrictEqual } from 'node:util';
import { formatPath, isObject, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { Normalized } from '../../lib/api/normalize.ts';
import type { ApiResponse } from '../control-plane/client.ts';

/** Metadata that is stored as it was given. */
const givenMetadata = ['name', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Data as it looks after a trip through JSON: great integers lose digits, and the order of keys says nothing. */
function plain(value: Json | undefined): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

function comparable(resource: Json | undefined, part: 'spec' | 'status'): unknown {
  if (!isObject(resource)) return resource;
  const { metadata, ...rest } = resource;
  const kept = part === 'spec' ? rest : { status: resource['status'] };
  const given = isObject(metadata) ? Object.fromEntries(givenMetadata.map((key) => [key, metadata[key]])) : {};
  if (isObject(metadata) && metadata['generateName'] !== undefined) delete given['name'];
  return plain({ ...kept, ...(part === 'spec' ? { metadata: given } : {}) });
}

/** Fields and reasons, once each. `<nil>` tells that checks were left out, and has no field. */
function causesOf(causes: readonly { readonly field?: string; readonly reason?: string }[]): readonly string[] {
  return [...new Set(causes.filter(({ field }) => field !== '<nil>').map(({ field, reason }) => `${field} ${reason}`))].sort();
}

/** Headers arrive byte by byte; the API server writes UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** Where the two verdicts differ, in words; `undefined` where they agree. */
export function disagreement(ours: Normalized, theirs: ApiResponse, part: 'spec' | 'status'): string | undefined {
  const { status, body } = theirs;
  const told = ours.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  if (status === 400)
    return ours.issues.some(({ causes }) => causes.length === 0)
      ? undefined
      : `cannot be decoded: ${body.message}; we say: ${told}`;
  if (status === 422) {
    const want = causesOf(body.details?.causes ?? []);
    const got = causesOf(ours.issues.flatMap(({ causes }) => causes));
    return isDeepStrictEqual(want, got) ? undefined : `causes: want ${want.join(', ')}; got ${got.join(', ')} (${body.message})`;
  }
  if (status !== 200 && status !== 201) return `unexpected answer ${status}: ${body.message}`;
  if (ours.issues.length > 0) return `accepted, but we refuse it: ${told}`;
  const dropped = theirs.warnings.flatMap((text) => /^unknown field "(.*)"$/s.exec(headerText(text))?.[1] ?? []).sort();
  const warned = ours.warnings.map(({ path }) => formatPath(path)).sort();
  if (!isDeepStrictEqual(dropped, warned)) return `unknown fields: want ${dropped.join(', ')}; got ${warned.join(', ')}`;
  const want = comparable(body as unknown as JsonObject, part);
  const got = comparable(ours.value, part);
  return isDeepStrictEqual(want, got) ? undefined : `stored: want ${JSON.stringify(want)}; got ${JSON.stringify(got)}`;
}

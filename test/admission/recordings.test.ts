import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reviewAdmission } from '../../lib/admission/index.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/index.ts';
import { parseJson } from '../../lib/manifest/index.ts';

interface Recorded {
  readonly id: string;
  readonly what: string;
  readonly operation: string;
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
  readonly review?: JsonObject;
  readonly user?: JsonObject;
  readonly unordered?: boolean;
  readonly schema?: { readonly ok: boolean; readonly causes?: readonly { readonly field: string }[] };
  readonly webhook?: {
    readonly allowed: boolean;
    readonly code: number;
    readonly message?: string;
    readonly warnings?: readonly string[];
  };
}

const cases = parseJson(
  readFileSync(join(import.meta.dirname, 'cases/admission.json'), 'utf8'),
) as unknown as readonly Recorded[];
const context = { apiGroups: new Set(['inference.networking.k8s.io']) };

function request(recorded: Recorded): JsonObject {
  const { id, object, oldObject, operation, user, review } = recorded;
  return (
    review ?? {
      uid: id,
      kind: { group: 'nvidia.com', version: 'v1alpha1', kind: object['kind'] ?? '' },
      operation,
      userInfo: user ?? { username: 'kubernetes-admin' },
      object,
      oldObject: oldObject ?? null,
    }
  );
}

interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly warnings?: readonly string[];
  readonly status: {
    readonly code: number;
    readonly message?: string;
    readonly details?: { readonly causes: readonly { readonly field: string }[] };
  };
}

function answer(recorded: Recorded): Response {
  const review: Json = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: request(recorded) };
  const { response } = reviewAdmission(review, context);
  if (!isObject(response)) throw new Error('no response');
  return response as unknown as Response;
}

/** Fields of causes as people see them: what is not a field is left out. */
function fields(causes: readonly { readonly field: string }[] = []): readonly string[] {
  return [...new Set(causes.map((cause) => cause.field).filter((field) => field !== '<nil>' && !field.startsWith('.')))].sort();
}

function order(recorded: Recorded, lines: readonly string[] = []): readonly string[] {
  return recorded.unordered ? [...lines].sort() : lines;
}

for (const recorded of cases) {
  test(`${recorded.id}: ${recorded.what}`, () => {
    const response = answer(recorded);
    expect(response.uid).toBe(recorded.id);
    if (recorded.schema?.ok === false) {
      expect(response.allowed).toBe(false);
      if (recorded.schema.causes?.length) {
        expect(response.status.code).toBe(422);
        expect(fields(response.status.details?.causes)).toEqual(fields(recorded.schema.causes));
      }
      return;
    }
    const want = recorded.webhook ?? { allowed: true, code: 200 };
    expect(response.allowed).toBe(want.allowed);
    expect(response.status.code).toBe(want.code);
    if (want.code === 403 && !recorded.unordered) expect(response.status.message).toBe(want.message);
    expect(order(recorded, response.warnings)).toEqual(order(recorded, want.warnings));
  });
}

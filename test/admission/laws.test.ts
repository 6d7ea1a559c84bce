import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { admit, checkDecoding, reviewAdmission } from '../../lib/admission/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';

const names = fc.constantFrom(
  'spec',
  'metadata',
  'services',
  'a',
  'pvcs',
  'restart',
  'strategy',
  'order',
  'sharedMemory',
  'size',
  'ingress',
  'replicas',
  'eppConfig',
  'configMapRef',
  'profilingConfig',
  'config',
  'engine',
  'source',
  'uri',
  'modelType',
  'componentType',
  '__proto__',
  'constructor',
  'toString',
);
const leaf = fc.oneof(
  fc.constantFrom<Json>('epp', 'lora', 'Parallel', '', 'x', '0', null, true, false, 0, 1, -1, 2),
  fc.string(),
  fc.integer(),
  fc.bigInt(),
);
const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(names, tie('value'), { maxKeys: 5 }),
}));
const kind = fc.constantFrom(
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentRequest',
  'DynamoModel',
  'DynamoWorkerMetadata',
);
const object = fc
  .tuple(kind, json.object)
  .map(([kind, rest]): JsonObject => ({ apiVersion: 'nvidia.com/v1alpha1', kind, metadata: { name: 'x' }, ...rest }));

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

test('judging never throws, never changes its input, and says the same thing twice', () => {
  fc.assert(
    fc.property(object, object, fc.boolean(), (one, other, thorough) => {
      freeze(one);
      freeze(other);
      for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
        const request = { operation, object: one, oldObject: { ...other, kind: one['kind'] } };
        expect(admit(request, { thorough })).toEqual(admit(request, { thorough }));
      }
      checkDecoding(one);
    }),
    { numRuns: 500 },
  );
});

test('any JSON at all gets an answer', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        json.value,
        fc.record({
          apiVersion: fc.constant('admission.k8s.io/v1'),
          kind: fc.constant('AdmissionReview'),
          request: fc.record({
            uid: leaf,
            operation: fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'x'),
            kind: fc.record({ group: fc.constant('nvidia.com'), version: fc.constant('v1alpha1'), kind }),
            object,
            oldObject: object,
          }),
        }),
      ),
      (review) => {
        expect(reviewAdmission(review, {})).toMatchObject({
          kind: 'AdmissionReview',
          response: { allowed: expect.any(Boolean), uid: expect.any(String) },
        });
      },
    ),
    { numRuns: 500 },
  );
});

test('what a quick judgement tells, a thorough one tells too', () => {
  fc.assert(
    fc.property(object, (one) => {
      const all = admit({ operation: 'CREATE', object: one }, { thorough: true }).issues;
      expect(all).toEqual(expect.arrayContaining([...admit({ operation: 'CREATE', object: one }).issues]));
    }),
    { numRuns: 500 },
  );
});

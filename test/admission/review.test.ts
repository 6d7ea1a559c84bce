import { describe, expect, test } from 'vitest';
import { answerReview } from '../../lib/admission/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { stringifyJson } from '../../lib/manifest/index.ts';
import { graph, resource } from './objects.ts';

interface Answer {
  readonly apiVersion: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly status: { readonly code: number; readonly message?: string };
  };
}

const kind = { group: 'nvidia.com', version: 'v1alpha1', kind: 'DynamoGraphDeployment' };
const good = graph({ a: {} });

function ask(request: JsonObject, review: JsonObject = {}): Answer {
  const body: Json = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: 'u', kind, ...request },
    ...review,
  };
  return answerReview(stringifyJson(body), {}) as unknown as Answer;
}

describe('protocol', () => {
  const cases: [string, () => Answer, number][] = [
    ['allows a valid object', () => ask({ operation: 'CREATE', object: good }), 200],
    ['allows CONNECT', () => ask({ operation: 'CONNECT' }), 200],
    ['allows DELETE of an invalid object', () => ask({ operation: 'DELETE', object: null, oldObject: graph({}) }), 200],
    ['rejects DELETE without the old object', () => ask({ operation: 'DELETE', object: good }), 400],
    ['rejects an unknown operation', () => ask({ operation: 'PATCH', object: good }), 400],
    ['rejects a missing object', () => ask({ operation: 'CREATE', object: null }), 400],
    ['rejects an update without the old object', () => ask({ operation: 'UPDATE', object: good }), 400],
    ['rejects an object of another kind', () => ask({ operation: 'CREATE', object: resource('DynamoModel', {}) }), 400],
    [
      'rejects a kind that is not served',
      () =>
        ask({ operation: 'CREATE', kind: { group: '', version: 'v1', kind: 'Pod' }, object: { apiVersion: 'v1', kind: 'Pod' } }),
      400,
    ],
    [
      'rejects a review of another version',
      () => ask({ operation: 'CREATE', object: good }, { apiVersion: 'admission.k8s.io/v2' }),
      400,
    ],
    ['rejects what is no review', () => ask({ operation: 'CREATE', object: good }, { kind: 'Review' }), 400],
    ['rejects a body that is not JSON', () => answerReview('{"a":', {}) as unknown as Answer, 400],
    ['rejects an empty body', () => answerReview('  ', {}) as unknown as Answer, 400],
    ['rejects a body over 7 MiB', () => answerReview(`"${'x'.repeat(7 << 20)}"`, {}) as unknown as Answer, 413],
    ['rejects what the schema does not admit', () => ask({ operation: 'CREATE', object: graph({ a: { replicas: 'x' } }) }), 422],
    [
      'takes kind and version from the request where the object has none',
      () => ask({ operation: 'CREATE', object: { metadata: { name: 'x' }, spec: { services: { a: {} } } } }),
      200,
    ],
  ];
  for (const [name, answer, code] of cases) {
    test(name, () => {
      const { response } = answer();
      expect(response.status.code).toBe(code);
      expect(response.allowed).toBe(code === 200);
    });
  }

  test('answers in the version of the request and with its uid', () => {
    const answer = ask({ operation: 'CREATE', object: good }, { apiVersion: 'admission.k8s.io/v1beta1' });
    expect(answer).toMatchObject({ apiVersion: 'admission.k8s.io/v1beta1', response: { uid: 'u' } });
  });

  test('lets an update pass with what was wrong before and has not changed', () => {
    const was = graph({ a: { replicas: -1 } });
    expect(ask({ operation: 'UPDATE', object: graph({ a: { replicas: -2 } }), oldObject: was }).response.status.code).toBe(422);
    // The schema lets it pass; the webhook's own rule does not.
    expect(
      ask({ operation: 'UPDATE', object: graph({ a: { replicas: -1, labels: { x: 'y' } } }), oldObject: was }).response.status,
    ).toMatchObject({
      code: 403,
      message: 'spec.services[a].replicas must be non-negative',
    });
    const model = (spec: JsonObject): JsonObject => resource('DynamoModel', spec);
    const request = { operation: 'UPDATE', kind: { ...kind, kind: 'DynamoModel' } };
    expect(
      ask({
        ...request,
        object: model({ modelType: 'odd', modelName: 'm2', baseModelName: 'b' }),
        oldObject: model({ modelType: 'odd', modelName: 'm', baseModelName: 'b' }),
      }).response.allowed,
    ).toBe(true);
  });
});

describe('an update with what was wrong before', () => {
  /** Before, after, and whether the schema lets it pass; as a real API server decided. */
  const cases: [string, JsonObject, JsonObject, boolean][] = [
    [
      'a missing field beside a changed one',
      { pvcs: [], restart: { strategy: {} } },
      { pvcs: [], restart: { strategy: { type: 'Parallel' } } },
      false,
    ],
    [
      'a bad list that is the same',
      { services: { a: { envs: [{ value: 'x' }] } } },
      { services: { a: { envs: [{ value: 'x' }], labels: { x: 'y' } } } },
      true,
    ],
    [
      'a bad list that has grown',
      { services: { a: { envs: [{ value: 'x' }] } } },
      { services: { a: { envs: [{ value: 'x' }, { name: 'k' }] } } },
      false,
    ],
    [
      'duplicates, and more of them now',
      { services: { a: { extraPodSpec: { mainContainer: { env: [{ name: 'x' }, { name: 'x' }] } } } } },
      { services: { a: { extraPodSpec: { mainContainer: { env: [{ name: 'x' }, { name: 'x' }, { name: 'x' }] } } } } },
      true,
    ],
    [
      'a PVC list that breaks its rule and has grown',
      { services: { a: {} }, pvcs: [{ name: 'p', create: true }] },
      { services: { a: {} }, pvcs: [{ name: 'p', create: true }, { name: 'q' }] },
      false,
    ],
  ];
  for (const [name, before, after, passes] of cases) {
    test(`${passes ? 'passes' : 'is rejected'}: ${name}`, () => {
      const of = (spec: JsonObject): JsonObject => resource('DynamoGraphDeployment', spec);
      const { code } = ask({ operation: 'UPDATE', object: of(after), oldObject: of(before) }).response.status;
      expect(code === 422).toBe(!passes);
    });
  }
});

describe('values the schema admits and the operator cannot read', () => {
  const service = (spec: JsonObject): number => ask({ operation: 'CREATE', object: graph({ a: spec }) }).response.status.code;
  const config = (threshold: string): JsonObject => ({
    eppConfig: { config: { plugins: [], schedulingProfiles: [], saturationDetector: { metricsStalenessThreshold: threshold } } },
  });
  const cases: [string, JsonObject, number][] = [
    ['replicas beyond 32 bits', { replicas: 2147483648 }, 400],
    ['replicas of 32 bits', { replicas: 2147483647 }, 200],
    ['a probe threshold beyond 32 bits', { livenessProbe: { failureThreshold: 3e9 } }, 400],
    ['a port beyond 32 bits', { livenessProbe: { httpGet: { port: 3e9 } } }, 400],
    ['a grace period of 64 bits', { livenessProbe: { terminationGracePeriodSeconds: 9223372036854775807n } }, 200],
    ['a quantity with a fraction in its exponent', { sharedMemory: { size: '1e1.5' } }, 400],
    ['a quantity with an exponent', { sharedMemory: { size: '1e3' } }, 200],
    ['a duration without unit', config('5'), 400],
    ['an empty duration', config(''), 400],
    ['a duration of several units', config('1h30m0.5s'), 200],
    ['a negative duration', config('-1.5h'), 200],
    ['a duration of zero without unit', config('0'), 200],
    ['a duration beyond 64 bits of nanoseconds', config('9999999h'), 400],
    ['a duration with a space', config('1h 30m'), 400],
  ];
  for (const [name, spec, code] of cases) test(`${name}: ${code}`, () => expect(service(spec)).toBe(code));
});

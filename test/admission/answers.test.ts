/** The complete answers of the webhook: section 11.3 of the contract, and the messages that users read. */
import { describe, expect, test } from 'vitest';
import { answerReview, type AdmissionContext } from '../../lib/admission/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { stringifyJson } from '../../lib/manifest/index.ts';
import { graph, resource } from './objects.ts';

const kind = { group: 'nvidia.com', version: 'v1alpha1', kind: 'DynamoGraphDeployment' };

function ask(request: JsonObject, context: AdmissionContext = {}): Json | undefined {
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u', kind, ...request } };
  return answerReview(stringifyJson(body), context)['response'];
}

const create = (object: Json, more: JsonObject = {}): Json | undefined => ask({ operation: 'CREATE', object, ...more });
const bad = (code: number, message: string) => ({ uid: 'u', allowed: false, status: { metadata: {}, message, code } });

describe('a request that cannot be judged', () => {
  test.each<[string, JsonObject, string]>([
    ['without an object', { operation: 'CREATE' }, 'the request has no object'],
    ['to delete without the object', { operation: 'DELETE' }, 'the request has no oldObject'],
    ['to update without the object before', { operation: 'UPDATE', object: graph({ a: {} }) }, 'the request has no oldObject'],
    ['of an unknown operation', { operation: 'PATCH' }, 'unknown operation "PATCH"'],
    [
      'about another kind',
      { operation: 'CREATE', object: resource('DynamoModel', {}) },
      'the request is for kind DynamoGraphDeployment, but its object has kind "DynamoModel"',
    ],
    [
      'about an object whose kind is empty',
      { operation: 'CREATE', object: { ...graph({}), kind: '' } },
      'the request is for kind DynamoGraphDeployment, but its object has kind ""',
    ],
    [
      'about a kind of another version',
      { operation: 'CREATE', kind: { ...kind, version: 'v2' }, object: { metadata: { name: 'x' } } },
      'object has a kind that this webhook does not serve: nvidia.com/v2 DynamoGraphDeployment',
    ],
    [
      'about a kind that is not ours',
      { operation: 'CREATE', kind: {}, object: { apiVersion: 'nvidia.com/v1alpha1', kind: 'Pod' } },
      'object has a kind that this webhook does not serve: nvidia.com/v1alpha1 Pod',
    ],
  ])('%s', (_what, request, message) => expect(ask(request)).toEqual(bad(400, message)));

  test('because it is none', () => {
    const none = (text: string) => answerReview(text, {});
    const answer = (code: number, message: string) => ({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: '', allowed: false, status: { metadata: {}, message, code } },
    });
    expect(none(' \n')).toEqual(answer(400, 'the body is empty'));
    expect(none('{"a":')).toEqual(answer(400, 'not an AdmissionReview with a request'));
    expect(none('{"kind":"AdmissionReview"}')).toEqual(answer(400, 'not an AdmissionReview with a request'));
    expect(none('{"kind":"Other","request":{}}')).toEqual(answer(400, 'not an AdmissionReview with a request'));
    expect(none('{"kind":"AdmissionReview","apiVersion":"v2","request":{"uid":1}}')).toEqual(
      answer(400, 'apiVersion must be admission.k8s.io/v1 or admission.k8s.io/v1beta1, got "v2"'),
    );
  });

  test('because its body is too large, in bytes', () => {
    const limit = 7 * 1024 * 1024;
    const code = (text: string) => answerReview(text, {})['response'];
    const filled = (bytes: number, filler = 'x'): string =>
      `"${filler.repeat((bytes - 2) / new TextEncoder().encode(filler).length)}"`;
    expect(code(filled(limit))).toMatchObject({ status: { code: 400 } });
    expect(code(filled(limit + 1))).toMatchObject({ status: { code: 413, message: 'the body is larger than 7 MiB' } });
    expect(code(filled(limit, 'é'))).toMatchObject({ status: { code: 400 } });
    expect(code(filled(limit + 2, 'é'))).toMatchObject({ status: { code: 413 } });
  });
});

describe('a request that is judged', () => {
  test('is allowed, with warnings where there are some', () => {
    expect(create(graph({ a: {} }))).toEqual({ uid: 'u', allowed: true, status: { metadata: {}, code: 200 } });
    expect(create(graph({ a: { autoscaling: {} } }))).toEqual({
      uid: 'u',
      allowed: true,
      status: { metadata: {}, code: 200 },
      warnings: [
        'spec.services[a].autoscaling is deprecated and ignored. Use DynamoGraphDeploymentScalingAdapter with HPA, KEDA, or Planner for autoscaling instead. See docs/kubernetes/autoscaling.md',
      ],
    });
  });

  test('is denied for broken rules, one a line, with the warnings of the denial', () => {
    expect(create(graph({ a: {} }, { restart: { id: 'r', strategy: { order: ['a', 'b'] } } }))).toEqual({
      uid: 'u',
      allowed: false,
      status: {
        metadata: {},
        message:
          'spec.restart.strategy.order must have the same number of unique services as the deployment\nspec.restart.strategy.order contains unknown service: b',
        reason: 'Forbidden',
        code: 403,
      },
    });
    const [before, after] = ['vllm', 'sglang'].map((backendFramework) => graph({ a: {} }, { backendFramework }));
    expect(ask({ operation: 'UPDATE', object: after, oldObject: before })).toMatchObject({
      status: { code: 403, message: 'spec.backendFramework is immutable and cannot be changed after creation' },
      warnings: ['Changing spec.backendFramework may cause unexpected behavior'],
    });
  });

  test('is refused for its schema with the causes that the API server gives', () => {
    const one = { reason: 'FieldValueInvalid', message: 'must be 0 or more, got -1', field: 'spec.services.a.replicas' };
    expect(create(graph({ a: { replicas: -1 } }))).toEqual({
      uid: 'u',
      allowed: false,
      status: {
        metadata: {},
        message: 'DynamoGraphDeployment.nvidia.com "x" is invalid: spec.services.a.replicas: must be 0 or more, got -1',
        status: 'Failure',
        reason: 'Invalid',
        details: { name: 'x', group: 'nvidia.com', kind: 'DynamoGraphDeployment', causes: [one] },
        code: 422,
      },
    });
    expect(create(graph({ a: { replicas: -1 }, b: { replicas: -1 } }))).toMatchObject({
      status: {
        message:
          'DynamoGraphDeployment.nvidia.com "x" is invalid: [spec.services.a.replicas: must be 0 or more, got -1, spec.services.b.replicas: must be 0 or more, got -1]',
        details: { causes: [one, { ...one, field: 'spec.services.b.replicas' }] },
      },
    });
  });

  test('is bad where the object cannot be decoded, each problem a line', () => {
    const memory = { sharedMemory: { size: '1e1.5' } };
    const line = (key: string): string =>
      `spec.services.${key}.sharedMemory.size: must be a quantity whose exponent is a 64-bit integer, such as 1e3, got "1e1.5"`;
    expect(create(graph({ a: memory, b: memory }))).toEqual(bad(400, `${line('a')}\n${line('b')}`));
    const long = `1e${'1'.repeat(90)}`;
    expect(create(graph({ a: { sharedMemory: { size: long } } }))).toEqual(
      bad(
        400,
        `spec.services.a.sharedMemory.size: must be a quantity whose exponent is a 64-bit integer, such as 1e3, got "1e${'1'.repeat(74)}...`,
      ),
    );
    expect(create(graph({ a: { replicas: 2 ** 31 } }))).toEqual(
      bad(400, 'spec.services.a.replicas: must fit in 32 bits, got 2147483648'),
    );
    expect(create({ ...graph({ a: {} }), metadata: { name: 1 } })).toMatchObject({
      status: { code: 400, message: 'metadata.name: must be a string, got 1' },
    });
  });

  test('is in the namespace of the request, where the object names none', () => {
    const service = { a: { dynamoNamespace: 'old' } };
    const { namespace: _none, ...metadata } = { name: 'x', namespace: '' };
    const warning = (object: JsonObject, more: JsonObject) => create(object, more);
    const text = (computed: string) =>
      `spec.services[a].dynamoNamespace is deprecated and ignored. Value 'old' will be replaced with '${computed}'. Remove this field from your configuration`;
    expect(warning({ ...graph(service), metadata }, { namespace: 'team' })).toMatchObject({ warnings: [text('team-x')] });
    expect(warning(graph(service), { namespace: 'team' })).toMatchObject({ warnings: [text('ns-x')] });
    expect(warning({ ...graph(service), metadata }, {})).toMatchObject({ warnings: [text('-x')] });
    expect(warning(graph({ a: { dynamoNamespace: 'old', globalDynamoNamespace: true } }), {})).toMatchObject({
      warnings: [text('dynamo')],
    });
  });

  test('knows who asks', () => {
    const scaled = (replicas: number): JsonObject => graph({ a: { replicas, scalingAdapter: { enabled: true } } });
    const by = (username: string) =>
      ask({ operation: 'UPDATE', object: scaled(2), oldObject: scaled(1), userInfo: { username, groups: ['g', 1] } });
    expect(by('system:serviceaccount:x:planner-serviceaccount')).toMatchObject({ allowed: true });
    expect(by('kubernetes-admin')).toMatchObject({ allowed: false });
  });
});

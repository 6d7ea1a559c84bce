import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { decideModel } from '../../../lib/reconcile/model/decide-model.ts';
import { flagDefaults } from '../../../lib/render/index.ts';
import { modelHash } from '../../../lib/render/base-model.ts';
import { adaptersOf } from '../../../lib/reconcile/index.ts';
import {
  answering,
  decided,
  endpoint,
  eventsIn,
  model,
  slice,
  slicesKey,
  snapshotOf,
  statusIn,
  taken,
  type Worker,
} from './snapshots.ts';

const one = [slice([endpoint('w-1', ['10.0.0.1'])])];
const two = [slice([endpoint('w-1', ['10.0.0.1']), endpoint('w-2', ['10.0.0.2'])])];
const bothWell = { '10.0.0.1': answering(200), '10.0.0.2': answering(201) };

const ready = (generation = 1): JsonObject => ({
  conditions: [
    {
      type: 'EndpointsReady',
      status: 'True',
      reason: 'AllEndpointsReady',
      message: 'All 1 endpoint(s) are ready',
      observedGeneration: generation,
      lastTransitionTime: '2026-11-16T11:00:00Z',
    },
  ],
  endpoints: [{ address: 'http://10.0.0.1:9090', podName: 'w-1', ready: true }],
  readyEndpoints: 1,
  totalEndpoints: 1,
});

test.each([
  ['Qwen/Qwen3-0.6B', 'fb68f5a6'],
  ['meta-llama/Llama-3.3-70B-Instruct', '99668f5d'],
  ['llama-3-8b', '420a9dc9'],
])('looks for the slices of %s by the label %s', (baseModelName, hash) => {
  expect(modelHash(baseModelName)).toBe(hash);
  const snapshot = { ...snapshotOf(model({ baseModelName }, taken), []), lists: {} };
  expect(decideModel(snapshot)).toEqual({
    answer: 'lookups',
    lookups: [
      {
        question: 'list',
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        namespace: 'demo',
        select: { labels: { 'nvidia.com/dynamo-base-model-hash': hash } },
      },
    ],
  });
});

describe('loading', () => {
  test('adds the finalizer before it has anything loaded, and comes back at once', () => {
    const { decision, rounds } = decided(snapshotOf(model(), two));
    expect(rounds).toEqual([]);
    expect(decision).toEqual({
      steps: [
        [
          {
            verb: 'patch',
            target: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', namespace: 'demo', name: 'ad' },
            patch: [
              { op: 'test', path: '/metadata/resourceVersion', value: '7' },
              { op: 'add', path: '/metadata/finalizers', value: ['nvidia.com/finalizer'] },
              { op: 'add', path: '/metadata/annotations', value: {} },
              {
                op: 'add',
                path: '/metadata/annotations/nvidia.com~1dynamo-applied-lora',
                value: '{"name":"org/ad","uri":"s3://b/ad"}',
              },
            ],
          },
        ],
      ],
      events: [],
      lookAgainSeconds: 0,
    });
  });

  test('loads on every endpoint and says so once', () => {
    const first = decided(snapshotOf(model({}, taken), two), bothWell);
    expect(first.rounds).toEqual([['POST http://10.0.0.1:9090/v1/loras', 'POST http://10.0.0.2:9090/v1/loras']]);
    expect(eventsIn(first)).toEqual(['Normal EndpointsReady: All 2 endpoints ready for base model Qwen/Qwen3-0.6B']);
    expect(statusIn(first)).toEqual({
      conditions: [
        {
          lastTransitionTime: '2026-11-16T12:00:00Z',
          type: 'ServicesFound',
          status: 'True',
          reason: 'ServicesFound',
          message: 'Found 1 service(s)',
          observedGeneration: 1,
        },
        {
          lastTransitionTime: '2026-11-16T12:00:00Z',
          type: 'EndpointsReady',
          status: 'True',
          reason: 'AllEndpointsReady',
          message: 'All 2 endpoint(s) are ready',
          observedGeneration: 1,
        },
        {
          lastTransitionTime: '2026-11-16T12:00:00Z',
          type: 'Valid',
          status: 'True',
          reason: 'ValidationPassed',
          message: 'DynamoModel spec is valid',
          observedGeneration: 1,
        },
      ],
      endpoints: [
        { address: 'http://10.0.0.1:9090', podName: 'w-1', ready: true },
        { address: 'http://10.0.0.2:9090', podName: 'w-2', ready: true },
      ],
      readyEndpoints: 2,
      totalEndpoints: 2,
    });
    expect(first.decision.lookAgainSeconds).toBe(600);

    const second = decided(snapshotOf(model({}, taken, statusIn(first)), two, { now: '2026-11-16T13:00:00.000Z' }), bothWell);
    expect(second.decision).toMatchObject({ steps: [], events: [] });
  });

  test.each([
    ['status 400', answering(400, 'no such adapter'), 'load LoRA failed with status 400: no such adapter'],
    ['status 404', answering(404, ''), 'load LoRA failed with status 404: '],
    ['status 500', answering(500, 'x'), 'load LoRA failed with status 500: x'],
    ['a redirect', answering(307, ''), 'load LoRA failed with status 307: '],
    [
      'an error in a 200',
      answering(200, '{"status":"error","message":"no"}'),
      'load LoRA failed with status 200: {"status":"error","message":"no"}',
    ],
    [
      'no answer',
      () => ({ ok: false as const, error: 'no answer within 15 s' }),
      'failed to call load LoRA endpoint: no answer within 15 s',
    ],
  ])('is not ready where a worker answers with %s', (_name, worker, note) => {
    const result = decided(snapshotOf(model({}, taken), two), { ...bothWell, '10.0.0.2': worker });
    expect(statusIn(result)).toMatchObject({ readyEndpoints: 1, totalEndpoints: 2 });
    expect(eventsIn(result)).toEqual([
      'Warning PartialEndpointFailure: Some endpoints failed to load LoRA: 1 task(s) failed',
      'Warning NotReady: Only 1 of 2 endpoints ready for base model Qwen/Qwen3-0.6B',
    ]);
    expect(result.decision.notes).toEqual([`http://10.0.0.2:9090: ${note}`]);
    expect(result.decision.lookAgainSeconds).toBe(30);
  });

  test.each(['', 'no JSON', '[]', 'null', '{"status":7}'])('is ready where a worker answers 200 and %j', (body) => {
    expect(statusIn(decided(snapshotOf(model({}, taken), one), { '10.0.0.1': answering(200, body) }))).toMatchObject({
      readyEndpoints: 1,
    });
  });

  test('tells nothing of a password in an address a worker repeats', () => {
    const body = 'cannot read s3://key:secret@bucket/ad?X-Amz-Signature=hidden\nat once';
    const { decision } = decided(snapshotOf(model({}, taken), one), { '10.0.0.1': answering(500, body) });
    expect(decision.notes?.[0]).toBe(
      'http://10.0.0.1:9090: load LoRA failed with status 500: cannot read s3://[redacted]@bucket/ad?[redacted] at once',
    );
  });

  test('calls pods that serve already before those that are not ready', () => {
    const slices = [slice([endpoint('a', ['10.0.0.1'], { ready: false }), endpoint('b', ['10.0.0.2'])])];
    const { rounds } = decided(snapshotOf(model({}, taken), slices), bothWell);
    expect(rounds).toEqual([['POST http://10.0.0.2:9090/v1/loras', 'POST http://10.0.0.1:9090/v1/loras']]);
  });

  test('waits longer between tries the longer a worker fails', () => {
    const failing = { '10.0.0.1': answering(500) };
    const status = statusIn(decided(snapshotOf(model({}, taken), one), failing));
    const after = (now: string): number | undefined =>
      decided(snapshotOf(model({}, taken, status), one, { now }), failing).decision.lookAgainSeconds;
    expect(['2026-11-16T12:01:00.000Z', '2026-11-16T12:10:00.000Z', '2026-11-17T12:00:00.000Z'].map(after)).toEqual([
      30, 150, 300,
    ]);
  });
});

describe('asking before loading', () => {
  const listing = (names: readonly string[]): string =>
    JSON.stringify({
      status: 'success',
      loras: Object.fromEntries(names.map((name, index) => [name, index])),
      count: names.length,
    });
  const worker =
    (
      list: string,
    ): ((call: { readonly method: string }) => { readonly ok: true; readonly status: number; readonly body: string }) =>
    ({ method }) => ({ ok: true, status: 200, body: method === 'GET' ? list : '{}' });

  test('asks first after a restart, and loads where the name is not listed', () => {
    const result = decided(snapshotOf(model({}, taken), two, { firstPass: true }), {
      '10.0.0.1': worker(listing(['other', 'org/ad'])),
      '10.0.0.2': worker(listing(['other'])),
    });
    expect(result.rounds).toEqual([
      ['GET http://10.0.0.1:9090/v1/loras', 'GET http://10.0.0.2:9090/v1/loras'],
      ['POST http://10.0.0.2:9090/v1/loras'],
    ]);
    expect(statusIn(result)).toMatchObject({ readyEndpoints: 2 });
  });

  test('asks first where nothing has changed, and loads again what a restart of the container has lost', () => {
    const known = snapshotOf(model({}, taken, ready()), one);
    expect(decided(known, { '10.0.0.1': worker(listing(['org/ad'])) }).rounds).toEqual([['GET http://10.0.0.1:9090/v1/loras']]);
    expect(decided(known, { '10.0.0.1': worker(listing([])) }).rounds).toEqual([
      ['GET http://10.0.0.1:9090/v1/loras'],
      ['POST http://10.0.0.1:9090/v1/loras'],
    ]);
  });

  test.each(['', '{"loras":[]}', 'x'])('loads where the list is %j', (list) => {
    const { rounds } = decided(snapshotOf(model({}, taken, ready()), one), { '10.0.0.1': worker(list) });
    expect(rounds.flat()).toEqual(['GET http://10.0.0.1:9090/v1/loras', 'POST http://10.0.0.1:9090/v1/loras']);
  });

  test('does not ask where the endpoints or the spec have changed', () => {
    expect(decided(snapshotOf(model({}, taken, ready()), two), bothWell).rounds.flat()).toEqual([
      'POST http://10.0.0.1:9090/v1/loras',
      'POST http://10.0.0.2:9090/v1/loras',
    ]);
    const edited = model({}, { ...taken, generation: 2 }, ready(1));
    expect(decided(snapshotOf(edited, one), bothWell).rounds.flat()).toEqual(['POST http://10.0.0.1:9090/v1/loras']);
  });
});

describe('a change of name or source', () => {
  test('unloads the old source before it loads the new one, and notes it', () => {
    const changed = model({ source: { uri: 's3://b/ad2' } }, { ...taken, generation: 2 }, ready());
    const result = decided(snapshotOf(changed, one), bothWell);
    expect(result.rounds).toEqual([['DELETE http://10.0.0.1:9090/v1/loras/org/ad'], ['POST http://10.0.0.1:9090/v1/loras']]);
    expect(result.decision.steps[0]).toMatchObject([
      { verb: 'patch', patch: [{ op: 'test' }, { op: 'add', value: '{"name":"org/ad","uri":"s3://b/ad2"}' }] },
    ]);
    expect(statusIn(result)).toMatchObject({ readyEndpoints: 1 });
  });

  test('unloads the old name', () => {
    const renamed = model({ modelName: 'new' }, { ...taken, generation: 2 }, ready());
    expect(decided(snapshotOf(renamed, one), bothWell).rounds.flat()).toEqual([
      'DELETE http://10.0.0.1:9090/v1/loras/org/ad',
      'POST http://10.0.0.1:9090/v1/loras',
    ]);
  });

  test('loads nothing over an adapter that cannot be unloaded, and tries that worker alone again', () => {
    const changed = model({ source: { uri: 's3://b/ad2' } }, { ...taken, generation: 2 }, ready());
    const first = decided(snapshotOf(changed, two), { '10.0.0.1': answering(200) });
    expect(first.rounds).toEqual([
      ['DELETE http://10.0.0.1:9090/v1/loras/org/ad', 'DELETE http://10.0.0.2:9090/v1/loras/org/ad'],
      ['POST http://10.0.0.1:9090/v1/loras'],
    ]);
    expect(statusIn(first)).toMatchObject({ readyEndpoints: 1, totalEndpoints: 2 });
    const note = '{"name":"org/ad","uri":"s3://b/ad2","outdated":{"http://10.0.0.2:9090":"org/ad"}}';
    expect(first.decision.steps[0]).toMatchObject([{ patch: [{}, { value: note }] }]);

    const noted = { ...taken, generation: 2, annotations: { 'nvidia.com/dynamo-applied-lora': note } };
    const again = snapshotOf(model({ source: { uri: 's3://b/ad2' } }, noted, statusIn(first)), two);
    expect(decided(again, bothWell).rounds).toEqual([
      ['POST http://10.0.0.1:9090/v1/loras', 'DELETE http://10.0.0.2:9090/v1/loras/org/ad'],
      ['POST http://10.0.0.2:9090/v1/loras'],
    ]);
  });

  test.each([
    ['404', answering(404, '')],
    ['an error in a 200', answering(200, '{"status":"error"}')],
  ])('asks whether the old one was there at all where the unload answers %s', (_name, refusing) => {
    const renamed = snapshotOf(model({ modelName: 'new' }, { ...taken, generation: 2 }), one);
    const worker = (list: string): ReturnType<typeof decided> =>
      decided(renamed, {
        '10.0.0.1': (call) =>
          call.method === 'DELETE' ? refusing(call) : { ok: true, status: 200, body: call.method === 'GET' ? list : '{}' },
      });
    expect(worker('{"loras":{}}').rounds.flat()).toEqual([
      'DELETE http://10.0.0.1:9090/v1/loras/org/ad',
      'GET http://10.0.0.1:9090/v1/loras',
      'POST http://10.0.0.1:9090/v1/loras',
    ]);
    expect(statusIn(worker('{"loras":{"org/ad":1}}'))).toMatchObject({ readyEndpoints: 0, totalEndpoints: 1 });
  });
});

describe('other kinds of models', () => {
  test.each(['base', 'adapter'])('calls nobody for the type %s', (modelType) => {
    const result = decided(snapshotOf(model({ modelType, source: null }), two));
    expect(result.rounds).toEqual([]);
    expect(result.decision.steps.map((step) => step.map(({ verb }) => verb))).toEqual([['patch'], ['status']]);
    expect(statusIn(result)).toMatchObject({
      conditions: [
        { type: 'ServicesFound', reason: 'ServicesFound' },
        { type: 'EndpointsReady', status: 'True', reason: 'EndpointsDiscovered', message: 'Found 2 endpoint(s) for base model' },
        { type: 'Valid', status: 'True' },
      ],
      endpoints: [{ ready: false }, { ready: false }],
      readyEndpoints: 0,
      totalEndpoints: 2,
    });
    expect(eventsIn(result)).toEqual(['Normal EndpointsDiscovered: Discovered 2 endpoints for base model Qwen/Qwen3-0.6B']);
    expect(result.decision.lookAgainSeconds).toBeUndefined();
  });

  test('says that there are no endpoints, once', () => {
    const message = 'No endpoint slices found for base model Qwen/Qwen3-0.6B';
    const first = decided(snapshotOf(model({}, taken), []));
    expect(statusIn(first)).toEqual({
      conditions: [
        expect.objectContaining({ type: 'ServicesFound', status: 'False', reason: 'NoServicesFound', message }),
        expect.objectContaining({ type: 'EndpointsReady', status: 'False', reason: 'NoEndpoints', message }),
        expect.objectContaining({ type: 'Valid', status: 'True' }),
      ],
      readyEndpoints: 0,
      totalEndpoints: 0,
    });
    expect(eventsIn(first)).toEqual([`Warning NoEndpointsFound: ${message}`]);
    expect(decided(snapshotOf(model({}, taken, statusIn(first)), [])).decision).toMatchObject({ steps: [], events: [] });
  });

  test('says that candidates belong to no Service', () => {
    const result = decided(snapshotOf(model({ modelType: 'base' }), [slice([endpoint('w', ['10.0.0.1'])], '')]));
    expect(statusIn(result)).toMatchObject({
      conditions: [
        { status: 'False', reason: 'NoServicesFound', message: 'No services associated with endpoint slices' },
        {},
        {},
      ],
    });
  });
});

describe('an invalid model', () => {
  test.each([
    [{ modelName: '' }, 'spec.modelName is required'],
    [{ baseModelName: '' }, 'spec.baseModelName is required'],
    [{ source: null }, "spec.source is required when modelType is 'lora'"],
    [{ source: { uri: '' } }, "spec.source.uri must be specified when modelType is 'lora'"],
    [{ source: { uri: 'http://evil/x' } }, "source URI must start with 's3://' or 'hf://', got: http://evil/x"],
    [{ source: { uri: 'file:///etc/passwd' } }, "source URI must start with 's3://' or 'hf://', got: file:///etc/passwd"],
    [{ source: { uri: 'S3://b' } }, "source URI must start with 's3://' or 'hf://', got: S3://b"],
    [
      { modelName: 'a b/../c' },
      "spec.modelName must not have '.' or '..' between slashes, got: a b/../c; workers unload it by the path /v1/loras/<modelName>",
    ],
  ])('gets a condition, an event once, no finalizer and no call: %j', (spec, error) => {
    const result = decided(snapshotOf(model(spec), one));
    expect(result.decision.steps.map((step) => step.map(({ verb }) => verb))).toEqual([['status']]);
    expect(statusIn(result)).toEqual({
      conditions: [
        {
          lastTransitionTime: '2026-11-16T12:00:00Z',
          type: 'Valid',
          status: 'False',
          reason: 'ValidationFailed',
          message: `Validation failed: ${error}`,
          observedGeneration: 1,
        },
      ],
      readyEndpoints: 0,
      totalEndpoints: 0,
    });
    expect(eventsIn(result)).toEqual([`Warning ValidationFailed: ${error}`]);
    expect(decided(snapshotOf(model(spec, {}, statusIn(result)), one)).decision).toEqual({ steps: [], events: [] });
  });

  test('keeps what was found of its endpoints when an edit makes it invalid', () => {
    const result = decided(snapshotOf(model({ source: null }, { ...taken, generation: 2 }, ready()), one));
    expect(statusIn(result)).toMatchObject({ readyEndpoints: 1, totalEndpoints: 1 });
  });
});

describe('deletion', () => {
  const deleting = { ...taken, deletionTimestamp: '2026-11-16T12:00:00Z' };
  const released = [
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'remove', path: '/metadata/finalizers/0' },
  ];

  test.each([
    ['my-lora-v1.0', '/v1/loras/my-lora-v1.0'],
    ['org/ad', '/v1/loras/org/ad'],
    ['c?d#e', '/v1/loras/c%3Fd%23e'],
    ['a b/ü%2e', '/v1/loras/a%20b/%C3%BC%252e'],
    ["x:@$&+,;=!*'()", '/v1/loras/x:@$&+,;=%21%2A%27%28%29'],
    ['\ud800', '/v1/loras/%EF%BF%BD'],
  ])('unloads %j by its path', (modelName, path) => {
    const metadata = { finalizers: ['nvidia.com/finalizer'], deletionTimestamp: '2026-11-16T12:00:00Z' };
    const { rounds } = decided(snapshotOf(model({ modelName }, metadata), one), bothWell);
    expect(rounds).toEqual([[`DELETE http://10.0.0.1:9090${path}`]]);
  });

  test('unloads everywhere and lets the model go', () => {
    const result = decided(snapshotOf(model({}, deleting), two), { '10.0.0.1': answering(204, ''), '10.0.0.2': answering(200) });
    expect(result.decision.steps).toEqual([[expect.objectContaining({ verb: 'patch', patch: released })]]);
    expect(eventsIn(result)).toEqual(['Normal LoRAUnloaded: Unloaded LoRA from 2 endpoint(s)']);
  });

  test.each([
    ['404', answering(404, '')],
    ['nothing', () => ({ ok: false as const, error: 'no answer within 15 s' })],
  ])('lets the model go where a worker answers with %s', (_name, worker) => {
    const result = decided(snapshotOf(model({}, deleting), two), { '10.0.0.1': answering(204, ''), '10.0.0.2': worker });
    expect(result.decision.steps).toEqual([[expect.objectContaining({ patch: released })]]);
    expect(eventsIn(result)).toEqual(['Warning LoRAUnloadFailed: Failed to unload LoRA from some endpoints: 1 task(s) failed']);
  });

  test('unloads what was loaded before a change that came to nothing', () => {
    const annotations = {
      'nvidia.com/dynamo-applied-lora': '{"name":"old","uri":"s3://b/a","outdated":{"http://10.0.0.1:9090":"older"}}',
    };
    const { rounds } = decided(snapshotOf(model({ modelName: 'new' }, { ...deleting, annotations }), one), bothWell);
    expect(rounds.flat().toSorted()).toEqual([
      'DELETE http://10.0.0.1:9090/v1/loras/new',
      'DELETE http://10.0.0.1:9090/v1/loras/old',
      'DELETE http://10.0.0.1:9090/v1/loras/older',
    ]);
  });

  test('lets models go at once that have nothing to unload', () => {
    for (const resource of [model({ modelType: 'base' }, deleting), model({}, deleting), model({ source: null }, deleting)]) {
      const result = decided(snapshotOf(resource, []));
      expect(result).toMatchObject({ rounds: [], decision: { events: [], steps: [[{ patch: released }]] } });
    }
  });

  test('calls no path that a name with dots would lead to', () => {
    const metadata = { finalizers: ['nvidia.com/finalizer'], deletionTimestamp: '2026-11-16T12:00:00Z' };
    const { rounds } = decided(snapshotOf(model({ modelName: 'a/../../admin' }, metadata), one), bothWell);
    expect(rounds).toEqual([]);
  });

  test('does nothing about a model that another finalizer holds', () => {
    const resource = model({}, { deletionTimestamp: '2026-11-16T12:00:00Z', finalizers: ['other'] });
    expect(decided(snapshotOf(resource, one)).decision).toEqual({ steps: [], events: [] });
  });
});

test('gives every call 15 s, and has no two under way for one worker and name', () => {
  const seen: string[] = [];
  const noting: Worker = ({ method, timeoutSeconds, exclusive = 'none' }) => {
    seen.push(`${method} ${timeoutSeconds} ${exclusive}`);
    return { ok: true, status: 404, body: '' };
  };
  decided(snapshotOf(model({ modelName: 'new' }, { ...taken, generation: 2 }, ready()), one), { '10.0.0.1': noting });
  expect(seen).toEqual(['DELETE 15 http://10.0.0.1:9090 org/ad', 'GET 15 none']);
  seen.length = 0;
  decided(snapshotOf(model({}, taken), one), { '10.0.0.1': noting });
  expect(seen).toEqual(['POST 15 http://10.0.0.1:9090 org/ad']);
});

describe('an adapter that another model has too', () => {
  const deleting = { ...taken, deletionTimestamp: '2026-11-16T12:00:00Z' };
  const other = (spec: JsonObject = {}, more: JsonObject = {}): JsonObject => model(spec, { name: 'twin', uid: 'u2', ...more });

  test('stays loaded when one of them is deleted', () => {
    const result = decided(snapshotOf(model({}, deleting), two), bothWell, [other()]);
    expect(result.rounds).toEqual([]);
    expect(result.decision.steps).toEqual([[expect.objectContaining({ verb: 'patch' })]]);
    expect(eventsIn(result)).toEqual([
      'Normal LoRAKept: LoRA org/ad stays loaded: DynamoModel twin has the same name and source',
    ]);
  });

  test.each<[string, JsonObject]>([
    ['another source', other({ source: { uri: 's3://b/else' } })],
    ['another base', other({ baseModelName: 'else/base' })],
    ['another name', other({ modelName: 'org/else' })],
    ['another type', other({ modelType: 'adapter' })],
    ['no life left', other({}, { deletionTimestamp: '2026-11-16T12:00:00Z' })],
  ])('is unloaded where the other has %s', (_what, twin) => {
    const result = decided(snapshotOf(model({}, deleting), one), bothWell, [twin]);
    expect(result.rounds).toEqual([['DELETE http://10.0.0.1:9090/v1/loras/org/ad']]);
    expect(eventsIn(result)).toEqual(['Normal LoRAUnloaded: Unloaded LoRA from 1 endpoint(s)']);
  });

  test('stays loaded when one of them gets another name', () => {
    const renamed = model({ modelName: 'new' }, { ...taken, generation: 2 }, ready());
    expect(decided(snapshotOf(renamed, one), bothWell, [other()]).rounds).toEqual([['POST http://10.0.0.1:9090/v1/loras']]);
    expect(decided(snapshotOf(renamed, one), bothWell, [other({ source: { uri: 's3://b/else' } })]).rounds).toEqual([
      ['DELETE http://10.0.0.1:9090/v1/loras/org/ad'],
      ['POST http://10.0.0.1:9090/v1/loras'],
    ]);
  });

  test('is found by every name a model has had', () => {
    const annotations = {
      'nvidia.com/dynamo-applied-lora': '{"name":"old","uri":"s3://b/a","outdated":{"http://10.0.0.1:9090":"older"}}',
    };
    expect(adaptersOf(model({}, { annotations }))).toEqual(['fb68f5a6/org/ad', 'fb68f5a6/old', 'fb68f5a6/older']);
    expect(adaptersOf(model({ modelType: 'base' }, { annotations }))).toEqual([]);
  });
});

describe('endpoints that cannot be found out', () => {
  const failed = { lists: {}, failedLists: { [slicesKey]: 'endpointslices is forbidden' } };

  test('are told and looked for again', () => {
    const result = decided(snapshotOf(model({}, taken), [], failed));
    expect(eventsIn(result)).toEqual(['Warning EndpointDiscoveryFailed: endpointslices is forbidden']);
    expect(result.decision).toMatchObject({ steps: [], error: 'endpointslices is forbidden' });
  });

  test('do not keep a model from being deleted', () => {
    const result = decided(snapshotOf(model({}, { ...taken, deletionTimestamp: '2026-11-16T12:00:00Z' }), [], failed));
    expect(eventsIn(result)).toEqual([
      'Warning EndpointDiscoveryFailed: endpointslices is forbidden',
      'Warning CleanupFailed: endpointslices is forbidden',
    ]);
    expect(result.decision.steps.flat()).toMatchObject([{ verb: 'patch', patch: [{}, { path: '/metadata/finalizers/0' }] }]);
    expect(result.decision.error).toBeUndefined();
  });
});

test('tells nothing of a password in a source that is refused', () => {
  const result = decided(snapshotOf(model({ source: { uri: 'https://me:secret@host/a?sig=secret' } }), one));
  expect(eventsIn(result)).toEqual([
    "Warning ValidationFailed: source URI must start with 's3://' or 'hf://', got: https://[redacted]@host/a?[redacted]",
  ]);
  expect(JSON.stringify(statusIn(result))).not.toContain('secret');
});

test('never changes its snapshot', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) for (const member of Object.values(Object.freeze(value))) freeze(member);
    return value;
  };
  const snapshot = freeze(snapshotOf(model({ modelName: 'new' }, taken, ready()), two));
  expect(snapshot.config).toEqual(flagDefaults);
  expect(() => decided(snapshot, bothWell)).not.toThrow();
});

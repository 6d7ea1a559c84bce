import { describe, expect, test } from 'vitest';
import {
  answering,
  bothWell,
  one,
  ready,
  two,
  decided,
  endpoint,
  eventsIn,
  model,
  slice,
  snapshotOf,
  statusIn,
  taken,
  type Worker,
} from './snapshots.ts';

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

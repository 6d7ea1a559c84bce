import { describe, expect, test } from 'vitest';
import { decideModel } from '../../../lib/reconcile/model/decide-model.ts';
import { flagDefaults } from '../../../lib/render/index.ts';
import { modelHash } from '../../../lib/render/base-model.ts';
import {
  answering,
  bothWell,
  one,
  ready,
  two,
  decided,
  type Decided,
  endpoint,
  eventsIn,
  model,
  slice,
  slicesKey,
  snapshotOf,
  statusIn,
  taken,
} from './snapshots.ts';

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

describe('a refused write', () => {
  const target = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', namespace: 'demo', name: 'ad' };
  const refusedTo = (verb: 'patch' | 'status') => ({ refused: { write: 0, verb, target, message: 'denied', status: 403 } });
  const verbs = ({ decision }: Decided): readonly string[] => decision.steps.flat().map(({ verb }) => verb);

  test('of the metadata is not sent again in this pass, and the status is stored all the same', () => {
    expect(verbs(decided(snapshotOf(model(), [])))).toEqual(['patch', 'status']);
    const found = decided(snapshotOf(model(), [], refusedTo('patch')));
    expect(verbs(found)).toEqual(['status']);
    expect(eventsIn(found)).toEqual([expect.stringMatching(/^Warning NoEndpointsFound: /)]);
    expect(found.decision.error).toBe('denied');
    const again = decided(snapshotOf(model({}, {}, statusIn(found)), [], refusedTo('patch')));
    expect([verbs(again), eventsIn(again), again.decision.error]).toEqual([[], [], 'denied']);
  });

  test('of the status is not sent again, and nothing is told of it', () => {
    for (const resource of [model(), model({ modelName: '' })]) {
      const found = decided(snapshotOf(resource, [], refusedTo('status')));
      expect([verbs(found), eventsIn(found), found.decision.error]).toEqual([[], [], 'denied']);
    }
  });

  test('that would take a model up, or let it go, is tried again later', () => {
    const calm = decided(snapshotOf(model(), one, refusedTo('patch')), bothWell);
    expect([calm.decision.steps, calm.decision.error]).toEqual([[], 'denied']);
    const going = model({}, { ...taken, deletionTimestamp: '2026-11-16T11:00:00Z' });
    const kept = decided(snapshotOf(going, one, refusedTo('patch')), { '10.0.0.1': answering(500) });
    expect([verbs(kept), eventsIn(kept), kept.decision.error]).toEqual([[], [], 'denied']);
  });
});

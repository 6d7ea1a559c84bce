import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { adaptersOf } from '../../../lib/reconcile/index.ts';
import { answering, bothWell, decided, eventsIn, model, one, ready, snapshotOf, taken, two } from './snapshots.ts';

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

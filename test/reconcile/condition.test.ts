import { expect, test } from 'vitest';
import { conditionOf, isSameMessage, sameCondition, statusOf, toTime, withCondition } from '../../lib/reconcile/condition.ts';

const now = '2026-01-02T03:04:05.678Z';
const ready = { type: 'Ready', status: 'True', reason: 'r', message: 'm' } as const;
const stored = { ...ready, lastTransitionTime: '2025-01-01T00:00:00Z' };
const other = { type: 'Other', status: 'False', reason: 'o', message: '', lastTransitionTime: '2025-01-01T00:00:00Z' };

test('a condition is found by its type', () => {
  expect(conditionOf({ conditions: ['odd', other, stored] }, 'Ready')).toBe(stored);
  expect(conditionOf({ conditions: [other] }, 'Ready')).toBeUndefined();
  expect(conditionOf({}, 'Ready')).toBeUndefined();
  expect(statusOf({ status: { a: 1 } })).toEqual({ a: 1 });
  expect(statusOf({})).toEqual({});
});

test('a new condition comes last, one that is there stays in its place', () => {
  const time = '2026-01-02T03:04:05Z';
  expect(withCondition({ state: 'x', conditions: [other] }, ready, now)).toEqual({
    state: 'x',
    conditions: [other, { ...ready, lastTransitionTime: time }],
  });
  expect(withCondition({ conditions: [stored, other] }, { ...ready, status: 'False' }, now)).toEqual({
    conditions: [{ ...ready, status: 'False', lastTransitionTime: time }, other],
  });
});

test('the time of a condition moves when its status flips, or always', () => {
  const timeOf = (transition?: 'on flip' | 'always', status: 'True' | 'False' = 'True'): unknown =>
    conditionOf(withCondition({ conditions: [stored] }, { ...ready, status, message: 'new' }, now, transition), 'Ready');
  expect(timeOf()).toEqual({ ...stored, message: 'new' });
  expect(timeOf('on flip')).toEqual({ ...stored, message: 'new' });
  expect(timeOf('on flip', 'False')).toMatchObject({ lastTransitionTime: '2026-01-02T03:04:05Z' });
  expect(timeOf('always')).toMatchObject({ lastTransitionTime: '2026-01-02T03:04:05Z' });
});

test('a message that differs only in the port of a connection stays as it is stored', () => {
  const failing = (port: number, server = '10.0.0.2:443') =>
    `failed calling webhook "w": read tcp 10.0.0.1:${port}->${server}: connection reset by peer`;
  const told = { conditions: [{ ...stored, message: failing(40712) }] };
  expect(withCondition(told, { ...ready, message: failing(51000) }, now)).toEqual(told);
  const elsewhere = failing(51000, '10.0.0.3:443');
  expect(withCondition(told, { ...ready, message: elsewhere }, now)).toEqual({ conditions: [{ ...stored, message: elsewhere }] });
  expect(isSameMessage(failing(1), failing(2))).toBe(true);
  expect(isSameMessage(failing(1), elsewhere)).toBe(false);
});

test('conditions say the same in status, reason and message', () => {
  const status = (more: object) => ({ conditions: [{ ...stored, ...more }] });
  expect(sameCondition(status({}), status({ lastTransitionTime: 'x' }), 'Ready')).toBe(true);
  expect(sameCondition({}, {}, 'Ready')).toBe(true);
  expect(sameCondition({}, status({}), 'Ready')).toBe(false);
  for (const more of [{ status: 'False' }, { reason: 'x' }, { message: 'x' }])
    expect(sameCondition(status({}), status(more), 'Ready')).toBe(false);
});

test('times have whole seconds', () => {
  expect(toTime('2026-01-02T03:04:05.678Z')).toBe('2026-01-02T03:04:05Z');
  expect(toTime('2026-01-02T03:04:05Z')).toBe('2026-01-02T03:04:05Z');
});

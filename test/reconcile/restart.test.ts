import { expect, test } from 'vitest';
import type { Restart } from '../../lib/api/index.ts';
import { advanceRestart, type RestartInput } from '../../lib/reconcile/graph/restart.ts';

const services = ['completed', 'decode', 'frontend'];

function advance(
  restart: Restart | undefined,
  before: RestartInput['before'],
  done: readonly string[],
  more: Partial<RestartInput> = {},
) {
  const tokens: Readonly<Record<string, string>> = {};
  return advanceRestart({
    restart,
    services,
    before,
    isDone: (service) => done.includes(service),
    tokenOf: (service) => tokens[service],
    ...more,
  }).status;
}

const parallel = (id: string): Restart => ({ id, strategy: { type: 'Parallel' } });
const restarting = (observedID: string, ...inProgress: readonly string[]) => ({ observedID, phase: 'Restarting', inProgress });

test('keeps what has ended when the request is gone, and forgets what has not', () => {
  const ended = { observedID: 'r1', phase: 'Completed' };
  expect(advance(undefined, ended, [])).toBe(ended);
  expect(advance(undefined, { observedID: 'r1', phase: 'Failed' }, [])).toEqual({ observedID: 'r1', phase: 'Failed' });
  expect(advance(undefined, restarting('r1', 'decode'), [])).toBeUndefined();
  expect(advance({ id: '' }, undefined, [])).toBeUndefined();
});

test('does nothing for an id that has ended', () => {
  for (const phase of ['Completed', 'Failed'])
    expect(advance({ id: 'r1' }, { observedID: 'r1', phase }, [])).toEqual({ observedID: 'r1', phase });
});

test('in parallel, restarts all services and drops those that are done', () => {
  expect(advance(parallel('r1'), undefined, services)).toEqual(restarting('r1', ...services));
  expect(advance(parallel('r1'), restarting('r1', 'frontend', 'decode'), ['frontend'])).toEqual(restarting('r1', 'decode'));
  expect(advance(parallel('r1'), restarting('r1', 'frontend', 'decode'), services)).toEqual({
    observedID: 'r1',
    phase: 'Completed',
  });
  expect(advance(parallel('r1'), undefined, [], { services: [] })).toEqual({ observedID: 'r1', phase: 'Completed' });
});

test('in parallel, a new id during a restart starts all of them again', () => {
  expect(advance(parallel('r2'), restarting('r1', 'decode'), [])).toEqual(restarting('r2', ...services));
});

test('in sequence, goes from one service to the next in the given order', () => {
  const restart: Restart = { id: 'r1', strategy: { type: 'Sequential', order: ['frontend', 'completed', 'decode'] } };
  expect(advance(restart, undefined, services)).toEqual(restarting('r1', 'frontend'));
  expect(advance(restart, restarting('r1', 'frontend'), [])).toEqual(restarting('r1', 'frontend'));
  expect(advance(restart, restarting('r1', 'frontend'), ['frontend'])).toEqual(restarting('r1', 'completed'));
  expect(advance(restart, restarting('r1', 'decode'), ['decode'])).toEqual({ observedID: 'r1', phase: 'Completed' });
  expect(advance({ ...restart, id: 'r2' }, restarting('r1', 'completed'), services)).toEqual(restarting('r2', 'frontend'));
});

test('in sequence without an order, services go by their bytes', () => {
  const names = ['Backend', 'Frontend', 'Worker'];
  expect(advance({ id: 'r' }, undefined, [], { services: names })).toEqual(restarting('r', 'Backend'));
});

test('steps over services that carry the token and are done, which no event will tell of again', () => {
  const tokenOf = (service: string) => (service === 'decode' ? 'r1' : undefined);
  expect(advance({ id: 'r1' }, restarting('r1', 'completed'), ['completed', 'decode'], { tokenOf })).toEqual(
    restarting('r1', 'frontend'),
  );
  expect(advance({ id: 'r1' }, restarting('r1', 'completed'), ['completed', 'decode'])).toEqual(restarting('r1', 'decode'));
});

test('looks again soon when nothing will change by itself', () => {
  const input: RestartInput = { restart: { id: 'r1' }, services, before: undefined, isDone: () => true, tokenOf: () => 'r1' };
  expect(advanceRestart(input)).toEqual({ status: restarting('r1', 'completed'), silent: true });
  expect(advanceRestart({ ...input, tokenOf: () => undefined }).silent).toBe(false);
});

test('skips a service that is gone from the graph, but none that is still on its way', () => {
  const tokenOf = (service: string) => (service === 'completed' ? 'r1' : undefined);
  const gone = restarting('r1', 'gone');
  expect(advance({ id: 'r1' }, gone, ['completed'], { tokenOf })).toEqual(restarting('r1', 'decode'));
  expect(advance({ id: 'r1' }, gone, [], { tokenOf })).toEqual(restarting('r1', 'completed'));
  expect(advance({ id: 'r1' }, gone, services, { tokenOf: () => 'r1' })).toEqual({ observedID: 'r1', phase: 'Completed' });
  expect(advance(parallel('r1'), restarting('r1', 'gone', 'decode'), [])).toEqual(restarting('r1', 'decode'));
});

test('has nothing to restart in a graph without services', () => {
  expect(advance({ id: 'r1' }, undefined, [], { services: [] })).toEqual({ observedID: 'r1', phase: 'Completed' });
});

import { expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { isReordered } from '../../lib/reconcile/list-order.ts';

const named = (...names: readonly string[]): Json => names.map((name) => ({ name }));

test.each<[string, Json, Json, boolean]>([
  ['variables in another order', { env: named('a', 'b') }, { env: named('b', 'a') }, true],
  ['variables of a component', { envs: named('a', 'b') }, { envs: named('b', 'a') }, true],
  ['init containers', { initContainers: named('a', 'b') }, { initContainers: named('b', 'a') }, true],
  ['the same order', { env: named('a', 'b') }, { env: named('a', 'b') }, false],
  ['one of others in between', { env: named('a', 'b') }, { env: named('a', 'x', 'b') }, false],
  ['one of others in between, and another order', { env: named('a', 'b') }, { env: named('b', 'x', 'a') }, true],
  ['one that is missing, which the hash sees', { env: named('a', 'b') }, { env: named('b') }, false],
  ['a single one', { env: named('a') }, { env: named('b', 'a') }, false],
  ['lists whose order means nothing', { ports: named('a', 'b') }, { ports: named('b', 'a') }, false],
  ['lists of strings', { args: ['a', 'b'] }, { args: ['b', 'a'] }, false],
  ['what is not there', { env: named('a', 'b') }, {}, false],
  ['what is of another type', { env: named('a', 'b') }, { env: 'x' }, false],
  ['scalars and nothing', { a: 1, b: null, c: 'x' }, { a: 2, b: {}, c: [] }, false],
  ['nothing at all', {}, null, false],
])('%s: %j, %j: %s', (_what, desired, live, reordered) => expect(isReordered(desired, live)).toBe(reordered));

test('items of lists are compared with those of their name, wherever they stand', () => {
  const container = (name: string, ...env: readonly string[]): Json => ({ name, env: named(...env) });
  const desired = { containers: [container('main', 'a', 'b'), container('side', 'c', 'd')] };
  expect(isReordered(desired, { containers: [container('side', 'c', 'd'), container('main', 'a', 'b')] })).toBe(false);
  expect(isReordered(desired, { containers: [container('side', 'd', 'c'), container('main', 'a', 'b')] })).toBe(true);
  expect(isReordered(desired, { containers: [container('main', 'a', 'b')] })).toBe(false);
  expect(isReordered([{ env: named('a', 'b') }], [{ env: named('b', 'a') }])).toBe(true);
  expect(isReordered([{ env: named('a', 'b') }], { env: named('b', 'a') })).toBe(false);
});

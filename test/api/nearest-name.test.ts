import { expect, test } from 'vitest';
import { isMisspelling, nearestName } from '../../lib/api/nearest-name.ts';

const known = ['replicas', 'envs', 'envFromSecret', 'resources', 'multinode', 'livenessProbe', 'readinessProbe', 'labels'];

test.each([
  ['replcas', 'replicas'],
  ['replicsa', 'replicas'],
  ['Replicas', 'replicas'],
  ['env', 'envs'],
  ['lables', 'labels'],
  ['livenesProbe', 'livenessProbe'],
  ['multiNode', 'multinode'],
  ['readynessProbe', 'readinessProbe'],
])('%s most likely means %s', (typed, meant) => {
  expect(nearestName(typed, known)).toBe(meant);
});

test.each(['bogus', '', 'x', 'image', 'a'.repeat(10_000), '__proto__'])('%.20s is like none of them', (typed) => {
  expect(nearestName(typed, known)).toBeUndefined();
});

test('the nearest of several is meant, the first of equals', () => {
  expect(nearestName('envz', ['envFrom', 'env', 'envs'])).toBe('env');
  expect(nearestName('abcx', ['abcd', 'abce'])).toBe('abcd');
  expect(nearestName('replicas', ['replica', 'replicas'])).toBe('replicas');
});

test('how many slips are forgiven depends on the length', () => {
  // One of up to five letters, two of up to eight, three of more.
  expect(nearestName('ab', ['ac'])).toBe('ac');
  expect(nearestName('abcde', ['abcxy'])).toBeUndefined();
  expect(nearestName('abcdef', ['abcdxy'])).toBe('abcdxy');
  expect(nearestName('abcdefgh', ['abcdexyz'])).toBeUndefined();
  expect(nearestName('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz');
  expect(nearestName('abcdefghijkl', ['abcdefghwxyz'])).toBeUndefined();
});

test('names of more than a hundred letters are not compared', () => {
  expect(nearestName('a'.repeat(100), [`${'a'.repeat(99)}b`])).toBe(`${'a'.repeat(99)}b`);
  expect(nearestName('a'.repeat(101), [`${'a'.repeat(100)}b`])).toBeUndefined();
});

test.each([
  ['model-cache', 'model-cahce'],
  ['model-cache', 'model-cach'],
  ['model-cache', 'model-cachee'],
  ['model-cache', 'modal-cache'],
  ['hf_token.secret', 'hf_tokne.secret'],
])('%s and %s are one name with a slip', (name, other) => {
  expect(isMisspelling(name, other)).toBe(true);
  expect(isMisspelling(other, name)).toBe(true);
});

test.each([
  ['cache-1', 'cache-2'],
  ['cache1', 'cache2'],
  ['team-a', 'team-b'],
  ['model-cache', 'model-cache'],
  ['model-cache', 'models-caches'],
  ['model-cache', 'model-cache-x'],
  ['model-cache', 'model-catch'],
  ['abc', 'abd'],
  ['a'.repeat(254), `${'a'.repeat(253)}b`],
])('%.12s and %.12s are two names', (name, other) => expect(isMisspelling(name, other)).toBe(false));

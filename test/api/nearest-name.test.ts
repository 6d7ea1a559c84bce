import { expect, test } from 'vitest';
import { nearestName } from '../../lib/api/nearest-name.ts';

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

import { expect, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import type { Edit } from '../../lib/lint/finding.ts';
import { editValue } from '../../lib/lint/fix/edit-value.ts';

const before = { envs: [{ name: 'A', value: '1' }, { name: 'B' }], kind: 'Graph', image: 'a' };

test.each<[string, Edit, Json]>([
  [
    'removes a field of an item and keeps the item',
    { op: 'remove', path: ['envs', 0, 'value'] },
    { ...before, envs: [{ name: 'A' }, { name: 'B' }] },
  ],
  ['removes an item', { op: 'remove', path: ['envs', 0] }, { ...before, envs: [{ name: 'B' }] }],
  ['removes a key', { op: 'remove', path: ['kind'] }, { envs: before.envs, image: 'a' }],
  [
    'renames a key of an item',
    { op: 'rename', path: ['envs', 1, 'name'], to: 'key' },
    { ...before, envs: [before.envs[0] ?? {}, { key: 'B' }] },
  ],
  ['sets a key', { op: 'set', path: ['kind'], value: 'Other' }, { ...before, kind: 'Other' }],
  ['adds an item', { op: 'set', path: ['envs', 2], value: { name: 'C' } }, { ...before, envs: [...before.envs, { name: 'C' }] }],
  ['adds the parents of a key', { op: 'set', path: ['a', 'b', 0], value: 1 }, { ...before, a: { b: [1] } }],
])('%s', (_, edit, after) => {
  const untouched = JSON.stringify(before);
  expect(editValue(before, edit)).toEqual(after);
  expect(JSON.stringify(before)).toBe(untouched);
});

test('a renamed key keeps its place', () => {
  expect(Object.keys(editValue({ a: 1, b: 2, c: 3 }, { op: 'rename', path: ['b'], to: 'x' }) ?? {})).toEqual(['a', 'x', 'c']);
});

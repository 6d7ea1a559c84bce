import { expect, test } from 'vitest';
import { formatPath } from '../../lib/json/index.ts';
import { missingBlocks } from '../../lib/platform/needed-blocks.ts';

const lines = ['auth auth.rbac service', 'metrics.enabled: metrics.rule'];
const whole = { auth: { rbac: {} }, service: {}, metrics: { enabled: true, rule: {} } };
const missing = (changes: Parameters<typeof missingBlocks>[1]): readonly string[] =>
  missingBlocks('etcd', { ...whole, ...changes }, lines).map(({ path, message }) => `${formatPath(path)}: ${message}`);

test('nothing is missing where every block is a map', () => {
  expect(missing({})).toEqual([]);
});

test('a block that is no map is reported once, not with the blocks in it', () => {
  expect(missing({ auth: null })).toEqual(['etcd.auth: must be a map, got null; remove it to use the defaults']);
  expect(missing({ auth: { rbac: [] }, service: 'x' })).toEqual([
    'etcd.auth.rbac: must be a map, got []; remove it to use the defaults',
    'etcd.service: must be a map, got "x"; remove it to use the defaults',
  ]);
});

test('a block may be missing where what needs it is off', () => {
  expect(missing({ metrics: { enabled: false } })).toEqual([]);
  expect(missing({ metrics: { enabled: true } })).toEqual([expect.stringMatching(/^etcd\.metrics\.rule: /)]);
});

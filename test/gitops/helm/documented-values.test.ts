import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { defaultOf, documentedValues, valueTree } from '../../../lib/gitops/helm/documented-values.ts';
import type { ChartValue } from '../../../lib/gitops/helm/open-values.ts';
import { valuesFile } from '../../../lib/gitops/helm/values-file.ts';

const value = (path: string, type: ChartValue['type'] = 'string'): ChartValue => ({ path, type, description: `about ${path}` });

test.each([
  ['platform.monitoring.enabled', {}, null],
  ['platform.monitoring.enabled', { platform: { monitoring: { enabled: true } } }, true],
  ['grove.enabled', {}, false],
  ['grove.enabled', { grove: { enabled: true } }, true],
  ['platform.certificates.mode', {}, 'cert-manager'],
  ['platform.certificates.mode', { platform: { certificates: { mode: 'external' } } }, 'external'],
  ['platform.certificates.mode', { 'dynamo-operator': { webhook: { certificateSecret: { external: true } } } }, 'external'],
  ['dynamo-operator.webhook.timeoutSeconds', {}, 10],
  ['dynamo-operator.webhook.timeoutSeconds', { 'dynamo-operator': { webhook: { timeoutSeconds: 5 } } }, 5],
  ['global.imageRegistry', {}, ''],
])('the default of %s with %j is %j', (path, user, expected) => {
  expect(defaultOf(value(path), user)).toBe(expected);
});

test('a value that nothing else has a default for is empty', () => {
  expect((['string', 'number', 'map', 'list', 'boolean'] as const).map((type) => defaultOf(value('none.x', type), {}))).toEqual([
    '',
    0,
    {},
    [],
    false,
  ]);
});

test('values are listed once, by path; those of graphs where there are graphs', () => {
  const paths = documentedValues([], 'original').map((v) => v.path);
  expect(paths).toEqual([...new Set(paths)].toSorted((a, b) => (a < b ? -1 : 1)));
  expect(paths).not.toContain('graphs.enabled');
  expect(documentedValues([], 'original', true).map((v) => v.path)).toContain('graphs.enabled');
});

test('paths become a tree, and the tree a values file with a comment on every value', () => {
  const values = [value('a', 'number'), value('b.c'), { ...value('b.d.e', 'boolean'), choices: ['x', 'y'] }];
  const tree = valueTree(values);
  expect([...tree.leaves.keys()]).toEqual(['a']);
  expect([...(tree.branches.get('b')?.leaves.keys() ?? [])]).toEqual(['c']);
  const text = valuesFile({ b: { c: 'given' } }, values);
  expect(parse(text)).toEqual({ a: 0, b: { c: 'given', d: { e: false } } });
  expect(text).toContain('\n# about a\na: 0\nb:\n  # about b.c\n  c: given\n  d:\n    # about b.d.e (x, y)\n    e: false\n');
});

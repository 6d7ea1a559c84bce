import { describe, expect, test } from 'vitest';
import { editYaml } from '../../lib/lint/fix/edit-yaml.ts';

const text = `# a graph
kind: Graph   # kind
spec:
  # the services
  services:
    Worker:   # one
      type: worker
      envs:
      - name: A
        value: "1"  # keep
      - {name: B, value: '2'}
      mounts:
        - name: models
          mountPath: /models
---
kind: Other
list: []
`;

describe('editing YAML', () => {
  test('adds a member after a line of its map, and nothing else changes', () => {
    const edited = editYaml(text, 0, [{ op: 'set', path: ['spec', 'services', 'Worker', 'sub'], value: 'prefill' }]);
    expect(edited).toBe(text.replace('      type: worker\n', '      type: worker\n      sub: prefill\n'));
  });

  test('adds missing parents', () => {
    const edited = editYaml(text, 0, [
      { op: 'set', path: ['spec', 'services', 'Worker', 'resources', 'limits', 'gpu'], value: '1' },
    ]);
    expect(edited).toBe(
      text.replace('      type: worker\n', '      type: worker\n      resources:\n        limits:\n          gpu: "1"\n'),
    );
  });

  test('replaces a scalar and keeps its comment', () => {
    const edited = editYaml(text, 0, [{ op: 'set', path: ['kind'], value: 'Graph2' }]);
    expect(edited).toBe(text.replace('kind: Graph   # kind', 'kind: Graph2   # kind'));
  });

  test('renames a key', () => {
    const edited = editYaml(text, 0, [
      { op: 'rename', path: ['spec', 'services', 'Worker', 'mounts', 0, 'mountPath'], to: 'mountPoint' },
    ]);
    expect(edited).toBe(text.replace('mountPath', 'mountPoint'));
  });

  test('removes an item, and the list with its last one', () => {
    const path = ['spec', 'services', 'Worker', 'envs', 0];
    const once = editYaml(text, 0, [{ op: 'remove', path }]);
    expect(once).toBe(text.replace('      - name: A\n        value: "1"  # keep\n', ''));
    const twice = editYaml(text, 0, [
      { op: 'remove', path },
      { op: 'remove', path },
    ]);
    expect(twice).toBe(text.replace(/ {6}envs:\n(?: {6}- .*\n| {8}value.*\n)+/, ''));
  });

  test('puts an item into a list written on one line', () => {
    expect(editYaml(text, 1, [{ op: 'set', path: ['list', 0], value: { a: 1 } }])).toBe(
      text.replace('list: []', 'list: [{"a":1}]'),
    );
  });

  test('edits an item of a List', () => {
    const list = 'kind: List\nitems:\n- kind: A\n  x: 1\n- kind: B\n  x: 1\n';
    expect(editYaml(list, 1, [{ op: 'set', path: ['x'], value: 2 }])).toBe(
      'kind: List\nitems:\n- kind: A\n  x: 1\n- kind: B\n  x: 2\n',
    );
  });

  test.each([
    ['a member of an alias', 'a: &x {b: 1}\nc: *x\n', { op: 'set', path: ['c', 'b'], value: 2 } as const],
    ['the only member of a map', 'a:\n  b: 1\n', { op: 'remove', path: ['a', 'b'] } as const],
    ['a text that is no YAML', 'a: [', { op: 'set', path: ['a'], value: 1 } as const],
    ['a value that is not there', 'a: 1\n', { op: 'rename', path: ['b'], to: 'c' } as const],
  ])('leaves %s alone', (_what, source, edit) => {
    expect(editYaml(source, 0, [edit])).toBeUndefined();
  });

  test('keeps Windows line ends readable', () => {
    const windows = text.replaceAll('\n', '\r\n');
    const edited = editYaml(windows, 0, [{ op: 'set', path: ['kind'], value: 'Graph2' }]);
    expect(edited).toBe(windows.replace('kind: Graph ', 'kind: Graph2 '));
  });
});

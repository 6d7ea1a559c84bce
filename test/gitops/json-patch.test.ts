import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapImages } from '../../lib/gitops/images.ts';
import { parseImage } from '../../lib/platform/images.ts';
import { jsonPatch } from '../../lib/gitops/json-patch.ts';
import type { PatchOperation } from '../../lib/json/index.ts';
import type { Json } from '../../lib/json/index.ts';

/** Applies operations as RFC 6902 says. */
function apply(document: Json, operations: readonly PatchOperation[]): unknown {
  let root: unknown = structuredClone(document);
  for (const operation of operations) {
    const steps = operation.path
      .split('/')
      .slice(1)
      .map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop();
    if (last === undefined) {
      root = operation.op === 'remove' ? undefined : operation.value;
      continue;
    }
    const parent = steps.reduce((v, s) => (v as Record<string, unknown>)[s], root) as Record<string, unknown>;
    if (operation.op !== 'add' && !(last in parent)) throw new Error(`nothing at ${operation.path}`);
    if (operation.op === 'remove') delete parent[last];
    else parent[last] = operation.value;
  }
  return root;
}

const value: fc.Arbitrary<Json> = fc.letrec<{ readonly json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>('a', 'b', 1, true, null),
    fc.array(fc.oneof(fc.constantFrom<Json>('x', 'y'), fc.record({ name: fc.constantFrom('m', 'n'), v: tie('json') })), {
      maxLength: 3,
    }),
    fc.dictionary(fc.constantFrom('k', 'a/b', 'a~b', '~1'), tie('json'), { maxKeys: 3 }),
  ),
})).json;

test('the operations turn one value into the other', () => {
  fc.assert(
    fc.property(value, value, (from, to) => {
      expect(apply(from, jsonPatch(from, to))).toEqual(to);
    }),
  );
});

test('only what differs is touched', () => {
  const from = {
    same: { a: 1 },
    gone: 1,
    list: [
      { name: 'a', v: 1 },
      { name: 'b', v: 1 },
    ],
    other: ['x'],
    'a/b~c': 1,
  };
  const to = {
    same: { a: 1 },
    list: [
      { name: 'a', v: 1 },
      { name: 'b', v: 2 },
    ],
    other: ['x', 'y'],
    'a/b~c': 2,
    added: { x: 1 },
  };
  expect(jsonPatch(from, to)).toEqual([
    { op: 'remove', path: '/gone' },
    { op: 'replace', path: '/list/1/v', value: 2 },
    { op: 'replace', path: '/other', value: ['x', 'y'] },
    { op: 'replace', path: '/a~1b~0c', value: 2 },
    { op: 'add', path: '/added', value: { x: 1 } },
  ]);
  expect(jsonPatch(from, from)).toEqual([]);
  expect(jsonPatch({ a: undefined, b: 1 }, { b: 2 })).toEqual([{ op: 'replace', path: '/b', value: 2 }]);
  expect(jsonPatch([{ name: 'a' }], [{ name: 'b' }])).toEqual([{ op: 'replace', path: '', value: [{ name: 'b' }] }]);
});

test.each([
  ['nats', { name: 'nats' }],
  ['nats:2', { name: 'nats', tag: '2' }],
  ['host:5000/nats', { name: 'host:5000/nats' }],
  ['host:5000/nats:2', { name: 'host:5000/nats', tag: '2' }],
  ['nats@sha256:a', { name: 'nats', digest: 'sha256:a' }],
  ['nats:2@sha256:a', { name: 'nats', tag: '2', digest: 'sha256:a' }],
])('%s has name, tag and digest', (text, expected) => {
  expect(parseImage(text)).toEqual(expected);
});

test('images of containers and init containers change, others do not', () => {
  const pod = {
    containers: [{ name: 'a', image: 'x' }, { name: 'b' }],
    initContainers: [{ image: 'x' }],
    image: 'x',
    volumes: [{ image: 'x' }],
  };
  expect(mapImages({ spec: pod, list: [pod] }, (i) => `${i}!`)).toEqual({
    spec: { ...pod, containers: [{ name: 'a', image: 'x!' }, { name: 'b' }], initContainers: [{ image: 'x!' }] },
    list: [{ ...pod, containers: [{ name: 'a', image: 'x!' }, { name: 'b' }], initContainers: [{ image: 'x!' }] }],
  });
});

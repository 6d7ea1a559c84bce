import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../lib/json/index.ts';
import { fold, joinEqual, mergeOrder, type Folded, type Guarded } from '../../../lib/gitops/helm/fold-variants.ts';

/** What a folded value is in one case; undefined where it is absent. */
function unfold(node: Folded, bit: bigint): Json | undefined {
  const here = (g: Guarded): boolean => (g.when & bit) !== 0n;
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'choice': {
      const option = node.options.find(here);
      return option && unfold(option.node, bit);
    }
    case 'map':
      return Object.fromEntries(node.entries.filter(here).map((e) => [e.key, unfold(e.node, bit) as Json]));
    case 'list':
      return node.items.filter(here).map((i) => unfold(i.node, bit) as Json);
  }
}

const leaf = fc.oneof(fc.constantFrom('a', 'b', '--x=1', '--x=2', '--y'), fc.integer({ min: 0, max: 2 }), fc.boolean());
const value: fc.Arbitrary<Json> = fc.letrec<{ readonly json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(fc.oneof(leaf, fc.record({ name: fc.constantFrom('m', 'n'), v: tie('json') })), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'l', 'm'), tie('json'), { maxKeys: 3 }),
  ),
})).json;

test('a folded value is in every case what it was', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const folded = fold(values.map((v, i) => ({ cases: 1n << BigInt(i), value: v })));
      values.forEach((v, i) => expect(unfold(folded, 1n << BigInt(i))).toEqual(v));
    }),
  );
});

test('what is equal in all cases is written once', () => {
  const folded = fold([
    { cases: 1n, value: { kind: 'X', replicas: 1, args: ['--a=1', '--c'] } },
    { cases: 2n, value: { kind: 'X', replicas: 2, args: ['--a=1', '--b', '--c'] } },
  ]);
  expect(folded).toEqual({
    kind: 'map',
    entries: [
      { key: 'kind', when: 3n, node: { kind: 'literal', value: 'X' } },
      {
        key: 'replicas',
        when: 3n,
        node: {
          kind: 'choice',
          options: [
            { when: 1n, node: { kind: 'literal', value: 1 } },
            { when: 2n, node: { kind: 'literal', value: 2 } },
          ],
        },
      },
      {
        key: 'args',
        when: 3n,
        node: {
          kind: 'list',
          items: [
            { when: 3n, node: { kind: 'literal', value: '--a=1' } },
            { when: 2n, node: { kind: 'literal', value: '--b' } },
            { when: 3n, node: { kind: 'literal', value: '--c' } },
          ],
        },
      },
    ],
  });
});

test.each([
  ['a name', { name: 'a', v: 1 }, { name: 'a', v: 2 }],
  ['a mount path', { mountPath: '/a', v: 1 }, { mountPath: '/a', v: 2 }],
  ['a container port', { containerPort: 80, v: 1 }, { containerPort: 80, v: 2 }],
  ['a port', { port: 80, v: 1 }, { port: 80, v: 2 }],
  ['a key', { key: 'a', v: 1 }, { key: 'a', v: 2 }],
  ['a flag', '--a=1', '--a=2'],
])('items of a list are one item where they have %s in common', (_, one, two) => {
  const folded = fold([
    { cases: 1n, value: [one] },
    { cases: 2n, value: [two] },
  ]);
  expect(folded.kind === 'list' && folded.items.map((i) => i.when)).toEqual([3n]);
});

test('equal cases are joined', () => {
  expect(
    joinEqual([
      { cases: 1n, value: { a: 1 } },
      { cases: 2n, value: { a: 2 } },
      { cases: 4n, value: { a: 1 } },
    ]),
  ).toEqual([
    { cases: 5n, value: { a: 1 } },
    { cases: 2n, value: { a: 2 } },
  ]);
});

test('one order is found that all lists are part of, or none', () => {
  expect(
    mergeOrder([
      ['a', 'c'],
      ['a', 'b', 'c'],
      ['c', 'd'],
      ['x', 'a'],
    ]),
  ).toEqual(['x', 'a', 'b', 'c', 'd']);
  expect(
    mergeOrder([
      ['a', 'b'],
      ['b', 'a'],
    ]),
  ).toBeUndefined();
  expect(mergeOrder([])).toEqual([]);
});

test('items that look the same stay as many as they are', () => {
  const folded = fold([
    { cases: 1n, value: ['--x=1', '--x=2', '--x=3'] },
    { cases: 2n, value: ['--x=1'] },
  ]);
  expect(folded.kind).toBe('list');
  expect(unfold(folded, 1n)).toEqual(['--x=1', '--x=2', '--x=3']);
  expect(unfold(folded, 2n)).toEqual(['--x=1']);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { atPath, goKind, templateString, truthy } from '../../lib/platform/go-values.ts';
import { fillIn, mergeLayers } from '../../lib/platform/merge.ts';
import { yamlScalar } from '../../lib/platform/yaml-scalar.ts';
import { applySet, SetSyntaxError, type SetKind } from '../../lib/platform/set-values.ts';
import { effectiveBlock } from '../../lib/platform/values.ts';

describe('layers', () => {
  test('merge maps, replace lists and scalars, and keep nulls for later', () => {
    expect(mergeLayers([{ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { c: [3], e: null } }, { d: { f: 1 } }])).toEqual({
      a: { b: 1, c: [3], e: null },
      d: { f: 1 },
    });
  });

  test('merging is associative', () => {
    const tree = fc.letrec<{ node: JsonObject }>((tie) => ({
      node: fc.dictionary(
        fc.constantFrom('a', 'b', 'c'),
        fc.oneof({ maxDepth: 3 }, fc.integer(), fc.constant(null), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(tree, tree, tree, (a, b, c) => {
        expect(mergeLayers([mergeLayers([a, b]), c])).toEqual(mergeLayers([a, b, c]));
      }),
      { numRuns: 200 },
    );
  });
});

describe('defaults', () => {
  test('a null removes a default and stays where there is none', () => {
    expect(fillIn({ a: null, x: null, m: { n: null, y: null } }, { a: 1, b: 2, m: { n: 1 } })).toEqual({
      b: 2,
      x: null,
      m: { y: null },
    });
  });

  test('a null stays a null between the platform and a part', () => {
    expect(fillIn({ a: null }, { a: 1, b: 2 }, true)).toEqual({ a: null, b: 2 });
  });
});

const part = {
  key: 'p',
  defaults: { a: 1, m: { own: 1 }, global: { g: 'part' } },
  platformDefaults: { enabled: true, m: { parent: 2 } },
};

describe('effective values of a part', () => {
  test('are its defaults under the platform defaults under the user', () => {
    expect(effectiveBlock(part, { p: { m: { parent: 3 } } }).values).toEqual({
      enabled: true,
      a: 1,
      m: { own: 1, parent: 3 },
      global: { g: 'part' },
    });
  });

  test('lose a key by null only where the part itself has it', () => {
    expect(effectiveBlock(part, { p: { a: null, m: { parent: null } } }).values).toMatchObject({ m: { own: 1, parent: null } });
    expect(effectiveBlock(part, { p: { a: null } }).values).not.toHaveProperty('a');
  });

  test('are the bare defaults of the part when its whole block is null', () => {
    expect(effectiveBlock(part, { p: null })).toMatchObject({ enabled: true, values: { a: 1, m: { own: 1 } } });
  });

  test('take the top-level globals over those of the block', () => {
    const { values } = effectiveBlock(part, { global: { g: 'top', n: { a: 1 } }, p: { global: { g: 'block', n: { b: 2 } } } });
    expect(values['global']).toEqual({ g: 'top', n: { a: 1, b: 2 } });
  });

  test('stay enabled with a warning when enabled is no boolean, as in Helm', () => {
    const block = effectiveBlock(part, { p: { enabled: 'false' } });
    expect(block.enabled).toBe(true);
    expect(block.warnings).toHaveLength(1);
    expect(effectiveBlock(part, { p: { enabled: false } }).enabled).toBe(false);
  });

  test('rejects a block that is no map', () => {
    expect(effectiveBlock(part, { p: true }).issues).toMatchObject([{ path: ['p'], code: 'wrong_type' }]);
  });
});

describe('--set', () => {
  const cases: readonly (readonly [SetKind, string, JsonObject])[] = [
    ['set', 'a.b=1,c={x,2,true}', { a: { b: 1 }, c: ['x', 2, true] }],
    ['set', 'a[1].b=q', { a: [null, { b: 'q' }] }],
    ['set', 'a[0][1]=z', { a: [[null, 'z']] }],
    ['set', 'nodeSelector.kubernetes\\.io/role=gpu', { nodeSelector: { 'kubernetes.io/role': 'gpu' } }],
    ['set', 'v=a\\,b', { v: 'a,b' }],
    ['set', 'empty=,next=1', { empty: '', next: 1 }],
    ['set', 'x=null,y=007,z=1e3,big=9007199254740993', { x: null, y: '007', z: '1e3', big: 9007199254740993n }],
    ['set', 'neg=-5,t=TRUE,zero=0', { neg: -5, t: true, zero: 0 }],
    ['set', 'a=-05,b=+05,c=-0,d=+', { a: -5, b: 5, c: 0, d: '+' }],
    [
      'set',
      'most=9223372036854775807,more=9223372036854775808,least=-9223372036854775808,less=-9223372036854775809',
      { most: 2n ** 63n - 1n, more: '9223372036854775808', least: -(2n ** 63n), less: '-9223372036854775809' },
    ],
    ['set', 'list={},other=[],more={x,}', { list: [''], other: '[]', more: ['x', ''] }],
    ['set-json', 'list=[],nothing=', { list: [], nothing: null }],
    ['set', 'list={a,b},after=c', { list: ['a', 'b'], after: 'c' }],
    ['set', 'url=nats://h:4222', { url: 'nats://h:4222' }],
    ['set', 'arg=--flag=value', { arg: '--flag=value' }],
    ['set-string', 'tag=123,b=true', { tag: '123', b: 'true' }],
    ['set-json', 'm={"a":[1,{"b":null}]}', { m: { a: [1, { b: null }] } }],
    ['set-json', '{"a":{"b":1}}', { a: { b: 1 } }],
    ['set-json', 'a=[1,"}"],b.c={"d":",\\""},e=null', { a: [1, '}'], b: { c: { d: ',"' } }, e: null }],
  ];
  test.each(cases)('%s %s', (kind, option, expected) => {
    expect(applySet({}, { kind, text: option })).toEqual(expected);
  });

  test('changes one place of existing values and leaves the rest and the input alone', () => {
    const values = { a: { b: 1, c: [1, 2] }, d: 1 };
    expect(applySet(values, { kind: 'set', text: 'a.c[1]=9,a.n.m=x' })).toEqual({ a: { b: 1, c: [1, 9], n: { m: 'x' } }, d: 1 });
    expect(values).toEqual({ a: { b: 1, c: [1, 2] }, d: 1 });
  });

  test('a map of JSON is laid over the values', () => {
    expect(applySet({ a: { b: 1 } }, { kind: 'set-json', text: '{"a":{"c":2}}' })).toEqual({ a: { b: 1, c: 2 } });
  });

  test.each([
    ['set', 'name', 'has no value'],
    ['set', 'a=1,b', 'has no value'],
    ['set', '=1', 'must not be empty'],
    ['set', 'a[x]=1', 'is not an index'],
    ['set', 'a[-1]=1', 'is not an index'],
    ['set', 'a[99999]=1', 'above'],
    ['set', 'a={1,2', "must end with '}'"],
    ['set', 'a[0]b=1', 'after an index'],
    ['set', 'd.e=1', 'needs a map'],
    ['set', 'd[0]=1', 'needs a list'],
    ['set-json', 'a={', 'not JSON'],
  ] as const)('rejects %s %s', (kind, option, message) => {
    expect(() => applySet({ d: 1 }, { kind, text: option })).toThrow(SetSyntaxError);
    expect(() => applySet({ d: 1 }, { kind, text: option })).toThrow(message);
  });

  test('never throws anything but its own error', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom<SetKind>('set', 'set-string', 'set-json'), (option, kind) => {
        try {
          applySet({ a: 1 }, { kind, text: option });
        } catch (error) {
          expect(error).toBeInstanceOf(SetSyntaxError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('values as templates see them', () => {
  test.each([
    [1000000, '1e+06'],
    [123456789, '1.23456789e+08'],
    [100000, '100000'],
    [1.5, '1.5'],
    [0.00001, '1e-05'],
    [0, '0'],
    [-3, '-3'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    ['x', 'x'],
  ] as const)('%s is printed as %s', (value, printed) => {
    expect(templateString(value)).toBe(printed);
  });

  test('empty things are false', () => {
    for (const value of [null, undefined, false, 0, 0n, '', [], {}]) expect(truthy(value)).toBe(false);
    for (const value of [true, 1, 'false', [null], { a: null }]) expect(truthy(value)).toBe(true);
  });

  test('keys are read by their own name only', () => {
    expect(atPath({ a: { b: 1 } }, 'a.b')).toBe(1);
    expect(atPath({ a: { 'b.c': 1 } }, 'a', 'b.c')).toBe(1);
    expect(atPath({}, 'constructor')).toBeUndefined();
    expect(atPath({ a: 1 }, 'a.b')).toBeUndefined();
  });

  test('unquoted text becomes what YAML makes of it', () => {
    expect([
      yamlScalar('3'),
      yamlScalar('true'),
      yamlScalar(''),
      yamlScalar('1.5'),
      yamlScalar('Fail'),
      yamlScalar('007'),
    ]).toEqual([3, true, null, 1.5, 'Fail', '007']);
  });

  test('kinds have the names of Go', () => {
    expect([4, 'x', true, [], {}, null].map(goKind)).toEqual(['float64', 'string', 'bool', 'slice', 'map', 'invalid']);
  });
});

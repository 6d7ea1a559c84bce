import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Placeholders } from '../../../lib/gitops/helm/placeholders.ts';

const fresh = (data: Parameters<typeof Object>[0] = {}): Placeholders => new Placeholders(data);

describe('placeholders cannot be met in data', () => {
  test.each([
    ['a number', { runAsUser: 731003 }, 731003],
    ['a negative number', { nice: -731003 }, -731003],
    ['a number inside a string', { args: '--user=731003' }, '--user=731003'],
    ['a number behind a control character', { merge: '\u0001731003' }, '\u0001731003'],
    ['a string of the form of a placeholder', { tag: 'zz731003zz' }, 'zz731003zz'],
  ])('%s of their form stays as it is', (_, data, value) => {
    const placeholders = fresh(data);
    for (let i = 0; i < 10; i++) placeholders.string(`.Values.v${i}`);
    for (let i = 0; i < 10; i++) placeholders.number(`.Values.n${i}`);
    expect(placeholders.scalar(value)).toBe(
      typeof value === 'number' ? String(value) : JSON.stringify(value).replaceAll(/^"(zz.*)"$/g, '$1'),
    );
  });

  test('holds for any data', () => {
    const scalar = fc.oneof(
      fc.integer({ min: -999_999, max: 999_999 }),
      fc.integer({ min: 100_000, max: 999_999 }).map((n) => `zz${n}zz`),
      fc.integer({ min: 100_000, max: 999_999 }).map((n) => `user:${n}/x`),
      fc
        .tuple(fc.string({ unit: 'binary', maxLength: 2 }), fc.integer({ min: 100_000, max: 999_999 }))
        .map((both) => both.join('')),
    );
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 200 }), (data) => {
        const placeholders = fresh(data);
        for (let i = 0; i < 40; i++) placeholders.number(`.Values.n${i}`);
        for (const value of data) expect(placeholders.pieces(String(value))).toEqual([String(value)]);
      }),
    );
  });

  test('data that leaves no form free is refused, never misread', () => {
    expect(() => fresh(Array.from({ length: 900 }, (_, i) => (100 + i) * 1000))).toThrow(
      'cannot choose placeholders for the chart',
    );
  });

  test('more parameters than there are numbers are refused', () => {
    const placeholders = fresh();
    for (let i = 0; i < 1000; i++) placeholders.string(`.Values.v${i}`);
    expect(() => placeholders.string('.Values.more')).toThrow('at most 1000');
  });
});

describe('a placeholder becomes the expression it stands for', () => {
  test('one expression has one placeholder, two have two', () => {
    const p = fresh();
    expect(p.string('.Values.a')).toBe(p.string('.Values.a'));
    expect(p.string('.Values.a')).not.toBe(p.string('.Values.b'));
    expect(p.number('.Values.a')).toBe(p.number('.Values.a'));
    expect(p.number('.Values.a')).not.toBe(p.number('.Values.b'));
    expect(p.map('.Values.a')).toEqual(p.map('.Values.a'));
    expect(Object.keys(p.map('.Values.a'))).not.toEqual(Object.keys(p.list('.Values.a')[0] as object));
  });

  test('a string alone, joined with literals, twice, and beside a number', () => {
    const p = fresh();
    const [name, port] = [p.string('.Values.name'), p.number('.Values.port')];
    expect(p.scalar(name)).toBe('{{ .Values.name | quote }}');
    expect(p.scalar(`${name}-x`)).toBe('{{ printf "%s-x" .Values.name | quote }}');
    expect(p.scalar(`100%-${name}-${name}`)).toBe('{{ printf "100%%-%s-%s" .Values.name .Values.name | quote }}');
    expect(p.scalar(`${name}:${port}`)).toBe('{{ printf "%s:%d" .Values.name (int64 .Values.port) | quote }}');
    expect(p.scalar(p.string('include "a" .').concat('-b'))).toBe('{{ printf "%s-b" (include "a" .) | quote }}');
  });

  test('a number, also where a renderer negated it', () => {
    const p = fresh();
    const port = p.number('.Values.port');
    expect(p.scalar(port)).toBe('{{ int64 .Values.port }}');
    expect(p.scalar(-port)).toBe('{{ int64 .Values.port }}');
    expect(p.scalar(port + 1)).toBe(String(port + 1));
    expect(p.scalar(8080)).toBe('8080');
    expect(p.scalar(true)).toBe('true');
  });

  test('a line of a file: checked values, braces of the text kept', () => {
    const p = fresh();
    const [size, port] = [p.string('.Values.size'), p.number('.Values.port')];
    expect(p.line(`max: ${size}, port: ${port}`)).toBe(
      'max: {{ include "dynamo.line" (.Values.size) }}, port: {{ int64 .Values.port }}',
    );
    expect(p.line('{{ .Node }}')).toBe('{{ "{{" }} .Node {{ "}}" }}');
    expect(p.line(`{${port}}`)).toBe('{{ "{" }}{{ int64 .Values.port }}}');
    expect(p.line('a { b')).toBe('a { b');
    expect(p.line('a {')).toBe('a {');
  });

  test('a guard holds for every line with the value', () => {
    const p = fresh();
    const name = p.string('.Values.name', 'and .Values.on .Values.name');
    expect(p.guard(`--name=${name}`)).toBe('and .Values.on .Values.name');
    expect(p.guard(p.string('.Values.name'))).toBeUndefined();
    expect(p.guard('literal')).toBeUndefined();
    expect(p.guard({})).toBeUndefined();
  });

  test('maps and lists are found as a whole and among others', () => {
    const p = fresh();
    const [map, list] = [p.map('.Values.labels'), p.list('.Values.tolerations')];
    expect(p.whole(map)?.expression).toBe('.Values.labels');
    expect(p.whole(list)?.expression).toBe('.Values.tolerations');
    expect(p.whole({ ...map, own: 'x' })).toBeUndefined();
    expect(p.whole([...list, { own: 'x' }])).toBeUndefined();
    expect(p.whole([map])).toBeUndefined();
    expect(p.whole({ a: 'b' })).toBeUndefined();
    expect(p.splicedItem(list[0])?.expression).toBe('.Values.tolerations');
    expect(p.splicedItem(map)).toBeUndefined();
    expect(p.splicedKey(p.string('.Values.name'))).toBeUndefined();
  });

  test('a map that others are merged into keeps their keys, level by level', () => {
    const p = fresh();
    const resources = p.map('.Values.resources');
    expect(p.mergedMap({ limits: { cpu: '1' }, ...resources })).toBe(
      'mergeOverwrite (fromJson "{\\"limits\\":{\\"cpu\\":\\"1\\"}}") (deepCopy (default dict .Values.resources))',
    );
    expect(p.mergedMap({ app: 'x', ...resources })).toBeUndefined();
    expect(p.mergedMap({ limits: { cpu: '1' } })).toBeUndefined();
    expect(p.mergedMap({ limits: { cpu: p.string('.Values.cpu') }, ...resources })).toBeUndefined();
  });
});

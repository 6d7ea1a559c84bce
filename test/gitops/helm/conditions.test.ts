import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseSpace, Conditions, type CaseSpace } from '../../../lib/gitops/helm/conditions.ts';

/** Switches whose tests are words such as `s1v0`: switch 1 has its meaning 0. */
function space(...sizes: readonly number[]): CaseSpace {
  return caseSpace(sizes.map((size, s) => ({ name: `s${s}`, tests: Array.from({ length: size }, (_, v) => `s${s}v${v}`) })));
}

/** Evaluates and, or, not and words as a template does. */
function holds(expression: string, choice: readonly number[]): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = (): boolean => {
    const token = tokens[at++] ?? '';
    if (token !== '(') return word(token);
    const value = call();
    at++;
    return value;
  };
  const word = (token: string): boolean => {
    const [, s = '', v = ''] = /^s(\d+)v(\d+)$/.exec(token) ?? [];
    if (s === '') throw new Error(`no test: ${token} in ${expression}`);
    return choice[Number(s)] === Number(v);
  };
  const call = (): boolean => {
    const name = tokens[at] ?? '';
    if (!['and', 'or', 'not'].includes(name)) return term();
    at++;
    const values: boolean[] = [];
    while (at < tokens.length && tokens[at] !== ')') values.push(term());
    if (name === 'not') return !values[0];
    return name === 'and' ? values.every(Boolean) : values.some(Boolean);
  };
  return call();
}

test('every combination of the switches is a case', () => {
  const { choices, all } = space(2, 3);
  expect(choices).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  expect(all).toBe(0b111111n);
  expect(caseSpace([]).choices).toEqual([[]]);
});

test('an expression holds for the wanted cases and no other of those that are possible', () => {
  const sizes = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      sizes,
      fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
      fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
      (s, a, b) => {
        const cases = space(...s);
        const within = b & cases.all;
        const wanted = a & within;
        fc.pre(wanted !== 0n && wanted !== within);
        const expression = new Conditions(cases).expression(wanted, within);
        cases.choices.forEach((choice, i) => {
          const bit = 1n << BigInt(i);
          if ((within & bit) !== 0n) expect(holds(expression, choice), expression).toBe((wanted & bit) !== 0n);
        });
      },
    ),
  );
});

test.each([
  [
    'one switch',
    [2, 2],
    [
      [0, 0],
      [0, 1],
    ],
    's0v0',
  ],
  [
    'the other meaning of a switch with two',
    [2, 2],
    [
      [1, 0],
      [1, 1],
    ],
    's0v1',
  ],
  ['not one of three', [3], [[1], [2]], 'not (s0v0)'],
  ['two switches', [2, 2], [[0, 0]], 'and s0v0 s1v0'],
  [
    'either of two',
    [2, 2],
    [
      [0, 0],
      [0, 1],
      [1, 0],
    ],
    'or s0v0 s1v0',
  ],
])('says it with as little as it takes: %s', (_, sizes, wanted, expected) => {
  const cases = space(...sizes);
  const bits = cases.choices.reduce(
    (all, choice, i) => (wanted.some((w) => String(w) === String(choice)) ? all | (1n << BigInt(i)) : all),
    0n,
  );
  const conditions = new Conditions(cases);
  expect(conditions.expression(bits, cases.all)).toBe(expected);
  expect(conditions.expression(bits, cases.all)).toBe(expected);
});

test('fails where nothing tells cases apart', () => {
  const cases = { ...space(2), choices: [[0], [0]] };
  expect(() => new Conditions(cases).expression(1n, 3n)).toThrow('no switch distinguishes these cases');
});

test('asks only what is open among the cases that are possible', () => {
  const cases = space(2, 2, 2);
  const bits = (...wanted: readonly string[]): bigint =>
    cases.choices.reduce((all, choice, i) => (wanted.includes(choice.join('')) ? all | (1n << BigInt(i)) : all), 0n);
  const conditions = new Conditions(cases);
  // among these four the first two switches say it; in general it takes all three
  expect(conditions.expression(bits('000'), bits('000', '010', '100', '110'))).toBe('and s0v0 s1v0');
  // the second switch decides at once in one of its meanings, the first in none
  expect(conditions.expression(bits('000', '001', '100', '101', '011', '110'), cases.all)).toBe(
    'or s1v0 (and s1v1 (or (and s0v0 s2v1) (and s0v1 s2v0)))',
  );
});

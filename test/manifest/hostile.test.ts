import { describe, expect, test } from 'vitest';
import { readManifests } from '../../lib/manifest/index.ts';

function firstIssue(text: string): string {
  const [issue] = readManifests(text, 'f').issues;
  return issue ? `${issue.line}:${issue.column} ${issue.code}` : 'none';
}

describe('hostile input', () => {
  const deep: [string, string][] = [
    ['brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['braces', `a: ${'{a: '.repeat(10_000)}${'}'.repeat(10_000)}`],
    ['dashes', `${'- '.repeat(10_000)}a`],
    ['question marks', `${'? '.repeat(10_000)}a`],
    ['JSON', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['open brackets', '['.repeat(1_000_000)],
    ['lists without indentation', Array.from({ length: 1100 }, (_, i) => `${' '.repeat(i)}a:\n${' '.repeat(i)}-\n`).join('')],
  ];
  for (const [name, text] of deep) {
    test(`rejects ${name} nested too deep`, () => {
      expect(firstIssue(text)).toMatch(/(?:too_deep|syntax)$/);
    });
  }

  test('reads what is nested a thousand deep', () => {
    expect(firstIssue(`a: ${'['.repeat(990)}${']'.repeat(990)}`)).toBe('none');
  });

  test('rejects aliases that multiply', () => {
    let bomb = 'a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n';
    for (let i = 1; i < 12; i++) bomb += `a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]\n`;
    expect(firstIssue(bomb)).toMatch(/too_many_aliases$/);
  });

  const list = (length: number, item: string): string => Array.from({ length }, () => item).join(', ');
  const map = `{${Array.from({ length: 200 }, (_, i) => `k${i}: 1`).join(', ')}}`;
  /** The largest count of aliases that kubectl's decoder (k8s.io/apimachinery 0.34) reads; it refuses one more. */
  const aliases: [string, number, (count: number) => string][] = [
    ['of a list', 199, (count) => `a: &a [${list(200, '1')}]\nb: [${list(count, '*a')}]\n`],
    ['of a large list', 102, (count) => `a: &a [${list(3000, '1')}]\nb: [${list(count, '*a')}]\n`],
    ['that are merged', 198, (count) => `a: &a ${map}\nb: [${list(count, '{<<: *a}')}]\n`],
    ['that are merged twice', 79, (count) => `a: &a ${map}\nb: [${list(count, '{<<: [*a, *a]}')}]\n`],
    [
      'of aliases',
      8,
      (count) =>
        `a0: &a0 [1, 1]\n${Array.from({ length: count }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}`,
    ],
  ];
  test.each(aliases)('reads as many aliases %s as kubectl, and not one more', (_name, most, text) => {
    expect(firstIssue(text(most))).toBe('none');
    expect(firstIssue(text(most + 1))).toMatch(/too_many_aliases$/);
  });

  test('rejects merges that multiply', () => {
    let bomb = 'a0: &a0 {x: 1}\n';
    for (let i = 1; i < 40; i++) bomb += `a${i}: &a${i} {<<: [*a${i - 1}, *a${i - 1}]}\n`;
    expect(firstIssue(bomb)).toMatch(/too_many_aliases$/);
  });

  test('rejects a YAML file of 20 MB without reading it', () => {
    expect(firstIssue('a: b\n'.repeat(4_200_000))).toBe('1:1 too_large');
  });

  test('tells no more than a thousand problems of one file', () => {
    expect(readManifests('a: 1\n'.repeat(50_000), 'f').issues).toHaveLength(1000);
  });

  test('reads long runs of digits, quotes, spaces and line breaks', () => {
    expect(firstIssue(`a: 0x${'f'.repeat(1_000_000)}\n`)).toBe('none');
    expect(firstIssue(`{"a": ${'9'.repeat(1_000_000)}}`)).toBe('1:7 number_too_large');
    expect(firstIssue(`a: '${"''".repeat(500_000)}'\n`)).toBe('none');
    expect(firstIssue(`a: b${' '.repeat(1_000_000)}c\n`)).toBe('none');
    expect(firstIssue(`a:\n${'\n'.repeat(1_000_000)} b\n`)).toBe('none');
  });

  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  for (const text of [
    names.map((name) => `${name}: {polluted: true}\n`).join(''),
    JSON.stringify(Object.fromEntries(names.map((name) => [`x${name}`, { polluted: true }]))).replaceAll('"x', '"'),
    `a: &a {${names.map((name) => `${name}: {polluted: true}`).join(', ')}}\n<<: *a\n`,
  ]) {
    test(`keeps the names of Object's own properties as plain keys: ${text.slice(0, 20)}...`, () => {
      const { documents, issues } = readManifests(text, 'f');
      expect(issues).toEqual([]);
      const value = documents[0]?.value as Record<string, unknown>;
      for (const name of names) expect(Object.getOwnPropertyDescriptor(value, name)?.value).toEqual({ polluted: true });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  }
});

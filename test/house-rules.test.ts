/** Rules that hold for every file and that neither the type checker nor the linter knows. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && !file.includes('/generated/'));
}

const lib = filesBelow('lib');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const linesWith = (files: readonly string[], pattern: RegExp): readonly string[] =>
  files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

/** Long tests that are still to be split. */
const stillLong = ['test/cluster/api-client.test.ts', 'test/cluster/cache.test.ts'];

test('no file of lib or test that a person writes has more than 400 lines', () => {
  const isLong = (file: string): boolean => read(file).split('\n').length > 401;
  expect([...lib, ...filesBelow('test')].filter((file) => isLong(file) && !stillLong.includes(file))).toEqual([]);
});

test('lib/api alone defines what a Kubernetes object, its metadata and its owner are', () => {
  const others = lib.filter((file) => !file.startsWith('lib/api/'));
  const definition = /^(?:export )?(?:interface|type) (?:KubernetesObject|(?:Named)?ObjectMeta|OwnerReference)\b/;
  expect(linesWith(others, definition)).toEqual([]);
});

test('no file is named for nothing in particular', () => {
  expect(lib.filter((file) => /^(utils?|helpers?|common|misc|shared|tools)\.ts$/.test(basename(file)))).toEqual([]);
});

test('lib/json alone knows how to tell lists and objects, to compare them, and to escape a JSON pointer', () => {
  const others = lib.filter((file) => !file.startsWith('lib/json/'));
  expect(linesWith(others, /\bfunction is(Object|Record|PlainObject)\b|\bconst is(List|Object|Record) =/)).toEqual([]);
  expect(linesWith(others, /replaceAll\('~|replace\(\/~/)).toEqual([]);
  expect(
    linesWith(
      others,
      /\bfunction (withoutNulls|startsWith|isWithin)\(value: (Json|unknown|T)\)|\(path: Path, (prefix|other|outer): Path\): boolean/,
    ),
  ).toEqual([]);
  expect(linesWith(others, /\bvalueAt = |\bfunction valueAt\b/)).toEqual([]);
});

test('strings are ordered by their bytes, not as a language or UTF-16 would', () => {
  const native = new Set([
    // Names and labels of Kubernetes are ASCII, and these run for every pass.
    'lib/runtime/cache/select.ts',
    'lib/runtime/cache/store.ts',
    'lib/reconcile/snapshot.ts',
    'lib/json/byte-order.ts',
  ]);
  expect(
    linesWith(
      lib.filter((file) => !native.has(file)),
      /\.(sort|toSorted)\(\)|localeCompare|Intl\.Collator/,
    ),
  ).toEqual([]);
});

test('a test says what is right, not only that there is something', () => {
  expect(linesWith(filesBelow('test'), /\.toBe(Defined|Truthy)\(\)/)).toEqual([]);
});

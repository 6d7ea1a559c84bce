import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type Json } from '../../lib/json/index.ts';
import { parseJson, readManifests, stringifyJson, type Position } from '../../lib/manifest/index.ts';

/** Texts and what kubectl's parser made of them, as JSON; null where it refused them. */
const recorded = ['kubectl-yaml.json', 'kubectl-structures.json', 'kubectl-streams.json'].flatMap(
  (file) => JSON.parse(readFileSync(join(import.meta.dirname, 'cases', file), 'utf8')) as [string, string | null][],
);

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

function read(text: string): string | null {
  const { documents, issues } = readManifests(text, 'x.yaml');
  if (issues.some((issue) => issue.severity === 'error')) return null;
  return stringifyJson(sorted(documents.map((document) => document.value)));
}

test('reads scalars, keys, tags, merges, flow and block forms as kubectl does', () => {
  const differences = recorded
    .map(([text, json]) => ({
      text,
      want: json === null ? null : stringifyJson(sorted(parseJson(json) ?? null)),
      got: read(text),
    }))
    .filter(({ want, got }) => want !== got);
  expect(differences).toEqual([]);
  expect(recorded.length).toBeGreaterThan(1900);
});

test('tells what kubectl would drop without a word after a whole value', () => {
  const { documents, issues } = readManifests('  a: 1\nb: 2\n', 'x.yaml');
  expect(documents).toEqual([]);
  expect(issues).toMatchObject([{ line: 2, column: 1, severity: 'error', message: expect.stringContaining('does not belong') }]);
});

// kubectl 1.34 reads the first as {"b":"c"}, the second as "a", and refuses the third.
test.each(['\ufeff\ufeff\ufeff#a:\n  b: c\n', '\ufeff\ufeff\ufeff# c\n{"a":1}\n', 'a: 1\n---\n\ufeff\ufeffa: 1\nb: 2\n'])(
  'rejects a second byte order mark, after which kubectl drops the first character of every line: %j',
  (text) => {
    expect(readManifests(text, 'x.yaml').issues).toMatchObject([
      { severity: 'error', message: expect.stringContaining('a second byte order mark') },
    ]);
  },
);

test('reads the byte order mark of a file and of a document', () => {
  const { documents, issues } = readManifests('\ufeff\ufeffa: 1\n---\n\ufeffb: 2\n', 'x.yaml');
  expect(issues).toEqual([]);
  expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { b: 2 }]);
});

test('warns of a document after "..." that kubectl ignores', () => {
  const { documents, issues } = readManifests('a: 1\n...\nb: 2\n', 'x.yaml');
  expect(documents.map((document) => document.value)).toEqual([{ a: 1 }]);
  expect(issues).toMatchObject([{ line: 3, severity: 'warning' }]);
});

test('reads or rejects any part of a recorded text, and throws nothing', () => {
  const inside = ({ line, column }: Position, text: string): boolean =>
    column >= 1 && column <= (`${text}\n`.split('\n')[line - 1]?.length ?? -1) + 1;
  const outside: string[] = [];
  for (const [text] of recorded) {
    for (const part of [text.slice(0, -2), text.slice(1), text.slice(0, text.length >> 1), text.slice(text.length >> 1)]) {
      const { documents, issues } = readManifests(part, 'x.yaml');
      const places = [...issues, ...documents.map((document) => document.position([]))];
      const content = part.replace(/^\ufeff/, '');
      if (!places.every((place) => inside(place, content))) outside.push(part);
    }
  }
  expect(outside).toEqual([]);
});

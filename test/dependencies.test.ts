import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

/** Packages that the files of lib import, with the folder of each. */
const imported = new Map<string, Set<string>>();
for (const entry of readdirSync(join(root, 'lib'), { recursive: true, withFileTypes: true })) {
  // The template of `init` is source text of another package.
  if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name === 'init-template.ts') continue;
  const folder = join(entry.parentPath).slice(root.length + 1);
  const source = readFileSync(join(entry.parentPath, entry.name), 'utf8');
  const statement = /^(?:import|export)(?: [^;'"`]*? from)? '((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^']*)?';$/gm;
  for (const [, name = ''] of source.matchAll(statement)) imported.set(name, (imported.get(name) ?? new Set()).add(folder));
}

test('lib imports every dependency of the package and nothing that only builds or tests', () => {
  const offered = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  expect(Object.keys(manifest.dependencies).filter((name) => !imported.has(name))).toEqual([]);
  expect([...imported.keys()].filter((name) => !offered.includes(name))).toEqual([]);
});

test('the page of dependencies gives a reason for each, and for no other', () => {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const all = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies), ...Object.keys(peerDependencies)]);
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(new Set(named)).toEqual(all);
});

test('only what keeps comments, or the bytes of a text, uses the library yaml', () => {
  expect([...(imported.get('yaml') ?? [])].toSorted()).toEqual(['lib/graph', 'lib/graph/import', 'lib/lint/fix']);
});

test('versions are exact', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d/.test(version),
  );
  expect(loose.map(([name]) => name)).toEqual(['@types/node']);
});

/**
 * Every module of the pure layers loads. Tables are evaluated when their module is loaded, so a mutant in a table can make every test file that
 * imports it fail. Mutation tests count failing tests, not failing files; therefore this test loads the layer that is changed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { mutate = [] }: { readonly mutate?: readonly string[] } = JSON.parse(process.env['MUTATION'] ?? '{}');
const changed = mutate.flatMap((pattern) => /^lib\/(\w+)/.exec(pattern)?.[1] ?? []);
const layers = changed.length > 0 ? changed : ['admission', 'api', 'check', 'fit', 'reconcile', 'render'];
const modules = [...new Set(layers)].flatMap((layer) =>
  readdirSync(join(root, 'lib', layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && name !== 'gitops-app.ts')
    .map((name) => join(root, 'lib', layer, name)),
);
/** Loaded with this file and not by its test, so that what a table holds is known to no single test. */
const loaded = await Promise.allSettled(modules.map((path) => import(path)));

test('every module of a pure layer loads', () => {
  expect(modules.length).toBeGreaterThan(5);
  expect(loaded.flatMap((one, i) => (one.status === 'rejected' ? [`${modules[i] ?? ''}: ${String(one.reason)}`] : []))).toEqual(
    [],
  );
});

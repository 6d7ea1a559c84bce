import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { afterAll, expect, test } from 'vitest';
import { GitOpsApp } from '../../lib/gitops/index.ts';
import { DynamoPlatform } from '../../lib/platform/constructs/index.ts';
import { runCommand } from '../command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'two-releases-'));
afterAll(() => rmSync(folder, { recursive: true }));

const content = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

test.each([
  ['platform', ['platform']],
  ['gitops', ['gitops', '--layout', 'plain']],
])('%s rejects a second release of a namespace in the folder of the first, and leaves that alone', async (name, argv) => {
  const write = (release: string) => runCommand(folder, [...argv, '--release', release, '-n', 'team', '-o', name]);
  expect(await write('one')).toMatchObject({ code: 0 });
  const before = content(join(folder, name));
  expect(await write('two')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--release one') });
  expect(content(join(folder, name))).toEqual(before);
});

const restricted = { values: { 'dynamo-operator': { namespaceRestriction: { enabled: true } } }, warnings: 'ignore' } as const;

test.each<[string, () => App]>([
  ['an app', () => new App({ outdir: join(folder, 'app') })],
  ['a GitOps app', () => new GitOpsApp({ layout: 'plain', outdir: join(folder, 'gitops-app') })],
])('%s rejects two operators in one namespace, whose objects with fixed names would collide', (_kind, make) => {
  const app = make();
  for (const release of ['one', 'two'])
    new DynamoPlatform(new Chart(app, release, { namespace: 'team' }), 'platform', { release, ...restricted });
  expect(() => app.synth()).toThrow(
    /release 'two' in namespace 'team' would overwrite objects with fixed names of release 'one'/,
  );
});

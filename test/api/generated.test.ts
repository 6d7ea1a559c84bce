import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate/files.ts';

const root = new URL('../../', import.meta.url);

test('the generated types and validators are up to date (npm run generate)', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    expect(readFileSync(new URL(`lib/api/generated/${name}`, root), 'utf8') === text, name).toBe(true);
  }
});

test('the generated validators load nothing', () => {
  const text = readFileSync(new URL('lib/api/generated/validators.js', root), 'utf8');
  expect(/^import |\brequire\(|\beval\(|new Function/m.exec(text)).toBeNull();
});

test('cdk8s import alone writes imports/ from our own CRDs, without a network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(new URL('cdk8s.yaml', root), join(folder, 'cdk8s.yaml'));
  cpSync(new URL('dist', root), join(folder, 'dist'), { recursive: true });
  const cli = fileURLToPath(new URL('node_modules/cdk8s-cli/bin/cdk8s', root));
  // Nothing listens on port 1: whatever is fetched fails.
  const proxy = 'http://127.0.0.1:1';
  const env = { ...process.env, CDK8S_CHECK_UPGRADE: 'false', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' };
  execFileSync(process.execPath, [cli, 'import'], { cwd: folder, stdio: 'pipe', env });
  expect(readdirSync(join(folder, 'imports'))).toEqual(readdirSync(new URL('imports', root)));
  for (const name of readdirSync(join(folder, 'imports')))
    expect(
      readFileSync(join(folder, 'imports', name), 'utf8') === readFileSync(new URL(`imports/${name}`, root), 'utf8'),
      `imports/${name} is not up to date: run npm run synth, then npm run imports`,
    ).toBe(true);
});

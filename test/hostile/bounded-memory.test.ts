import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readStream } from '../../lib/files/index.ts';
import { bundleProgram } from '../bundle-program.ts';
import { run } from '../cli/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'bounded-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));
const tooLarge = 'must be at most 64 MiB; split the file';
writeFileSync(join(folder, 'empty.json'), '{}');

test.each([
  ['validate', '-f', '/dev/zero'],
  ['validate', '-f', 'empty.json', '--old', '/dev/zero'],
  ['validate', '--review', '/dev/zero'],
  ['lint', '-f', '/dev/zero'],
  ['lint', '--fix', '-f', '/dev/zero'],
  ['lint', '-f', 'empty.json', '--previous', '/dev/zero'],
  ['render', '-f', '/dev/zero'],
  ['render', '-f', 'empty.json', '--values', '/dev/zero'],
  ['fit', '-f', '/dev/zero', '--nodes', '1', '--gpus-per-node', '1'],
  ['fit', '-f', 'empty.json', '--nodes', '/dev/zero'],
  ['normalize', '-f', '/dev/zero'],
  ['import', '-f', '/dev/zero'],
  ['platform', '-f', '/dev/zero'],
  ['images', '-f', '/dev/zero'],
  ['gitops', '-f', '/dev/zero', '--layout', 'plain', '-o', 'out'],
  ['gitops', '--graph', '/dev/zero', '--layout', 'plain', '-o', 'out'],
  ['gitops', '--env', 'a=/dev/zero', '--layout', 'plain', '-o', 'out'],
])('%s %s %s: rejects a device without an end', async (...argv) => {
  const { code, out, err } = await run(argv, { cwd: folder });
  expect(out + err).toContain(tooLarge);
  expect(code).toBe(1);
});

test('reads no more of a stream than its limit', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += 1000;
      yield new Uint8Array(1000);
    }
  }
  expect(await readStream(endless(), 10_500)).toBeUndefined();
  expect(read).toBe(11_000);
});

const root = resolve(import.meta.dirname, '../..');

test('rejects stdin without an end', async () => {
  const script = `node --max-old-space-size=512 ${await bundleProgram('lib/cli/bin.ts')} validate -f - < /dev/zero`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' });
  expect(stdout + stderr).toContain(`<stdin>: ${tooLarge}`);
  expect(status).toBe(1);
});

test('rejects a pipe without an end, and reads one that ends', async () => {
  const [pipe, small] = [join(folder, 'pipe.yaml'), join(folder, 'small.yaml')];
  spawnSync('mkfifo', [pipe, small]);
  const writers = [spawn('bash', ['-c', `cat /dev/zero > ${pipe}`]), spawn('bash', ['-c', `echo 'a: 1' > ${small}`])];
  const ended = Promise.all(writers.map((writer) => once(writer, 'exit')));
  const endless = await run(['validate', '-f', pipe], { cwd: folder });
  expect(endless.out).toContain(tooLarge);
  const short = await run(['validate', '-f', small], { cwd: folder });
  expect(short.out).toContain('apiVersion and kind are missing');
  await ended;
});

test('rejects pipes and devices among the files of a folder instead of waiting for them', async () => {
  const inside = join(folder, 'manifests');
  mkdirSync(inside);
  spawnSync('mkfifo', [join(inside, 'a.yaml')]);
  symlinkSync('/dev/zero', join(inside, 'b.yaml'));
  symlinkSync('nowhere', join(inside, 'c.yaml'));
  for (const name of ['validate', 'lint', 'render', 'normalize', 'import', 'platform']) {
    const { code, out, err } = await run([name, '-f', 'manifests'], { cwd: folder });
    expect(code).toBe(1);
    const text = out + err;
    for (const file of ['a', 'b']) expect(text).toContain(`manifests/${file}.yaml: neither a file nor a folder`);
    expect(text).toContain('manifests/c.yaml: no such file or folder');
  }
});

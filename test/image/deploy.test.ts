/** `npm run deploy` as far as it goes without a cluster: what it refuses, what it says, what it would apply. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { bundleProgram } from '../bundle-program.ts';

const project = resolve(import.meta.dirname, '../..');

async function deploy(
  ...words: readonly string[]
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const program = [await bundleProgram('scripts/deploy.ts'), '--dry-run', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, stdout, stderr };
}

test.each([
  ['my op:1', 'it must not contain a space, got "my op:1"; write REGISTRY/REPOSITORY:TAG'],
  ['https://registry.example.com/op:1', 'it must not start with a URL scheme'],
  ['registry.example.com/Op:1', 'it must not have upper-case letters in its repository'],
  ['', 'is required with platform.operator.kind dynamo-cdk8s'],
])('rejects the image %j and says what to write', async (image, reason) => {
  const { status, stdout, stderr } = await deploy(`--image=${image}`);
  expect(stderr).toMatch(/^--image: /);
  expect(stderr).toContain(reason);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test('rejects an argument that would have no effect, and an option that npm kept for itself', async () => {
  const named = await deploy('registry.example.com/op:1');
  expect(named.stderr).toContain("unexpected argument 'registry.example.com/op:1': only options are allowed");
  const env = { ...process.env, npm_config_dry_run: 'true', npm_lifecycle_event: 'undeploy', PATH: '' };
  const program = [await bundleProgram('scripts/deploy.ts'), 'remove'];
  const kept = spawnSync(process.execPath, program, { cwd: project, encoding: 'utf8', env });
  expect(kept.stderr).toBe('--dry-run: was not passed on by npm; write npm run undeploy -- --dry-run ...\n');
  expect([named.status, kept.status]).toEqual([1, 1]);
});

test('installs the CRDs and the operator of the image, and says what it needs', async () => {
  const { status, stdout, stderr } = await deploy('--image=registry.example.com/op:1');
  expect(status).toBe(0);
  expect(stdout).toContain('name: dynamographdeployments.nvidia.com');
  expect(stdout).toContain('image: registry.example.com/op:1');
  expect(stderr).toContain('warning: nats: is open to the pods of every namespace');
  expect(stderr).toContain('note: Secret dynamo-system/mpi-run-ssh-secret');
});

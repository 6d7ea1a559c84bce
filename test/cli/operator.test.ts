import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { flagTable } from '../../lib/runtime/flag-table.ts';
import { bundleProgram } from '../bundle-program.ts';
import { run } from './run.ts';

const required = ['--planner-cluster-role-name=p', '--mpi-run-ssh-secret-name=s', '--mpi-run-ssh-secret-namespace=n'];

test('lists every flag, the exit codes and examples', async () => {
  const { code, out } = await run(['operator', '-help']);
  expect(code).toBe(0);
  for (const { name } of flagTable) expect(out).toContain(`\n  --${name}`);
  expect(out).toContain('Exit codes:');
});

test('exits 2 on a flag that is wrong, with the words of Go', async () => {
  expect(await run(['operator', '--nope'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^flag provided but not defined: -nope\nUsage: /),
  });
});

test('exits 1 on a check that fails, in the log', async () => {
  const { code, out, err } = await run(['operator', ...required.slice(1)]);
  expect([code, out]).toEqual([1, '']);
  expect(JSON.parse(err)).toMatchObject({
    level: 'error',
    logger: 'setup',
    msg: 'planner-cluster-role-name is required in cluster-wide mode',
  });
});

test('exits 1 without a cluster, and says what to do', async () => {
  const args = [
    await bundleProgram('lib/cli/bin.ts'),
    'operator',
    ...required,
    '--health-probe-bind-address=127.0.0.1:0',
    '--metrics-bind-address=0',
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { PATH: process.env['PATH'] }, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    msg: 'problem running manager',
    error: expect.stringContaining('pass --kubeconfig, set KUBECONFIG'),
  });
});

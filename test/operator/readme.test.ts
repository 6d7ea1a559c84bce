/** The README's way to run the operator works: its three commands, on a cluster that has nothing of ours. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findTool, missingTools } from '../../tools/find.ts';
import { bundleProgram } from '../bundle-program.ts';
import { succeeded } from '../control-plane/client.ts';
import { Cluster } from '../control-plane/connect.ts';
import { addNode } from '../control-plane/nodes.ts';
import { neededTools, startControlPlane } from '../control-plane/start.ts';

const root = resolve(import.meta.dirname, '../..');
const options = { scheduler: true, kwok: true };
const [, section = ''] = /## The operator\n[^]*?```sh\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
const [install = '', run = '', watch = ''] = section.trim().split('\n');

describe.skipIf(missingTools([...neededTools(options), 'kubectl']).length > 0)('the README', () => {
  test('runs the operator against any cluster', async () => {
    const plane = await startControlPlane(options);
    onTestFinished(() => plane.stop());
    const cluster = new Cluster(plane.connection);
    onTestFinished(() => cluster.close());
    await addNode(cluster.client, { name: 'node' });
    const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-readme-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(await findTool('kubectl'), join(bin, 'kubectl'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${await bundleProgram('lib/cli/bin.ts')}' "$@"\n`;
    writeFileSync(join(bin, 'dynamo-cdk8s'), command);
    chmodSync(join(bin, 'dynamo-cdk8s'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, KUBECONFIG: plane.connection.kubeconfig };
    execFileSync('bash', ['-c', install], { env });

    // Ports of its own: another operator may run on this machine.
    const ports = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
    const operator = spawn('bash', ['-c', `exec ${run} ${ports.join(' ')}`], { env, stdio: 'ignore' });
    onTestFinished(async () => {
      operator.kill();
      if (operator.exitCode === null) await once(operator, 'exit');
    });
    const namespace = 'models';
    succeeded(await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
    const services = {
      Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image: 'x/y:1' } } },
    };
    const graph = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'small', namespace },
      spec: { services },
    };
    execFileSync('kubectl', ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=300s'], { env });
    succeeded(await cluster.client.create(graph));
    const shown = execFileSync('bash', ['-c', watch.replace(/ +#.*/, '')], { env, encoding: 'utf8' });
    expect(shown).toContain('DynamoGraphDeployment/small in models  successful, 0 GPUs\n└─ Frontend  1 of 1 replica ready');
  });
});

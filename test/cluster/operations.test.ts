/** Runs every command of docs/operations.md and docs/operations/ as a reader would, on a control plane of its own with nodes that kwok plays. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findTool, missingTools } from '../../tools/find.ts';
import { addNode } from '../control-plane/nodes.ts';
import { built } from '../built.ts';
import { Cluster } from '../control-plane/connect.ts';
import { type ControlPlane, neededTools, startControlPlane } from '../control-plane/start.ts';
import { ShellSession } from '../docs/shell-session.ts';
import { stepsOf } from '../docs/shell-steps.ts';
import { emptyCluster, players, prepareCluster } from '../docs/stage.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');
const allPages = ['operations.md', ...readdirSync(join(docs, 'operations')).map((file) => `operations/${file}`)];
const isLong = process.env['LONG'] !== undefined;
/** An ordinary run tries the page everybody starts with; test/docs checks the commands of the others without a cluster. */
const pages = isLong ? allPages : allPages.slice(0, 1);
/** And of that the life of an installation: gitops-folders and helm-chart try the layouts. */
const afterSample = '\n## GitOps\n';
const tools = ['kubectl', 'helm', 'kustomize'] as const;
const options = { scheduler: true, kwok: true };

describe.skipIf(missingTools([...neededTools(options), ...tools]).length > 0)('commands of the operations pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  const bin = join(folder, 'bin');
  let controlPlane: ControlPlane | undefined;
  let cluster: Cluster;

  beforeAll(async () => {
    mkdirSync(bin);
    for (const name of tools) symlinkSync(await findTool(name), join(bin, name));
    writeFileSync(join(bin, 'dynamo-cdk8s'), `#!/bin/sh\nexec '${process.execPath}' '${built('cli/dynamo-cdk8s.js')}' "$@"\n`);
    chmodSync(join(bin, 'dynamo-cdk8s'), 0o755);
    controlPlane = await startControlPlane(options);
    cluster = new Cluster(controlPlane.connection);
    for (const name of ['node-a', 'node-b', 'node-c']) await addNode(cluster.client, { name });
    await prepareCluster(cluster);
  });
  afterAll(async () => {
    await cluster.close();
    await controlPlane?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => emptyCluster(cluster));

  const env = (): Readonly<Record<string, string>> => ({
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: cluster.connection.kubeconfig,
    KUBECACHEDIR: join(folder, 'kubectl-cache'),
  });

  test.runIf(isLong)('verbs of npm install CRDs and platform, with an image of ours, and take them away again', async () => {
    const npm = (...words: readonly string[]) =>
      promisify(execFile)('npm', ['run', '--silent', ...words], { cwd: root, env: { ...env(), HOME: folder } });
    const image = ['--', '--image', 'registry.example.com/operator:1.2.3'];
    const manager = 'dynamo-platform-dynamo-operator-controller-manager';
    const found = async (...words: readonly string[]): Promise<string> =>
      (await cluster.kubectl(['get', '--ignore-not-found', '-o', 'name', ...words])).stdout.trim();
    expect((await npm('deploy', ...image)).stdout).toContain('dynamographdeployments.nvidia.com serverside-applied');
    const { stdout } = await cluster.kubectl(['-n', 'dynamo-system', 'get', 'deployment', manager, '-o', 'json']);
    expect(JSON.parse(stdout).spec.template.spec.containers).toMatchObject([{ image: 'registry.example.com/operator:1.2.3' }]);
    const removed = await npm('undeploy', ...image);
    expect(removed.stdout).toMatch(/deployment.apps "dynamo-platform-.*" deleted/);
    expect(removed.stderr).toContain('the namespace, the CRDs and all graphs are kept');
    expect(await found('-n', 'dynamo-system', 'deployments,statefulsets,services,networkpolicies')).toBe('');
    expect(await found('namespace', 'dynamo-system')).toBe('namespace/dynamo-system');
    expect(await found('crd', 'dynamographdeployments.nvidia.com')).not.toBe('');
    expect((await npm('crds:uninstall')).stdout).toContain('"dynamographdeployments.nvidia.com" deleted');
    expect((await npm('crds:install')).stdout).toContain('dynamographdeployments.nvidia.com serverside-applied');
    expect((await npm('undeploy', '--', '--all')).stdout).toContain('"dynamographdeployments.nvidia.com" deleted');
    expect(await found('namespace', 'dynamo-system')).toBe('');
  });

  test.each(pages)('docs/%s', async (page) => {
    const session = join(folder, page.replaceAll('/', '-'));
    mkdirSync(session, { recursive: true });
    const shell: ShellSession = new ShellSession({
      folder: session,
      env: { ...env(), HOME: session },
      play: async (name) => {
        const player = players[name];
        if (player === undefined) throw new Error(`nobody plays '${name}'; there are ${Object.keys(players).join(', ')}`);
        await player({ cluster, folder: session, shell: (commands) => shell.succeed(commands) });
      },
    });
    const text = readFileSync(join(docs, page), 'utf8');
    const steps = stepsOf(isLong ? text : text.slice(0, text.indexOf(afterSample)));
    expect(steps.some(({ kind }) => kind === 'run')).toBe(true);
    for (const step of steps) {
      const start = Date.now();
      await shell.step(step);
      const seconds = Math.round((Date.now() - start) / 1000);
      if (seconds > 30) console.warn(`docs/${page}, line ${step.line}: ${seconds} s`);
    }
  });
});

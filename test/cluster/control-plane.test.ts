import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sinceStart } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, withApiGroups, newNamespace } from '../control-plane/cluster-test.ts';
import { Cluster } from '../control-plane/connect.ts';
import type { ControlPlaneConnection } from '../control-plane/connection.ts';
import { apiGroups } from '../control-plane/crds.ts';
import { grant } from '../control-plane/grants.ts';
import { addNode } from '../control-plane/nodes.ts';
import { standInGroups, standInKinds } from '../control-plane/stand-in-crds.ts';
import { startControlPlane } from '../control-plane/start.ts';

const configMap = (namespace: string, name: string, data: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

const deployment = (namespace: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace, name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example.invalid/none', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
    },
  },
});

async function letWriteConfigMaps(namespace: string, username: string): Promise<void> {
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];
  await grant(cluster().client, { username, namespace, rules });
}

describeCluster('the control plane of a test run', () => {
  test('is a real API server that says it is ready and knows its version', async () => {
    const { client } = cluster();
    expect((await client.request('GET', '/readyz')).status).toBe(200);
    expect((await client.request<{ gitVersion: string }>('GET', '/version')).body.gitVersion).toMatch(/^v1\.\d+\.\d+/);
  });

  test('keeps what two tests store apart by namespace', async () => {
    const { client } = cluster();
    const [mine, other] = [await newNamespace(), await newNamespace()];
    succeeded(await client.create(configMap(mine, 'settings', { owner: 'me' })));
    expect((await client.get(configMap(mine, 'settings'))).status).toBe(200);
    expect((await client.get(configMap(other, 'settings'))).status).toBe(404);
  });

  test('runs controllers: a Deployment gets pods', async () => {
    const { client } = cluster();
    const namespace = await newNamespace();
    succeeded(await client.apply(deployment(namespace, 'web')));
    const countPods = async () => succeeded(await client.list({ apiVersion: 'v1', kind: 'Pod', namespace })).items.length;
    await expect.poll(countPods, { timeout: 20_000 }).toBe(2);
  });

  test('answers dry runs over kept connections and stores nothing', async () => {
    const { client } = cluster();
    const namespace = await newNamespace();
    const names = Array.from({ length: 500 }, (_, index) => `dry-${index}`);
    const answers = await Promise.all(names.map((name) => client.dryRunCreate(configMap(namespace, name))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const stored = succeeded(await client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace })).items;
    expect(stored.filter(({ metadata }) => metadata.name.startsWith('dry-'))).toEqual([]);
  });

  test('passes on the warnings of the API server', async () => {
    const object = { ...configMap(await newNamespace(), 'settings'), dta: {} };
    const { warnings } = await cluster().client.dryRunCreate(object, { fieldValidation: 'Warn' });
    expect(warnings).toEqual(['unknown field "dta"']);
  });

  test('runs kubectl as any user', async () => {
    const namespace = await newNamespace();
    const input = JSON.stringify(configMap(namespace, 'settings'));
    expect(await cluster().kubectl(['apply', '-f', '-'], { input })).toMatchObject({
      exitCode: 0,
      stdout: 'configmap/settings created\n',
    });
    const denied = await cluster().kubectl(['get', 'configmaps', '-n', namespace], { user: 'alice' });
    expect(denied).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('User "alice" cannot list resource "configmaps"'),
    });
  });
});

describeCluster('RBAC', () => {
  test('denies what nobody granted', async () => {
    const namespace = await newNamespace();
    const answer = await cluster().as('operator').create(configMap(namespace, 'settings'));
    expect(answer).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
    expect(answer.body.message).toContain(cluster().user('operator').username);
  });

  test('lets a user do what a role grants, in that namespace only', async () => {
    const [granted, other] = [await newNamespace(), await newNamespace()];
    await letWriteConfigMaps(granted, 'bob');
    expect((await cluster().as('bob').create(configMap(granted, 'settings'))).status).toBe(201);
    expect((await cluster().as('bob').create(configMap(other, 'settings'))).status).toBe(403);
  });

  test('knows a service account made by a test', async () => {
    const namespace = await newNamespace();
    const account = await cluster().serviceAccount(namespace, 'my-operator');
    expect((await cluster().as(account).create(configMap(namespace, 'settings'))).status).toBe(403);
    await letWriteConfigMaps(namespace, account.username);
    expect((await cluster().as(account).create(configMap(namespace, 'settings'))).status).toBe(201);
    const calls = await cluster().audit.calls({ username: `system:serviceaccount:${namespace}:my-operator` });
    expect(calls.map(({ responseStatus }) => responseStatus?.code)).toEqual(expect.arrayContaining([403, 201]));
  });
});

describeCluster('the audit log', () => {
  test('shows what a user wrote, with the content', async () => {
    const namespace = await newNamespace();
    await letWriteConfigMaps(namespace, 'alice');
    await cluster()
      .as('alice')
      .apply(configMap(namespace, 'settings', { colour: 'green' }));
    expect(await cluster().audit.writes({ username: 'alice', namespace })).toMatchObject([
      {
        verb: 'patch',
        objectRef: { resource: 'configmaps', namespace, name: 'settings' },
        responseStatus: { code: 201 },
        requestObject: { data: { colour: 'green' } },
      },
    ]);
  });

  test('tells writes from reads and dry runs', async () => {
    const namespace = await newNamespace();
    await letWriteConfigMaps(namespace, 'alice');
    const alice = cluster().as('alice');
    await alice.get(configMap(namespace, 'settings'));
    await alice.dryRunCreate(configMap(namespace, 'settings'));
    const filter = { username: 'alice', namespace };
    expect((await cluster().audit.calls(filter)).map(({ verb }) => verb)).toEqual(['get', 'create']);
    expect(await cluster().audit.writes(filter)).toEqual([]);
  });

  test('leaves out what happened before a moment', async () => {
    const namespace = await newNamespace();
    await letWriteConfigMaps(namespace, 'alice');
    const { audit } = cluster();
    await cluster().as('alice').create(configMap(namespace, 'first'));
    await audit.calls({ username: 'alice', namespace });
    const since = await audit.now();
    await cluster().as('alice').create(configMap(namespace, 'second'));
    const names = async (moment: number) =>
      (await audit.writes({ username: 'alice', namespace, since: moment })).map(
        ({ requestObject }) => (requestObject as { metadata: { name: string } }).metadata.name,
      );
    expect(await names(since)).toEqual(['second']);
    expect(await names(sinceStart)).toEqual(['first', 'second']);
  });

  test('says nothing of the administrator', async () => {
    const namespace = await newNamespace();
    succeeded(await cluster().client.create(configMap(namespace, 'settings')));
    expect(await cluster().audit.calls({ username: 'admin', namespace })).toEqual([]);
  });
});

describeCluster('API groups of other projects', () => {
  test('come and go without a restart', async () => {
    const { client } = cluster();
    const served = async () => (await apiGroups(client)).filter((group) => standInGroups.some((name) => name === group));
    await withApiGroups(['grove.io', 'scheduling.run.ai']);
    expect((await served()).toSorted()).toEqual(['grove.io', 'scheduling.run.ai']);
  });

  test('accept any content, and have the scopes and subresources of the originals', async () => {
    const { client } = cluster();
    const namespace = await newNamespace();
    await withApiGroups(standInGroups);
    for (const [group, kinds] of Object.entries(standInKinds)) {
      for (const { kind, versions } of kinds) {
        const object = {
          apiVersion: `${group}/${versions[0]}`,
          kind,
          metadata: { namespace, name: 'any' },
          spec: { replicas: 1, any: [1] },
        };
        expect((await client.dryRunCreate(object)).body, kind).toMatchObject({ spec: { any: [1] } });
      }
    }
    const clique = {
      apiVersion: 'grove.io/v1alpha1',
      kind: 'PodClique',
      metadata: { namespace, name: 'any' },
      spec: { replicas: 3 },
    };
    succeeded(await client.create(clique));
    expect((await client.get(clique, 'scale')).body).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
  });

  test('are gone when another test wants none', async () => {
    await withApiGroups([]);
    const served = await apiGroups(cluster().client);
    expect(standInGroups.filter((group) => served.includes(group))).toEqual([]);
  });
});

describeCluster('a control plane with nodes', () => {
  test('schedules pods and lets them run, so that a Deployment becomes available', async () => {
    const controlPlane = await startControlPlane({ scheduler: true, kwok: true });
    const own = new Cluster(controlPlane.connection);
    try {
      await addNode(own.client, { name: 'gpu-node', gpus: 2 });
      const web = deployment('default', 'web');
      succeeded(await own.client.create(web));
      const available = async () =>
        succeeded(await own.client.get<{ status?: { availableReplicas?: number } }>(web)).status?.availableReplicas;
      await expect.poll(available, { timeout: 60_000, interval: 200 }).toBe(2);
    } finally {
      await own.close();
      await controlPlane.stop();
    }
  });
});

describeCluster('the end of a control plane', () => {
  const ends = [
    ['SIGKILL', 'its owner is killed'],
    ['SIGINT', 'its owner gets Ctrl-C'],
  ] as const;
  test.concurrent.for(process.env['LONG'] === undefined ? ends.slice(0, 1) : ends)(
    '%s: nothing is left when %s',
    async ([signal], { expect, onTestFinished }) => {
      const { owner, connection } = await serveInChild();
      onTestFinished(() => void owner.kill('SIGKILL'));
      expect(await whatIsLeft(connection)).toHaveLength(5);
      owner.kill(signal);
      await expect.poll(() => whatIsLeft(connection), { timeout: 20_000 }).toEqual([]);
    },
  );

  test.concurrent('nothing is left when its supervisor is killed, and the owner says so', async ({ expect, onTestFinished }) => {
    const { owner, connection, stderr } = await serveInChild();
    onTestFinished(() => void owner.kill('SIGKILL'));
    process.kill(connection.pids['supervisor'] ?? 0, 'SIGKILL');
    await once(owner, 'exit');
    expect(owner.exitCode).toBe(1);
    expect(await stderr).toContain('the supervisor of the control plane was killed');
    await expect.poll(() => whatIsLeft(connection), { timeout: 20_000 }).toEqual([]);
  });
});

describe('a machine without Go and without the programs', () => {
  test('skips the cluster tests loudly, says how to get them, and passes the rest', { timeout: 60_000 }, async () => {
    const empty = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-empty-'));
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project=cluster',
        'test/cluster/control-plane.test.ts',
        '-t',
        'says it is ready',
      ],
      { env: { PATH: empty, HOME: empty, NO_COLOR: '1' } },
    );
    const closed = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [exitCode] = (await closed) as [number];
    await rm(empty, { recursive: true });
    expect(stderr).toContain('CLUSTER TESTS SKIPPED');
    expect(stderr).toContain('not found: etcd v3.6.4, kube-apiserver v1.34.4');
    expect(stderr).toContain('install Go 1.24 or newer');
    expect(stderr).toContain('KUBEBUILDER_ASSETS');
    expect(stdout).toMatch(/Tests +\d+ skipped/);
    expect(exitCode).toBe(0);
  });
});

async function serveInChild() {
  const owner = spawn(process.execPath, ['--import', 'tsx', 'test/control-plane/serve.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = text(owner.stderr);
  const [kubeconfig] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const file = join(dirname(kubeconfig), '..', 'control-plane.json');
  const connection = JSON.parse(await readFile(file, 'utf8')) as ControlPlaneConnection;
  return { owner, connection, stderr };
}

// A process that ended but that nobody has asked about yet still has its number: `ps` calls it a zombie.
async function whatIsLeft({ pids, folder }: ControlPlaneConnection): Promise<readonly string[]> {
  const states = await promisify(execFile)('ps', ['-o', 'stat=', '-p', Object.values(pids).join(',')]).catch(() => ({
    stdout: '',
  }));
  const running = states.stdout.split('\n').filter((state) => state !== '' && !state.startsWith('Z'));
  return [...running, ...(existsSync(folder) ? [folder] : [])];
}

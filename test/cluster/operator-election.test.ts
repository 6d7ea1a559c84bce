import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../bundle-program.ts';
import { type KubernetesObject, succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import type { ConnectedUser } from '../control-plane/connection.ts';
import { grant } from '../control-plane/grants.ts';
import { renderKubeconfig } from '../control-plane/kubeconfig.ts';
import { requiredFlags, startOperator } from '../control-plane/operator.ts';
import { calls, FaultProxy } from '../runtime/fault-proxy.ts';

// The original's times in the long run; a third of them otherwise.
const scale = process.env['LONG'] === '1' ? 1 : 3;
const timing = { leaseDuration: 15_000 / scale, renewDeadline: 10_000 / scale, retryPeriod: 2_000 / scale };

interface Lease extends KubernetesObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

interface OperatorProcess {
  readonly user: ConnectedUser;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
  readonly line: (msg: string) => Promise<Readonly<Record<string, unknown>>>;
}

const rules = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] },
];

/** An operator as a process and a user of its own, which the audit log tells from others. */
async function operatorProcess(namespace: string, name: string): Promise<OperatorProcess> {
  const user = await cluster().serviceAccount(namespace, name);
  await grant(cluster().client, { username: user.username, rules });
  const flags = [
    `--kubeconfig=${user.kubeconfig}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    '--leader-elect',
    '--leader-election-id=dynamo.nvidia.com',
    `--leader-election-namespace=${namespace}`,
    ...requiredFlags,
  ];
  const child = spawn(process.execPath, [await bundleProgram('test/control-plane/operator-process.ts'), ...flags], {
    env: { ...process.env, NAMESPACE: namespace, TIMING: JSON.stringify(timing) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Readonly<Record<string, unknown>>[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stderr).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const check of waiting) check();
  });
  return {
    user,
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'exit').then(([code]) => code),
    line: (msg) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = lines.find((line) => line['msg'] === msg);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

async function lease(namespace: string): Promise<Lease> {
  const key = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name: 'dynamo.nvidia.com' } };
  return succeeded(await cluster().client.get<Lease>(key));
}

async function writesOf({ username }: ConnectedUser): Promise<readonly string[]> {
  const calls = await cluster().audit.calls({ username });
  return calls
    .filter(({ objectRef, responseStatus }) => objectRef?.resource === 'configmaps' && (responseStatus?.code ?? 500) < 300)
    .map(({ requestReceivedTimestamp }) => requestReceivedTimestamp);
}

async function untilWritten(user: ConnectedUser): Promise<void> {
  while ((await writesOf(user)).length === 0) await setTimeout(50);
}

describeCluster('leader election between processes', () => {
  test('hands over at once after a clean stop, and after a pause without both ever writing', async () => {
    const namespace = await newNamespace();
    succeeded(await cluster().client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'written' } }));
    const first = await operatorProcess(namespace, 'first');
    const { identity } = await first.line('successfully acquired lease');
    await untilWritten(first.user);
    expect((await lease(namespace)).spec).toMatchObject({
      holderIdentity: identity,
      leaseDurationSeconds: timing.leaseDuration / 1000,
      leaseTransitions: 0,
      renewTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    const second = await operatorProcess(namespace, 'second');
    await second.line('starting manager');
    expect(await writesOf(second.user)).toEqual([]);

    // A stopped process is deposed: its successor waits for the whole Lease, and it writes nothing when it wakes.
    first.kill('SIGSTOP');
    await second.line('successfully acquired lease');
    await untilWritten(second.user);
    first.kill('SIGCONT');
    expect(await first.ended).toBe(1);
    expect(await first.line('problem running manager')).toMatchObject({ logger: 'setup', error: 'leader election lost' });
    const [began = ''] = await writesOf(second.user);
    const late = (await writesOf(first.user)).filter((time) => time > began);
    // One call at a time: at most the one that was under way.
    expect(late.length).toBeLessThanOrEqual(1);

    const third = await operatorProcess(namespace, 'third');
    await third.line('starting manager');
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    await third.line('successfully acquired lease');
    const last = (await writesOf(second.user)).at(-1) ?? '';
    await untilWritten(third.user);
    const [next = ''] = await writesOf(third.user);
    expect(next > last).toBe(true);
    expect((await lease(namespace)).spec).toMatchObject({ leaseTransitions: 2 });

    const events = succeeded(
      await cluster().client.list<KubernetesObject & { readonly reason: string; readonly message: string }>({
        apiVersion: 'v1',
        kind: 'Event',
        namespace,
      }),
    );
    const told = events.items
      .filter(({ reason }) => reason === 'LeaderElection')
      .map(({ message }) => message.replace(/^\S+ /, ''));
    expect(told.sort()).toEqual(['became leader', 'became leader', 'became leader', 'stopped leading']);
  });

  test('ends with 1 when another takes the Lease', async () => {
    const namespace = await newNamespace();
    const operator = await startOperator({
      namespace,
      args: ['--leader-elect', '--leader-election-id=id'],
      place: { electionTiming: { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 100 } },
    });
    await operator.line(({ msg }) => msg === 'successfully acquired lease');
    const key = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name: 'id' } };
    succeeded(await cluster().client.merge(key, { spec: { holderIdentity: 'somebody else' } }));
    expect(await operator.ended).toBe(1);
    expect(operator.lines.at(-1)).toMatchObject({
      logger: 'setup',
      msg: 'problem running manager',
      error: 'leader election lost',
    });
  });

  test('keeps the scope Lease while it runs and deletes it at a clean stop, before it gives leadership up', async () => {
    const namespace = await newNamespace();
    const args = [
      `--restrictedNamespace=${namespace}`,
      '--operator-version=v1.0.0',
      '--leader-elect',
      '--leader-election-id=id',
      '--namespace-scope-lease-duration=3s',
      '--namespace-scope-lease-renew-interval=200ms',
    ];
    const operator = await startOperator({ namespace, args });
    await operator.line(({ msg }) => msg === 'successfully acquired lease');
    const scope = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name: 'dynamo-operator-namespace-scope' },
    };
    const renewals = new Set<unknown>();
    while (renewals.size < 3) renewals.add((await cluster().client.get<Lease>(scope)).body.spec?.['renewTime']);
    expect((await cluster().client.get<Lease>(scope)).body.spec).toMatchObject({
      holderIdentity: 'namespace-restricted-operator-v1.0.0',
      leaseDurationSeconds: 3,
    });
    expect(await operator.stop()).toBe(0);
    expect((await cluster().client.get(scope)).status).toBe(404);
    const leader = await cluster().client.get<Lease>({ ...scope, metadata: { namespace, name: 'id' } });
    expect(leader.body.spec).toMatchObject({ holderIdentity: '' });
  });

  test('ends with 1 at once when a second signal comes while it stops', async () => {
    const namespace = await newNamespace();
    const { server, ca, folder } = cluster().connection;
    const proxy = await FaultProxy.start({ server, ca });
    onTestFinished(() => proxy.stop());
    const path = await mkdtemp(join(folder, 'operator-'));
    const token = cluster().user('admin').token;
    await writeFile(
      join(path, 'kubeconfig'),
      renderKubeconfig({ server: proxy.url, ca, tokens: { admin: token }, currentUser: 'admin' }),
    );
    const flags = [
      `--kubeconfig=${join(path, 'kubeconfig')}`,
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      `--restrictedNamespace=${namespace}`,
      ...requiredFlags,
    ];
    const child = spawn(process.execPath, [await bundleProgram('lib/cli/manager.ts'), ...flags], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await proxy.until(() => proxy.requests.some(calls('POST', '/leases')));
    // It holds the Lease of its namespace now; giving that back takes for ever.
    const release = calls('DELETE', '/leases');
    proxy.inject(release, { until: new Promise(() => {}) });
    child.kill('SIGINT');
    await proxy.until(() => proxy.requests.some(release));
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
  });

  test('ends with 1 when a controller fails', async () => {
    const namespace = await newNamespace();
    const operator = await startOperator({
      namespace,
      controllers: [{ name: 'Broken', start: () => Promise.reject(new Error('no luck')) }],
    });
    expect(await operator.ended).toBe(1);
    expect(operator.lines.at(-1)).toMatchObject({ msg: 'problem running manager', error: 'controller Broken ended: no luck' });
  });
});

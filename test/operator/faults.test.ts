/** The operator under disturbance: whatever breaks between it and the API server, a graph ends as it would have ended undisturbed, and nothing happens twice. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { startOperator } from '../control-plane/operator.ts';
import type { SeenRequest } from '../runtime/fault-proxy.ts';
import { testActors } from './concurrent-actors.ts';
import { disturbances, mixture, times, type Disturbance } from './disturbances.ts';
import {
  createdTwice,
  isChange,
  isWrite,
  Launcher,
  makeNamespace,
  openWay,
  type OperatorProcess,
  type Way,
} from './fault-rig.ts';
import { graphIn, leftIn, playDeployments, steps, take, toldIn, until } from './graph-life.ts';
import { hurriedClock } from './hurried-clock.ts';
import { canRunOperator, openOperatorCluster, operatorFlags, writesUntilQuiet, type OwnedCluster } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;
const patienceMs = 60_000;
const disturbed = isLong ? 1000 : 60;
const isWatch = ({ isWatch: yes }: SeenRequest): boolean => yes;

let owned: OwnedCluster;
let launcher: Launcher;
const playing = new AbortController();
/** How a graph ends, and what is told on its way, when nobody disturbs. */
let undisturbed: { readonly left: Readonly<Record<string, Json>>; readonly told: readonly string[] } | undefined;

/** Waits until a namespace is as an undisturbed one, or says how it is not. */
async function converged(namespace: string): Promise<void> {
  const { client } = owned.cluster;
  const expected = JSON.stringify(undisturbed?.left);
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await setTimeout(100))
    if (JSON.stringify(await leftIn(client, namespace)) === expected) return;
  expect(await leftIn(client, namespace)).toEqual(undisturbed?.left);
}

/** What was told more often than it would have been, or would not have been told at all. */
async function toldTooOften(namespace: string): Promise<readonly string[]> {
  const left = [...(undisturbed?.told ?? [])];
  return (await toldIn(owned.cluster.client, namespace)).filter((event) => {
    const found = left.indexOf(event);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
}

/** What was not told although it happened. */
async function untold(namespace: string): Promise<readonly string[]> {
  const told = await toldIn(owned.cluster.client, namespace);
  return (undisturbed?.told ?? []).filter((event) => !told.includes(event));
}

async function newWay(): Promise<Way> {
  const { cluster } = owned;
  const way = await openWay({ connection: cluster.connection, user: (name) => cluster.user(name) });
  onTestFinished(way.close);
  return way;
}

/** Lives a graph's life in a new namespace, with an operator that something is done to, and looks at what came of it. */
async function live(namespace: string, disturb: (step: () => Promise<void>) => Promise<void>): Promise<void> {
  const { cluster } = owned;
  await makeNamespace(cluster, namespace);
  const since = await cluster.audit.now();
  await disturb(async () => {
    for (const step of steps) await take(step, cluster.client, namespace);
    // Children of the component that was taken away go a little later than it.
    const isGone = async (): Promise<boolean> =>
      Object.keys(await leftIn(cluster.client, namespace)).every((name) => !name.includes('g-prefill'));
    await until(isGone, 'what belonged to the service is gone');
    if (undisturbed !== undefined) await converged(namespace);
  });
  const { username } = cluster.user('operator');
  const calls = await cluster.audit.calls({ username, since, namespace });
  expect(createdTwice(calls)).toEqual([]);
  if (undisturbed !== undefined) expect(await toldTooOften(namespace)).toEqual([]);
}

async function liveBehindProxy(namespace: string, { begin }: Disturbance, hurry = times): Promise<void> {
  await live(namespace, async (life) => {
    const { proxy, kubeconfig } = await newWay();
    const place = { clock: hurriedClock(hurry) };
    const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers, place });
    await operator.line(({ msg }) => msg === 'Starting Controller');
    const ended = begin(proxy, owned);
    await life();
    await ended();
    proxy.heal();
    expect(await operator.stop()).toBe(0);
  });
}

/** Keeps an operator running that dies at every so-many-th write, before it knows the answer. */
function keepAlive(
  { proxy, kubeconfig }: Way,
  isFatal: (writes: number) => boolean,
): { readonly deaths: () => number; readonly end: () => Promise<void> } {
  let operator: OperatorProcess | undefined;
  const over = new AbortController();
  let writes = 0;
  let deaths = 0;
  proxy.onAnswer((request) => {
    if (!isWrite(request) || over.signal.aborted) return;
    writes += 1;
    if (isFatal(writes)) operator?.child.kill('SIGKILL');
  });
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      operator = launcher.start(kubeconfig);
      await operator.ended;
      deaths += 1;
    }
  };
  const running = run();
  return {
    deaths: () => deaths,
    end: async () => {
      over.abort();
      operator?.child.kill('SIGTERM');
      await running;
    },
  };
}

// Long runs only, until its sample fits into an ordinary one.
describe.skipIf(!isLong || !canRunOperator())('a disturbed operator', () => {
  beforeAll(async () => {
    [owned, launcher] = await Promise.all([openOperatorCluster({ withoutControllers: ['deployment'] }), Launcher.prepare()]);
    void playDeployments(owned.cluster.client, playing.signal);
  });
  afterAll(async () => {
    playing.abort();
    await owned?.stop();
    await launcher?.close();
  });

  test('is compared with one that nobody disturbs', async () => {
    const { client } = owned.cluster;
    await liveBehindProxy('undisturbed', { name: '', begin: () => () => Promise.resolve() }, 1);
    undisturbed = { left: await leftIn(client, 'undisturbed'), told: await toldIn(client, 'undisturbed') };
    expect(Object.keys(undisturbed.left)).toContain('Deployment/g-decode');
  });

  test.each(isLong ? disturbances : [mixture])('brings a graph where it belongs, once, while $name', async (disturbance) => {
    const namespace = `d-${disturbance.name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}`.slice(0, 60);
    await liveBehindProxy(namespace, disturbance);
    process.stderr.write(`${namespace}: not told: ${JSON.stringify(await untold(namespace))}\n`);
  });

  test('brings a graph where it belongs although it is killed at every write', async () => {
    const way = await newWay();
    const last = isLong ? Infinity : 4;
    await live('killed', async (life) => {
      const kept = keepAlive(way, (writes) => writes <= last);
      await life();
      await kept.end();
      process.stderr.write(`killed ${kept.deaths()} times\n`);
      expect(kept.deaths()).toBeGreaterThan(2);
    });
    process.stderr.write(`killed: not told: ${JSON.stringify(await untold('killed'))}\n`);
  });

  test('lets a graph go although it is killed at every write', async () => {
    const { client } = owned.cluster;
    const way = await newWay();
    const kept = keepAlive(way, () => true);
    succeeded(await client.delete(graphIn('killed')));
    await until(async () => (await client.get(graphIn('killed'))).status === 404, 'the graph is gone');
    await until(
      async () => Object.keys(await leftIn(client, 'killed')).every((name) => !/\/g(-|$)/.test(name)),
      'its children are gone',
    );
    await kept.end();
  });

  test(`holds no more after ${disturbed} disturbances than before`, async () => {
    const { client } = owned.cluster;
    const { proxy, kubeconfig } = await newWay();
    const operator = launcher.start(kubeconfig, [], { TIMES: String(times) });
    onTestFinished(() => void operator.child.kill('SIGKILL'));
    await operator.says('Starting Controller');
    const namespace = await makeNamespace(owned.cluster, 'leak');
    const [create] = steps;
    if (create !== undefined) await take(create, client, namespace);
    const watches = proxy.open(isWatch);
    const disturb = async (round: number): Promise<number> => {
      const cut = round % 2 === 0 ? proxy.cut(isWatch) : proxy.say(isWatch, '{"type":"ERROR","object":{"code":410}}\n');
      proxy.inject(isChange, { answer: 500 });
      proxy.inject(isChange, { drop: 'answer' });
      const envs = [{ name: 'ROUND', value: String(round) }];
      succeeded(await client.merge(graphIn(namespace), { spec: { services: { Frontend: { envs } } } }));
      await proxy.until(() => proxy.open(isWatch) >= watches);
      return cut + 2;
    };
    for (let round = 0; round < 2; round += 1) await disturb(round);
    const before = await operator.measure();
    for (let done = 0, round = 2; done < disturbed; round += 1) done += await disturb(round);
    const after = await operator.measure();
    process.stderr.write(`held before ${disturbed} disturbances ${JSON.stringify(before)}, after ${JSON.stringify(after)}\n`);
    // The pool for calls may hold up to sixteen connections, whatever happened.
    expect(after.sockets).toBeLessThanOrEqual(before.sockets + 16);
    expect(after.timers).toBeLessThanOrEqual(before.timers + 40);
    expect(after.heap).toBeLessThan(before.heap + 10 * 2 ** 20);
  });

  test.runIf(isLong)('brings a graph where it belongs although two replicas are killed and paused in turns', async () => {
    const timing = JSON.stringify({ leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 300 });
    const flags = ['--leader-elect', '--leader-election-id=id', '--leader-election-namespace=dynamo-system'];
    await live('replicas', async (life) => {
      const over = new AbortController();
      let changes = 0;
      let deposed = 0;
      const replica = async (): Promise<void> => {
        const { proxy, kubeconfig } = await newWay();
        let running: OperatorProcess | undefined;
        proxy.onAnswer((request) => {
          if (!isChange(request) || over.signal.aborted) return;
          changes += 1;
          if (changes % 7 !== 0) return;
          deposed += 1;
          const process = running?.child;
          if (deposed % 2 === 0) process?.kill('SIGKILL');
          else {
            process?.kill('SIGSTOP');
            void setTimeout(6_000).then(() => process?.kill('SIGCONT'));
          }
        });
        while (!over.signal.aborted) {
          running = launcher.start(kubeconfig, flags, { TIMING: timing });
          ending.push(() => running?.child.kill('SIGTERM'));
          await running.ended;
        }
      };
      const ending: (() => unknown)[] = [];
      const replicas = [replica(), replica()];
      await life();
      over.abort();
      for (const end of ending) end();
      await Promise.all(replicas);
      process.stderr.write(`replicas were deposed ${deposed} times\n`);
      expect(deposed).toBeGreaterThan(1);
    });
  });

  testActors(() => owned);

  test('leaves nothing for a successor to do', async () => {
    const { cluster } = owned;
    const since = await cluster.audit.now();
    const { kubeconfig } = cluster.user('operator');
    await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
    expect((await writesUntilQuiet(cluster, since, isLong ? 8000 : 3000)).map(describeCall)).toEqual([]);
  });
});

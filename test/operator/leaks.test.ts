/** What an operator holds: after a thousand disturbances no more sockets, timers and memory than before. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { succeeded } from '../control-plane/client.ts';
import type { SeenRequest } from '../runtime/fault-proxy.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { times as hurry } from './disturbances.ts';
import { isChange, Launcher, makeNamespace, type Held } from './fault-rig.ts';
import { graphIn, steps, take } from './graph-life.ts';
import { canRunOperator } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;
const disturbances = 1000;
const warmUp = 300;
const isWatch = ({ isWatch: yes }: SeenRequest): boolean => yes;

describe.skipIf(!isLong || !canRunOperator())('a disturbed operator', () => {
  let disturbed: DisturbedCluster;
  let launcher: Launcher;
  beforeAll(async () => {
    [disturbed, launcher] = await Promise.all([DisturbedCluster.open(), Launcher.prepare()]);
  });
  afterAll(async () => {
    await disturbed?.close();
    await launcher?.close();
  });

  test(`holds no more after ${disturbances} disturbances than before`, async () => {
    const { client } = disturbed.cluster;
    const { proxy, kubeconfig } = await disturbed.newWay();
    const operator = launcher.start(kubeconfig, [], { TIMES: String(hurry) });
    onTestFinished(() => void operator.child.kill('SIGKILL'));
    await operator.says('Starting Controller');
    const namespace = await makeNamespace(disturbed.cluster, 'leak');
    const [create] = steps;
    if (create !== undefined) await take(create, client, namespace);
    const watches = proxy.open(isWatch);
    const opened = (): number => proxy.requests.filter(isWatch).length;
    const disturb = async (round: number): Promise<number> => {
      const before = opened();
      const cut = round % 2 === 0 ? proxy.cut(isWatch) : proxy.say(isWatch, '{"type":"ERROR","object":{"code":410}}\n');
      proxy.inject(isChange, { answer: 500 });
      proxy.inject(isChange, { drop: 'answer' });
      const envs = [{ name: 'ROUND', value: String(round) }];
      succeeded(await client.merge(graphIn(namespace), { spec: { services: { Frontend: { envs } } } }));
      await proxy.until(() => opened() >= before + cut && proxy.open(isWatch) >= watches);
      // What was injected may come late, and is not counted.
      return cut;
    };
    let round = 0;
    const disturbTimes = async (times: number): Promise<Held> => {
      for (let done = 0; done < times; round += 1) done += await disturb(round);
      return operator.measure();
    };
    // What is made once, such as compiled code and the pool of connections, is there after the first few.
    const before = await disturbTimes(warmUp);
    const halfway = await disturbTimes(disturbances / 2);
    const after = await disturbTimes(disturbances / 2);
    process.stderr.write(
      `held before, halfway and after: ${[before, halfway, after].map((held) => JSON.stringify(held)).join(', ')}\n`,
    );
    // The pool for calls may hold up to sixteen connections, whatever happened.
    expect(after.sockets).toBeLessThanOrEqual(before.sockets + 16);
    expect(after.timers).toBeLessThanOrEqual(before.timers + 16);
    expect(after.heap).toBeLessThan(before.heap + 3 * 2 ** 20);
  });
});

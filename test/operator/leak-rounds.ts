/** Disturbs an operator again and again and compares what it holds before and after: sockets, timers and memory. */
import { expect, onTestFinished } from 'vitest';
import { succeeded } from '../control-plane/client.ts';
import type { SeenRequest } from '../runtime/fault-proxy.ts';
import type { DisturbedCluster } from './disturbed-cluster.ts';
import { times as hurry } from './disturbances.ts';
import { isChange, makeNamespace, type Held, type Launcher } from './fault-rig.ts';
import { graphIn, steps, take } from './graph-life.ts';

/** How often to disturb. */
interface Rounds {
  /** Disturbances before the first measurement: what is made once, such as compiled code and the pool of connections, is there then. */
  readonly warmUp: number;
  readonly disturbances: number;
}

const isWatch = ({ isWatch: yes }: SeenRequest): boolean => yes;

/** Fails if the operator holds more after the disturbances than before. */
export async function expectNoLeak(
  disturbed: DisturbedCluster,
  launcher: Launcher,
  { warmUp, disturbances }: Rounds,
): Promise<void> {
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
}

/** Disturbs an operator again and again and compares what it holds before and after: sockets, timers, functions and memory. */
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { succeeded } from '../control-plane/client.ts';
import type { Fault, FaultProxy, SeenRequest } from '../runtime/fault-proxy.ts';
import type { DisturbedCluster } from './disturbed-cluster.ts';
import { expired, isWatch, times as hurry } from './disturbances.ts';
import { isChange, makeNamespace, type Held, type Launcher } from './fault-rig.ts';
import { graphIn, steps, take, until } from './graph-life.ts';

/** How often to disturb in each way. */
interface Turns {
  /** Turns before the first measurement: what is made once, such as compiled code and the pool of connections, is there then. */
  readonly warmUp: number;
  readonly turns: number;
}

/** Disturbs once; what is returned resolves when that has happened, and streams are open again. */
type Disturb = (proxy: FaultProxy) => () => Promise<void>;

/** Breaks the next change, or another call. */
const changeMeets =
  (fault: Fault, matches = isChange): Disturb =>
  (proxy) => {
    let isHit = false;
    proxy.inject((seen) => matches(seen) && (isHit = true), fault);
    return () => proxy.until(() => isHit);
  };

/** Does something to all streams that ends them. */
const streams =
  (act: (proxy: FaultProxy, matches: (seen: SeenRequest) => boolean) => number): Disturb =>
  (proxy) => {
    const opened = (): number => proxy.requests.filter(isWatch).length;
    const before = opened();
    const ended = act(proxy, isWatch);
    expect(ended, 'streams to disturb').toBeGreaterThan(0);
    return () => proxy.until(() => opened() >= before + ended);
  };

/** The pool for calls may hold up to sixteen connections, whatever happened. */
const slack = 16;

/** How long nothing comes from an operator that has nothing to do. */
const quietMs = 500;

const silence: Disturb = (proxy) => {
  const resume = proxy.pause();
  const over = setTimeout(100).then(resume);
  return () => over;
};

const isListing = ({ query }: SeenRequest): boolean => query.get('sendInitialEvents') === 'true';

/** Faults of calls; each happens once a turn. */
const callFaults: Readonly<Record<string, Disturb>> = {
  // No round waits for this Deployment, nor do the next ones.
  'half-open calls': changeMeets({ freezeAfter: 50 }, (seen) => isChange(seen) && seen.path.endsWith('/deployments/g-decode')),
  'lost answers': changeMeets({ drop: 'answer' }),
  conflicts: changeMeets({ answer: 409, reason: 'Conflict' }),
  'too many requests': changeMeets({ answer: 429, reason: 'TooManyRequests', retryAfter: 1 }),
  failures: changeMeets({ answer: 500 }),
  'slow bodies': changeMeets({ pieces: 64, pauseMs: 2 }),
  'lost requests': changeMeets({ drop: 'request' }),
  'refused tokens': changeMeets({ answer: 401 }),
  silence,
  'broken answers': changeMeets({ cutAfter: 50 }),
};

/** Faults of streams; one of them happens a turn, so that streams live long enough in between to be opened again without a long wait. */
const streamFaults: readonly (readonly [name: string, disturb: Disturb])[] = [
  ['cut streams', streams((proxy, matches) => proxy.cut(matches))],
  [
    'half-open lists',
    streams((proxy, matches) => {
      const ended = proxy.say(matches, expired);
      proxy.inject(isListing, { freezeAfter: 0 }, ended);
      return ended;
    }),
  ],
  ['ended streams', streams((proxy, matches) => proxy.end(matches))],
  ['old versions', streams((proxy, matches) => proxy.say(matches, expired))],
];

/** How many disturbances a turn is. */
export const perTurn = Object.keys(callFaults).length + 1;

/** The operator waits longer and longer for these to end, so they are rare. */
const halfOpenStreams = streams((proxy, matches) => proxy.freeze(matches));
const rareEvery = 30;

/** Fails if the operator holds more after the disturbances than before. */
export async function expectNoLeak(disturbed: DisturbedCluster, launcher: Launcher, { warmUp, turns }: Turns): Promise<void> {
  const { client } = disturbed.cluster;
  const { proxy, kubeconfig } = await disturbed.newWay();
  const operator = launcher.start(kubeconfig, [], { TIMES: String(hurry) });
  onTestFinished(() => void operator.child.kill('SIGKILL'));
  await operator.says('Starting Controller');
  const namespace = await makeNamespace(disturbed.cluster, 'leak');
  const [create] = steps;
  if (create !== undefined) await take(create, client, namespace);
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'g-frontend', namespace } };
  const watches = proxy.open(isWatch);
  let round = 0;
  const disturb = async (name: string, begin: Disturb): Promise<void> => {
    round += 1;
    const happened = begin(proxy);
    const envs = [{ name: 'ROUND', value: `r${round}` }];
    succeeded(await client.merge(graphIn(namespace), { spec: { services: { Frontend: { envs }, decode: { envs } } } }));
    await happened();
    await until(
      async () => JSON.stringify(succeeded(await client.get(deployment))).includes(`"r${round}"`),
      `${name} in round ${round}: the change has come to its Deployment`,
    );
    await proxy.until(() => proxy.open(isWatch) >= watches);
    proxy.heal();
  };
  /** Waits until nothing has come for a while: what is under way holds something. */
  const calm = async (): Promise<void> => {
    for (let seen = -1; seen < proxy.requests.length || proxy.underWay > 0; await setTimeout(quietMs))
      seen = proxy.requests.length;
  };
  const takeTurns = async (turns: number): Promise<Held> => {
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn % rareEvery === rareEvery - 1) await disturb('half-open streams', halfOpenStreams);
      const ofStreams = streamFaults.filter((_, index) => index === turn % streamFaults.length);
      for (const [name, begin] of [...Object.entries(callFaults), ...ofStreams]) await disturb(name, begin);
    }
    await calm();
    return operator.measure();
  };
  const before = await takeTurns(warmUp);
  const halfway = await takeTurns(turns / 2);
  const after = await takeTurns(turns / 2);
  process.stderr.write(
    `held before, halfway and after: ${[before, halfway, after].map((held) => JSON.stringify(held)).join(', ')}\n`,
  );
  for (const held of ['sockets', 'timers', 'listeners'] as const)
    expect(after[held], held).toBeLessThanOrEqual(before[held] + slack);
  expect(after.heap, 'heap').toBeLessThan(before.heap + 2 * 2 ** 20);
}

/** Faults between an operator and its API server; each is caused by a proxy during the life cycle of a graph. */
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import type { FaultProxy, SeenRequest } from '../runtime/fault-proxy.ts';
import { isChange, isEvent } from './fault-rig.ts';
import type { OwnedCluster } from './operator-cluster.ts';

/** By how much the clock of a disturbed operator is hurried: back-off of minutes takes seconds. */
export const times = 20;

/** One way to disturb. */
export interface Disturbance {
  readonly name: string;
  /** Whether something may go untold: an update whose answer is lost, or an event that is tried too often. */
  readonly losesEvents?: true;
  /** Whether an API server starts, which for a moment forbids what it will grant; the operator says that it was refused. */
  readonly restarts?: true;
  /** Whether writes are refused for good, or fail inside the API server for ten seconds of the operator's clock, and the operator says so. */
  readonly refuses?: true;
  /**
   * By how much the operator's clock is hurried; its patience with a call, 30 seconds, is shortened as well.
   * @default times
   */
  readonly hurry?: number;
  /** Begins it; what is returned resolves when everything it started has ended, with how often it disturbed. */
  readonly begin: (proxy: FaultProxy, owned: OwnedCluster) => () => Promise<number>;
}

/** Nothing passes for so many milliseconds. */
async function silence(proxy: FaultProxy, milliseconds: number): Promise<void> {
  const resume = proxy.pause();
  await setTimeout(milliseconds);
  resume();
}

/** An API server that has just started makes a list wait for three seconds until it is sure that its cache is fresh. */
const patient = 4;

/** Whether a request opens a stream. */
export const isWatch = ({ isWatch: yes }: SeenRequest): boolean => yes;
const isCall = (seen: SeenRequest): boolean => !isWatch(seen);

const isOf =
  (part: string) =>
  ({ path }: SeenRequest): boolean =>
    path.includes(part);

/** Cuts every so-many-th line of a stream short. */
function shortened(count: number): (line: string) => readonly string[] {
  let lines = 0;
  return (line) => {
    lines += 1;
    return [lines % count === 0 ? line.slice(0, line.length / 2) : line];
  };
}

/** Every so-many-th of the requests that match. */
function every(count: number, matches: (seen: SeenRequest) => boolean): (seen: SeenRequest) => boolean {
  let seen = 0;
  return (one) => {
    if (!matches(one)) return false;
    seen += 1;
    return seen % count === 0;
  };
}

/** Does something whenever so many changes have been answered, unless it is still being done. */
function afterEvery(count: number, act: (proxy: FaultProxy, owned: OwnedCluster) => unknown): Disturbance['begin'] {
  return (proxy, owned) => {
    const isDue = every(count, isChange);
    let times = 0;
    let isBusy = false;
    const runs: Promise<void>[] = [];
    const run = async (): Promise<void> => {
      isBusy = true;
      await act(proxy, owned);
      isBusy = false;
      times += 1;
    };
    proxy.onAnswer((seen) => {
      if (isDue(seen) && !isBusy) runs.push(run());
    });
    return async () => {
      await Promise.all(runs);
      return times;
    };
  };
}

/** Answers, or breaks, every so-many-th request that matches. */
function faulty(
  matches: (seen: SeenRequest) => boolean,
  fault: Parameters<FaultProxy['inject']>[1],
  count = 2,
): Disturbance['begin'] {
  return (proxy) => {
    let times = 0;
    const isDue = every(count, matches);
    const isHit = (seen: SeenRequest): boolean => {
      if (!isDue(seen)) return false;
      times += 1;
      return true;
    };
    proxy.inject(isHit, fault, Infinity);
    return () => Promise.resolve(times);
  };
}

/** Breaks every stream, after those that are open already have been cut. */
function onNewStreams(fault: Parameters<FaultProxy['inject']>[1]): Disturbance['begin'] {
  const begin = faulty(isWatch, fault, 1);
  return (proxy, owned) => {
    const ended = begin(proxy, owned);
    proxy.cut(isWatch);
    return ended;
  };
}

const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
/** How a stream says that its version is too old. */
export const expired = `${JSON.stringify({ type: 'ERROR', object: gone })}\n`;

/** All of them. */
export const disturbances: readonly Disturbance[] = [
  { name: 'streams are cut', begin: afterEvery(2, (proxy) => proxy.cut(isWatch)) },
  { name: 'streams end in good order', begin: afterEvery(2, (proxy) => proxy.end(isWatch)) },
  { name: 'streams go silent without closing', begin: afterEvery(9, (proxy) => proxy.freeze(isWatch)) },
  { name: 'calls are never answered', losesEvents: true, begin: faulty(isChange, { until: new Promise(() => {}) }, 5) },
  {
    name: 'versions are too old, told in streams and at their begin',
    begin: afterEvery(3, (proxy) => {
      proxy.say(isWatch, expired);
      proxy.inject(isWatch, { answer: 410, reason: 'Expired' }, 5);
    }),
  },
  { name: 'writes are conflicts', begin: faulty(isChange, { answer: 409, reason: 'Conflict' }) },
  { name: 'writes are too many', begin: faulty(isChange, { answer: 429, reason: 'TooManyRequests', retryAfter: 1 }) },
  {
    name: 'the server fails in bursts',
    losesEvents: true,
    refuses: true,
    begin: afterEvery(4, (proxy) => proxy.inject(isCall, { answer: 500 }, 12)),
  },
  { name: 'the server fails for events', hurry: patient, begin: faulty(isEvent, { answer: 500 }) },
  { name: 'the server asks for no patience at all', begin: faulty(isChange, { answer: 429, retryAfter: 0 }) },
  { name: 'the server asks for a day of patience', begin: faulty(isChange, { answer: 429, retryAfter: 86_400 }, 9) },
  {
    name: 'the token is not accepted for a while',
    begin: afterEvery(6, (proxy) => proxy.inject(() => true, { answer: 401 }, 12)),
  },
  {
    name: 'one kind is forbidden for a while',
    refuses: true,
    begin: afterEvery(6, (proxy) => proxy.inject(isOf('/deployments'), { answer: 403, reason: 'Forbidden' }, 4)),
  },
  {
    name: 'one group is not served for a while',
    refuses: true,
    begin: afterEvery(8, (proxy) => {
      proxy.cut(isOf('/apis/nvidia.com/'));
      proxy.inject(isOf('/apis/nvidia.com/'), { page: 404 }, 12);
    }),
  },
  {
    name: 'writes are too large',
    refuses: true,
    begin: faulty(isChange, { answer: 413, reason: 'RequestEntityTooLarge' }, 7),
  },
  { name: 'writes are invalid', refuses: true, begin: faulty(isChange, { answer: 422, reason: 'Invalid' }, 7) },
  {
    name: 'a proxy answers with its own page',
    losesEvents: true,
    begin: afterEvery(4, (proxy) => proxy.inject(() => true, { page: 200 }, 8)),
  },
  { name: 'events of streams come twice', begin: onNewStreams({ lines: (line) => [line, line] }) },
  { name: 'events of streams are cut short', begin: onNewStreams({ lines: shortened(4) }) },
  { name: 'requests are lost', begin: faulty(isChange, { drop: 'request' }) },
  { name: 'answers are lost', losesEvents: true, begin: faulty(isChange, { drop: 'answer' }) },
  { name: 'answers break off', losesEvents: true, begin: faulty(isCall, { cutAfter: 50 }, 3) },
  { name: 'bodies come in small pieces', begin: faulty(() => true, { pieces: 7 }, 1) },
  { name: 'bodies are slow', losesEvents: true, begin: faulty(() => true, { pieces: 256, pauseMs: 5 }, 1) },
  {
    name: 'nothing passes for 30 seconds',
    losesEvents: true,
    begin: afterEvery(8, (proxy) => silence(proxy, 30_000 / times)),
  },
  {
    name: 'nothing passes for 30 real seconds',
    losesEvents: true,
    hurry: 1,
    begin: afterEvery(20, (proxy) => silence(proxy, 30_000)),
  },
  {
    name: 'the API server is restarted',
    losesEvents: true,
    restarts: true,
    hurry: patient,
    begin: afterEvery(12, (_, { plane }) => plane.restartApiServer()),
  },
  {
    name: 'etcd is compacted, and the API server restarted on it',
    losesEvents: true,
    restarts: true,
    hurry: patient,
    begin: afterEvery(16, async (_, { plane }) => {
      await compact(plane.connection.etcd);
      await plane.restartApiServer();
    }),
  },
];

/** A sample of all that needs no other process, one after the other; each must happen. */
export const mixture: Disturbance = {
  name: 'all of it takes turns',
  losesEvents: true,
  // The ten seconds are half a second here.
  refuses: true,
  begin: (proxy) => {
    const hits = new Map<string, number>();
    const hit = (name: string): true => {
      hits.set(name, (hits.get(name) ?? 0) + 1);
      return true;
    };
    const shorten = shortened(9);
    const lines = (line: string): readonly string[] => {
      const changed = shorten(line);
      if (changed[0] !== line) hit('short lines');
      return changed;
    };
    const injected = [
      ['lost answers', every(5, isChange), { drop: 'answer' }, 2],
      ['conflicts', every(4, isChange), { answer: 409, reason: 'Conflict' }, 2],
      ['too many requests', every(4, isChange), { answer: 429, retryAfter: 1 }, 2],
      ['failures', every(3, isChange), { answer: 500 }, 2],
      ['refused tokens', every(3, isChange), { answer: 401 }, 2],
      ['pages', every(3, isChange), { page: 200 }, 2],
      ['slow bodies', every(9, isCall), { pieces: 256, pauseMs: 1 }, Infinity],
    ] as const;
    for (const [name, matches, fault, most] of injected) proxy.inject((seen) => matches(seen) && hit(name), fault, most);
    proxy.inject(isWatch, { lines }, Infinity);
    const turns: readonly (readonly [name: string, act: () => number])[] = [
      ['half-open streams', () => proxy.freeze(isWatch)],
      ['cut streams', () => proxy.cut(isWatch)],
      ['old versions', () => proxy.say(isWatch, expired)],
      ['ended streams', () => proxy.end(isWatch)],
      [
        'silence',
        () => {
          void silence(proxy, 30_000 / times);
          return 1;
        },
      ],
    ];
    const isDue = every(7, isChange);
    let turn = 0;
    proxy.onAnswer((seen) => {
      const [name, act] = turns[turn] ?? [];
      if (name === undefined || act === undefined || !isDue(seen) || act() === 0) return;
      hit(name);
      turn += 1;
    });
    return () => {
      const missed = ['short lines', ...injected.map(([name]) => name), ...turns.map(([name]) => name)].filter(
        (name) => !hits.has(name),
      );
      if (missed.length > 0) return Promise.reject(new Error(`never happened: ${missed.join(', ')}`));
      return Promise.resolve([...hits.values()].reduce((sum, times) => sum + times));
    };
  },
};

/** Makes etcd forget all versions but the newest. */
async function compact(etcd: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ readonly header?: { readonly revision?: string } }> => {
    const answer = await request(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`etcd answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  // A write of our own first: etcd refuses to compact the same version twice.
  const key = Buffer.from('/compacted').toString('base64');
  const { header } = await ask('put', { key, value: key });
  await ask('compaction', { revision: header?.revision ?? '0', physical: true });
}

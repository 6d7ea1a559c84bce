import { expect, test } from 'vitest';
import { Election, NotLeadingError } from '../../lib/runtime/leader-election.ts';
import { leaseStore, microTime } from '../../lib/runtime/lease-store.ts';
import { noLog } from '../../lib/runtime/logger.ts';
import { answeringClient } from './answering-client.ts';
import { LeaseServer } from './lease-server.ts';
import { ManualClock, settle } from './manual-clock.ts';

const never = new AbortController().signal;

function candidate(server: LeaseServer, clock: ManualClock, identity: string): Election {
  return new Election({ store: server.store, identity, clock, random: () => 0, log: noLog });
}

async function leader(): Promise<{ readonly clock: ManualClock; readonly server: LeaseServer; readonly election: Election }> {
  const clock = new ManualClock();
  const server = new LeaseServer(clock);
  const election = candidate(server, clock, 'one');
  await election.acquire(never);
  return { clock, server, election };
}

test('creates the Lease with the fields and times client-go writes', async () => {
  const { server, election } = await leader();
  expect(election.isLeading).toBe(true);
  expect(server.lease?.spec).toEqual({
    holderIdentity: 'one',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
    leaseTransitions: 0,
  });
});

test('renews every two seconds and keeps what others wrote into the Lease', async () => {
  const { clock, server, election } = await leader();
  const held = new AbortController();
  const hold = election.hold(held.signal);
  await clock.advance(4_000);
  expect(server.lease?.spec).toMatchObject({ acquireTime: microTime(new Date(clock.start)), renewTime: microTime(clock.date()) });
  await clock.advance(60_000);
  expect(election.isLeading).toBe(true);
  held.abort();
  await hold;
});

test('waits for a Lease of another to stand still for its whole duration, whatever its times say', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer(clock, {
    holderIdentity: 'two',
    leaseDurationSeconds: 15,
    renewTime: '2001-01-01T00:00:00.000000Z',
    leaseTransitions: 4,
  });
  const election = candidate(server, clock, 'one');
  const acquired = election.acquire(never);
  await clock.advance(10_000);
  server.put({ ...server.lease?.spec, renewTime: '2001-01-01T00:00:01.000000Z' });
  await clock.advance(14_000);
  expect(election.isLeading).toBe(false);
  await clock.advance(4_000);
  await acquired;
  expect(election.isLeading).toBe(true);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 5 });
});

test('takes a released Lease at once', async () => {
  const { clock, server, election } = await leader();
  await clock.advance(1_000);
  await election.release();
  expect(election.isLeading).toBe(false);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
  const successor = candidate(server, clock, 'two');
  await successor.acquire(never);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
});

test.each(['fails', 'hangs'] as const)('gives up ten seconds after the last renewal when the API server %s', async (mode) => {
  const { clock, server, election } = await leader();
  const lost = expect(election.hold(never)).rejects.toThrow(NotLeadingError);
  server.mode = mode;
  await clock.advance(9_999);
  expect(election.isLeading).toBe(true);
  await clock.advance(1);
  expect(election.isLeading).toBe(false);
  expect(election.assertLeading).toThrow('leader election lost');
  await clock.advance(2_000);
  await lost;
});

test('survives renewals that fail for a while', async () => {
  const { clock, server, election } = await leader();
  const held = new AbortController();
  const hold = election.hold(held.signal);
  server.mode = 'fails';
  await clock.advance(7_000);
  server.mode = 'well';
  await clock.advance(30_000);
  expect(election.isLeading).toBe(true);
  held.abort();
  await hold;
});

test('stops leading at once when it sees another in the Lease', async () => {
  const { clock, server, election } = await leader();
  const lost = expect(election.hold(never)).rejects.toThrow(NotLeadingError);
  server.put({ holderIdentity: 'two', leaseDurationSeconds: 15, renewTime: microTime(clock.date()) });
  await clock.advance(4_000);
  await lost;
  expect(server.lease?.spec.holderIdentity).toBe('two');
});

test('lets a paused leader send nothing once it is deposed, and only what was under way may land', async () => {
  const { clock, server, election } = await leader();
  const lost = expect(election.hold(never)).rejects.toThrow(NotLeadingError);
  // Writes as a client sends them: the check, then the wire.
  const landed: string[] = [];
  const send = (what: string, wire: Promise<void>): Promise<void> => {
    election.assertLeading();
    return wire.then(() => void landed.push(what));
  };
  let arrive = (): void => {};
  const underWay = send('under way', new Promise((resolve) => (arrive = resolve)));
  clock.pause(20_000);
  const successor = candidate(server, clock, 'two');
  server.put({ ...server.lease?.spec, holderIdentity: 'two', renewTime: microTime(clock.date()) });
  arrive();
  await underWay;
  // It wakes: no timer has run yet, and still nothing more goes out.
  expect(() => send('after', Promise.resolve())).toThrow(NotLeadingError);
  expect(landed).toEqual(['under way']);
  await clock.advance(0);
  await lost;
  expect(election.isLeading).toBe(false);
  await successor.acquire(never);
  expect(server.lease?.spec.holderIdentity).toBe('two');
});

test('does not believe a renewal whose answer came after the deadline', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer(clock);
  let answer = (): void => {};
  const slow = {
    ...server.store,
    update: async (...[lease, spec, timeout]: Parameters<LeaseServer['store']['update']>) => {
      const written = await server.store.update(lease, spec, timeout);
      await new Promise<void>((resolve) => (answer = resolve));
      return written;
    },
  };
  const election = new Election({ store: slow, identity: 'one', clock, random: () => 0, log: noLog });
  await election.acquire(never);
  const lost = expect(election.hold(never)).rejects.toThrow(NotLeadingError);
  await clock.advance(2_000);
  clock.pause(15_000);
  answer();
  await settle();
  await lost;
  expect(election.isLeading).toBe(false);
});

test('notices a machine whose steady clock stood still', () => {
  let date = 0;
  const clock = { now: () => 0, date: () => new Date(date), after: () => () => {} };
  const server = new LeaseServer(clock);
  const election = new Election({ store: server.store, identity: 'one', clock, random: () => 0, log: noLog });
  return election.acquire(never).then(() => {
    expect(election.isLeading).toBe(true);
    date = 10_000;
    expect(election.isLeading).toBe(false);
  });
});

test('holds no longer than before when its wall clock is put back', () => {
  let now = 0;
  let date = 3_600_000;
  const clock = { now: () => now, date: () => new Date(date), after: () => () => {} };
  const server = new LeaseServer(clock);
  const election = new Election({ store: server.store, identity: 'one', clock, random: () => 0, log: noLog });
  return election.acquire(never).then(() => {
    date = 0;
    now = 9_999;
    expect(election.isLeading).toBe(true);
    now = 10_000;
    expect(election.isLeading).toBe(false);
  });
});

test('elects one of several candidates at any moment', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer(clock);
  const candidates = ['a', 'b', 'c'].map((identity) => candidate(server, clock, identity));
  const running = candidates.map(async (election) => {
    await election.acquire(never);
    await election.hold(never);
  });
  const ended = Promise.allSettled(running);
  for (let second = 0; second < 120; second += 1) {
    server.mode = second % 40 > 20 ? 'fails' : 'well';
    await clock.advance(1_000);
    expect(candidates.filter((election) => election.isLeading).length).toBeLessThanOrEqual(1);
  }
  void ended;
});

test('renews its Lease while other requests wait for a connection', async () => {
  const held: (() => void)[] = [];
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'n', name: 'l', resourceVersion: '1' },
  };
  const client = await answeringClient(
    ({ method }, response) => {
      const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lease));
      if (method === 'POST') held.push(answer);
      else answer();
    },
    { connections: 2 },
  );
  const flood = Array.from({ length: 5 }, (_, index) =>
    client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'n', name: `c${index}` } }),
  );
  while (held.length < 2) await settle();
  const store = leaseStore(client, 'n', 'l');
  expect(await store.read(2_000)).toMatchObject({ version: '1' });
  expect(held).toHaveLength(2);
  const ended: unknown[] = [];
  for (const one of flood) void one.then((created) => ended.push(created));
  while (ended.length < flood.length) {
    held.shift()?.();
    await settle();
  }
});

import { describe, expect, test } from 'vitest';
import type { Clock } from '../../lib/runtime/clock.ts';
import { type LeaseSpec, microTime } from '../../lib/runtime/lease-store.ts';
import { noLog } from '../../lib/runtime/logger.ts';
import { Exclusions } from '../../lib/runtime/scope/exclusions.ts';
import { scopeIdentity, ScopeHolder, ScopeLostError, toleratedFailures } from '../../lib/runtime/scope/holder.ts';
import { LeaseServer } from './lease-server.ts';
import { ManualClock } from './manual-clock.ts';

const never = new AbortController().signal;

function holder(server: LeaseServer, clock: Clock, duration = 30_000, interval = 10_000): ScopeHolder {
  return new ScopeHolder({ store: server.store, operatorVersion: 'v1.0.0', duration, interval, clock, log: noLog });
}

describe('a restricted operator', () => {
  test.each([
    [30_000, 10_000, 2],
    [30_000, 20_000, 1],
    [60_000, 10_000, 5],
  ])('with a Lease of %d ms renewed every %d ms tolerates %d failures', (duration, interval, failures) => {
    expect(toleratedFailures(duration, interval)).toBe(failures);
  });

  test('creates its Lease with a renew time, so that nobody acts beside it for an interval', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    await holder(server, clock).acquire();
    expect(scopeIdentity('v1.0.0')).toBe('namespace-restricted-operator-v1.0.0');
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'namespace-restricted-operator-v1.0.0',
      leaseDurationSeconds: 30,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
    });
  });

  test('takes a Lease of anybody over and keeps its acquire time', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock, {
      holderIdentity: 'other',
      leaseDurationSeconds: 60,
      acquireTime: '2020-01-01T00:00:00.000000Z',
      renewTime: '2020-01-01T00:00:00.000000Z',
    });
    await holder(server, clock).acquire();
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'namespace-restricted-operator-v1.0.0',
      leaseDurationSeconds: 30,
      acquireTime: '2020-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
    });
  });

  test('makes a deleted Lease anew at the next renewal', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const held = new AbortController();
    const scope = holder(server, clock);
    await scope.acquire();
    const hold = scope.hold(held.signal);
    server.lease = undefined;
    await clock.advance(10_000);
    expect(server.lease).toMatchObject({ spec: { renewTime: microTime(clock.date()) } });
    held.abort();
    await hold;
  });

  test.each(['fails', 'hangs'] as const)('ends before the Lease expires when the API server %s', async (mode) => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const scope = holder(server, clock);
    await scope.acquire();
    const lost = expect(scope.hold(never)).rejects.toThrow(
      'lease renewal failed 2 consecutive times (max: 2), operator must exit to prevent split-brain with cluster-wide operator',
    );
    server.mode = mode;
    await clock.advance(29_000);
    expect(scope.assertHeld).not.toThrow();
    await lost;
    await clock.advance(1_000);
    expect(scope.assertHeld).toThrow(ScopeLostError);
    // It keeps others out until it expires.
    expect(server.lease?.spec.holderIdentity).toBe('namespace-restricted-operator-v1.0.0');
  });

  test('never goes on past the end of its Lease, however few failures that is', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const scope = holder(server, clock, 30_000, 20_000);
    await scope.acquire();
    const lost = expect(scope.hold(never)).rejects.toThrow('split-brain');
    server.mode = 'hangs';
    await clock.advance(30_000);
    await lost;
  });

  test('forgets earlier failures after a success', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const held = new AbortController();
    const scope = holder(server, clock, 60_000, 10_000);
    await scope.acquire();
    const hold = scope.hold(held.signal);
    for (let round = 0; round < 3; round += 1) {
      server.mode = 'fails';
      await clock.advance(30_000);
      server.mode = 'well';
      await clock.advance(10_000);
    }
    expect(scope.assertHeld).not.toThrow();
    held.abort();
    await hold;
  });

  test('deletes the Lease at a clean stop, but not when another holds it or it is gone', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const scope = holder(server, clock);
    await scope.acquire();
    await scope.release();
    expect(server.lease).toBeUndefined();
    expect(scope.assertHeld).toThrow(ScopeLostError);
    await scope.release();
    server.put({ holderIdentity: 'namespace-restricted-operator-v2' });
    await scope.release();
    expect(server.lease?.spec).toEqual({ holderIdentity: 'namespace-restricted-operator-v2' });
  });

  test('writes nothing after its machine stood still for longer than the Lease lasts', async () => {
    let date = 0;
    const clock = { now: () => 0, date: () => new Date(date), after: () => () => {} };
    const scope = holder(new LeaseServer(clock), clock);
    await scope.acquire();
    expect(scope.assertHeld).not.toThrow();
    date = 30_000;
    expect(scope.assertHeld).toThrow(ScopeLostError);
  });

  test('counts from when a renewal was sent, not from its answer', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const { store } = server;
    const create: typeof store.create = async (spec, timeout) => {
      const written = await store.create(spec, timeout);
      clock.pause(7_000);
      return written;
    };
    const options = { operatorVersion: 'v1.0.0', duration: 30_000, interval: 10_000, clock, log: noLog };
    const scope = new ScopeHolder({ ...options, store: { ...store, create } });
    await scope.acquire();
    clock.pause(22_999);
    expect(scope.assertHeld).not.toThrow();
    clock.pause(1);
    expect(scope.assertHeld).toThrow(ScopeLostError);
  });

  test('fails to start when the first Lease cannot be written', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    server.mode = 'fails';
    await expect(holder(server, clock).acquire()).rejects.toMatchObject({
      message: 'failed to create initial lease',
      cause: { message: 'failed to get lease' },
    });
  });
});

describe('a cluster-wide operator', () => {
  /** A cluster-wide operator that sees Leases, and reads from the API server that they are gone unless a test says otherwise. */
  function watching(read: (namespace: string) => Promise<LeaseSpec | undefined> = async () => undefined): {
    readonly clock: ManualClock;
    readonly exclusions: Exclusions;
    readonly changes: string[];
  } {
    const clock = new ManualClock();
    const exclusions = new Exclusions({ clock, log: noLog, read });
    const changes: string[] = [];
    exclusions.onChange((namespace, isExcluded) => void changes.push(`${namespace} ${isExcluded ? 'out' : 'in'}`));
    return { clock, exclusions, changes };
  }
  const renewedAt = (clock: ManualClock, skew = 0): string => microTime(new Date(clock.date().getTime() + skew));

  test('leaves a namespace alone while its Lease is renewed, and comes back when that ends', async () => {
    const { clock, exclusions, changes } = watching();
    for (let renewal = 0; renewal < 5; renewal += 1) {
      exclusions.observe('a', { leaseDurationSeconds: 30, renewTime: renewedAt(clock) });
      await clock.advance(10_000);
    }
    expect(exclusions.has('a')).toBe(true);
    await clock.advance(19_999);
    expect(exclusions.namespaces).toEqual(new Set(['a']));
    await clock.advance(1);
    expect(exclusions.has('a')).toBe(false);
    expect(changes).toEqual(['a out', 'a in']);
  });

  test('measures expiry from what it saw, not by the clock of the other', async () => {
    for (const skew of [-40_000, 40_000]) {
      const { clock, exclusions } = watching();
      exclusions.observe('a', { leaseDurationSeconds: 30, renewTime: renewedAt(clock, skew) });
      await clock.advance(29_999);
      expect(exclusions.has('a')).toBe(true);
      await clock.advance(1);
      expect(exclusions.has('a')).toBe(false);
    }
  });

  test('takes a Lease that is long out of date at first sight for one of an operator that is gone', () => {
    const { clock, exclusions } = watching();
    exclusions.observe('a', { leaseDurationSeconds: 30, renewTime: renewedAt(clock, -3_600_000) });
    expect(exclusions.has('a')).toBe(false);
    exclusions.observe('a', { leaseDurationSeconds: 30, renewTime: renewedAt(clock, -3_590_000) });
    expect(exclusions.has('a')).toBe(true);
  });

  test('falls back to the acquire time, as the original leaves the renew time out at first', () => {
    const { clock, exclusions } = watching();
    exclusions.observe('a', { leaseDurationSeconds: 30, acquireTime: renewedAt(clock) });
    expect(exclusions.has('a')).toBe(true);
  });

  test('ignores a Lease without times or duration', () => {
    const { clock, exclusions } = watching();
    exclusions.observe('a', { leaseDurationSeconds: 30 });
    exclusions.observe('b', { renewTime: renewedAt(clock) });
    exclusions.observe('c', { leaseDurationSeconds: 30, renewTime: 'yesterday' });
    expect(exclusions.namespaces).toEqual(new Set());
  });

  test('is not kept away by seeing the same Lease again', async () => {
    const { clock, exclusions } = watching();
    const spec = { leaseDurationSeconds: 30, renewTime: renewedAt(clock) };
    exclusions.observe('a', spec);
    await clock.advance(20_000);
    exclusions.observe('a', spec);
    await clock.advance(10_000);
    expect(exclusions.has('a')).toBe(false);
  });

  test('believes the API server about a Lease that its watch shows as expired', async () => {
    let answer: LeaseSpec | undefined;
    const { clock, exclusions, changes } = watching(async () => answer);
    const observed = { leaseDurationSeconds: 30, renewTime: renewedAt(clock) };
    exclusions.observe('a', observed);
    answer = { ...observed, renewTime: renewedAt(clock, 20_000) };
    await clock.advance(59_999);
    expect(changes).toEqual(['a out']);
    await clock.advance(1);
    expect(changes).toEqual(['a out', 'a in']);
    exclusions.observe('a', { ...observed, renewTime: renewedAt(clock) });
    answer = undefined;
    await clock.advance(30_000);
    expect(changes).toEqual(['a out', 'a in', 'a out', 'a in']);
  });

  test('stays away until it is told that a Lease has expired', async () => {
    let isDown = true;
    const { clock, exclusions, changes } = watching(async () => {
      if (isDown) throw new Error('503: not today');
      return undefined;
    });
    exclusions.observe('a', { leaseDurationSeconds: 30, renewTime: renewedAt(clock) });
    await clock.advance(120_000);
    expect(changes).toEqual(['a out']);
    isDown = false;
    await clock.advance(5_000);
    expect(changes).toEqual(['a out', 'a in']);
  });

  test('takes an answer for old that comes after a renewal was seen', async () => {
    let answer: (spec?: LeaseSpec) => void = () => {};
    const { clock, exclusions, changes } = watching(() => new Promise((resolve) => (answer = resolve)));
    const spec = { leaseDurationSeconds: 30, renewTime: renewedAt(clock) };
    exclusions.observe('a', spec);
    await clock.advance(30_000);
    exclusions.observe('a', { ...spec, renewTime: renewedAt(clock) });
    answer(spec);
    await clock.advance(29_999);
    expect(changes).toEqual(['a out']);
  });

  test('comes back to one namespace when its Lease is deleted, and stays out of the others', () => {
    const { clock, exclusions, changes } = watching();
    for (const namespace of ['a', 'b', 'c'])
      exclusions.observe(namespace, { leaseDurationSeconds: 30, renewTime: renewedAt(clock) });
    exclusions.forget('b');
    exclusions.forget('nobody');
    expect(exclusions.namespaces).toEqual(new Set(['a', 'c']));
    expect(changes).toEqual(['a out', 'b out', 'c out', 'b in']);
  });
});

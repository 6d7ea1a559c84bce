/**
 * Keeps the heap small. By default V8 lets it grow well beyond what is in use, which suits short-lived programs; an operator runs for months and
 * holds little. Savings and costs are in bench/README.md.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, systemClock } from './clock.ts';

/** Makes V8 prefer low memory use to speed from now on, and collects garbage whenever a burst of work is over, until the signal is aborted. */
export function keepHeapSmall(signal: AbortSignal): void {
  setFlagsFromString('--optimize-for-size');
  collectAfterWork({ clock: systemClock, busyMs: busyMilliseconds, collect: garbageCollector() }, signal);
}

/** The parts of the process that `collectAfterWork` watches and calls. */
interface Collection {
  readonly clock: Clock;
  /** How long the process has worked since it started. */
  readonly busyMs: () => number;
  readonly collect: () => void;
}

const lookMs = 1000;
/** Up to this many milliseconds of work between two checks count as idle: renewals of Leases, probes and bookmarks never stop. */
const idleMs = 50;
/** Work that leaves enough garbage to be worth a collection, which takes about 70 ms with 150 graphs. */
const burstMs = 1000;

/** Calls `collect` in the first quiet second after at least one second of work. */
export function collectAfterWork({ clock, busyMs, collect }: Collection, signal: AbortSignal): void {
  let lastLook = busyMs();
  let lastCollection = lastLook;
  const look = (): void => {
    if (signal.aborted) return;
    const now = busyMs();
    const isIdle = now - lastLook <= idleMs;
    if (isIdle && now - lastCollection >= burstMs) {
      collect();
      lastCollection = busyMs();
    }
    lastLook = busyMs();
    clock.after(lookMs, look);
  };
  clock.after(lookMs, look);
}

function busyMilliseconds(): number {
  return performance.eventLoopUtilization().active;
}

/** V8's function for a full garbage collection; only contexts that are created while this flag is set have it. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // Without arguments: with any, V8 11 collects new objects only.
  return () => gc();
}

/**
 * Keeps the heap small. By default V8 lets it grow well beyond what is in use, which suits short-lived programs; an operator runs for months and
 * holds little. Savings and costs are in bench/README.md.
 */
import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { type Clock, systemClock } from './clock.ts';

/** By how much the heap may grow before garbage is collected, in per cent of what was in use after the last collection. */
const growth = 60;

/** Limits the growth of the heap from now on, and collects garbage whenever a burst of work is over, until the signal is aborted. */
export function keepHeapSmall(signal: AbortSignal): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  collectAfterWork({ clock: systemClock, busyMs: busyMilliseconds, collect: collectGarbage }, signal);
}

/** The parts of the process that `collectAfterWork` watches and calls. */
interface Collection {
  readonly clock: Clock;
  /** How long the process has worked since it started. */
  readonly busyMs: () => number;
  readonly collect: () => Promise<void>;
}

const lookMs = 1000;
/** Up to this many milliseconds of work between two checks count as idle: renewals of Leases, probes and bookmarks never stop. */
const idleMs = 50;
/** Work that leaves enough garbage to be worth a collection: less than that of a start. */
const burstMs = 500;

/** Calls `collect` in the first quiet second after at least half a second of work. */
export function collectAfterWork({ clock, busyMs, collect }: Collection, signal: AbortSignal): void {
  let lastLook = busyMs();
  let lastCollection = lastLook;
  const look = async (): Promise<void> => {
    if (signal.aborted) return;
    const now = busyMs();
    const isIdle = now - lastLook <= idleMs;
    if (isIdle && now - lastCollection >= burstMs) {
      await collect();
      lastCollection = busyMs();
    }
    lastLook = busyMs();
    clock.after(lookMs, () => void look());
  };
  clock.after(lookMs, () => void look());
}

function busyMilliseconds(): number {
  return performance.eventLoopUtilization().active;
}

/**
 * Collects garbage as if memory were short: V8 then also returns the memory of its young generation, up to 32 MB, which `gc()` keeps
 * (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#method-collectGarbage).
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/** Which namespaces have an operator of their own, as a cluster-wide operator sees their scope Leases. */
import type { Clock } from '../clock.ts';
import type { LeaseSpec } from '../lease-store.ts';
import type { Logger } from '../logger.ts';

/** Dependencies of `Exclusions`. */
interface ExclusionsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Reads the scope Lease of a namespace from the API server; undefined where there is none. */
  readonly read: (namespace: string) => Promise<LeaseSpec | undefined>;
}

/** Told when a namespace gets an operator of its own or loses it. */
type ExclusionListener = (namespace: string, isExcluded: boolean) => void;

// The largest tolerated difference between clocks. A Lease that is already older than this when it is first seen belongs to an operator that no
// longer runs.
const greatestSkew = 60_000;
/** Milliseconds until a Lease that could not be read is read again. */
const rereadMs = 5_000;

/**
 * The namespaces to leave alone. A Lease expires relative to the time its last renewal was observed here. The watch may be late, so a Lease that
 * seems to have expired is read before the namespace is reconciled.
 */
export class Exclusions {
  readonly #options: ExclusionsOptions;
  /** Functions that cancel the expiry timer of an excluded namespace, by namespace. */
  readonly #excluded = new Map<string, () => void>();
  readonly #seen = new Map<string, string>();
  readonly #listeners = new Set<ExclusionListener>();

  constructor(options: ExclusionsOptions) {
    this.#options = options;
  }

  /** The namespaces to leave alone at this moment. */
  get namespaces(): ReadonlySet<string> {
    return new Set(this.#excluded.keys());
  }

  /** Whether to leave a namespace alone. */
  has(namespace: string): boolean {
    return this.#excluded.has(namespace);
  }

  /** Calls a listener at every change from now on; the returned function removes it. */
  onChange(listener: ExclusionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Updates the exclusion of a namespace from the current state of its scope Lease. */
  observe(namespace: string, spec: LeaseSpec): void {
    const duration = (spec.leaseDurationSeconds ?? 0) * 1000;
    const renewed = spec.renewTime ?? spec.acquireTime;
    if (renewed === undefined || duration <= 0) {
      this.#include(namespace, 'lease has no renew time or duration');
      return;
    }
    const isFirst = !this.#seen.has(namespace);
    if (this.#seen.get(namespace) === renewed) return;
    this.#seen.set(namespace, renewed);
    const age = this.#options.clock.date().getTime() - Date.parse(renewed);
    if (isFirst && !(age <= duration + greatestSkew)) {
      this.#include(namespace, 'lease expired');
      return;
    }
    this.#exclude(namespace, spec, duration);
  }

  /** Takes in that the scope Lease of a namespace is gone. */
  forget(namespace: string): void {
    this.#seen.delete(namespace);
    this.#include(namespace, 'lease deleted');
  }

  #exclude(namespace: string, spec: LeaseSpec, duration: number): void {
    const before = this.#excluded.get(namespace);
    before?.();
    this.#lookAfter(namespace, duration);
    if (before !== undefined) return;
    this.#options.log.info('Excluding namespace from cluster-wide operator processing', {
      namespace,
      holderIdentity: spec.holderIdentity,
    });
    for (const listener of this.#listeners) listener(namespace, true);
  }

  /** Reads the Lease of an excluded namespace after a time, unless a renewal or its deletion is seen before the answer comes. */
  #lookAfter(namespace: string, milliseconds: number): void {
    const { clock, log, read } = this.#options;
    const cancel = clock.after(milliseconds, () => {
      const unlessOvertaken =
        <T>(take: (answer: T) => void) =>
        (answer: T): void => {
          if (this.#excluded.get(namespace) === cancel) take(answer);
        };
      void read(namespace).then(
        unlessOvertaken((spec) => this.#takeRead(namespace, spec)),
        unlessOvertaken((error: unknown) => {
          log.error('Failed to read the namespace scope lease', error, { namespace });
          this.#lookAfter(namespace, rereadMs);
        }),
      );
    });
    this.#excluded.set(namespace, cancel);
  }

  #takeRead(namespace: string, spec: LeaseSpec | undefined): void {
    if (spec === undefined) this.forget(namespace);
    else if ((spec.renewTime ?? spec.acquireTime) === this.#seen.get(namespace)) this.#include(namespace, 'lease expired');
    else this.observe(namespace, spec);
  }

  #include(namespace: string, reason: string): void {
    const before = this.#excluded.get(namespace);
    if (before === undefined) return;
    before();
    this.#excluded.delete(namespace);
    this.#options.log.info('Resuming namespace processing in cluster-wide operator', { namespace, reason });
    for (const listener of this.#listeners) listener(namespace, false);
  }
}

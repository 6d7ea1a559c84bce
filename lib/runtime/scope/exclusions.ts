/** Which namespaces have an operator of their own, as a cluster-wide operator sees their scope Leases. */
import type { Clock } from '../clock.ts';
import type { LeaseSpec } from '../lease-store.ts';
import type { Logger } from '../logger.ts';

/** Told when a namespace gets an operator of its own or loses it. */
type ExclusionListener = (namespace: string, isExcluded: boolean) => void;

// Clocks may differ by this much; a Lease that is staler than that at first sight belongs to an operator that is gone.
const greatestSkew = 60_000;

/** Namespaces to leave alone. Expiry is measured from the moment a renewal was seen here, and announced when it happens. */
export class Exclusions {
  readonly #clock: Clock;
  readonly #log: Logger;
  /** Functions that cancel the expiry timer of an excluded namespace, by namespace. */
  readonly #excluded = new Map<string, () => void>();
  readonly #seen = new Map<string, string>();
  readonly #listeners = new Set<ExclusionListener>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The namespaces to leave alone at this moment. */
  get namespaces(): ReadonlySet<string> {
    return new Set(this.#excluded.keys());
  }

  /** Whether to leave a namespace alone. */
  has(namespace: string): boolean {
    return this.#excluded.has(namespace);
  }

  /** Calls a listener at every change from now on; the function returned ends that. */
  onChange(listener: ExclusionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes in the scope Lease of a namespace as it is now. */
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
    const age = this.#clock.date().getTime() - Date.parse(renewed);
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
    const cancel = this.#clock.after(duration, () => this.#include(namespace, 'lease expired'));
    this.#excluded.set(namespace, cancel);
    if (before !== undefined) return;
    this.#log.info('Excluding namespace from cluster-wide operator processing', {
      namespace,
      holderIdentity: spec.holderIdentity,
    });
    for (const listener of this.#listeners) listener(namespace, true);
  }

  #include(namespace: string, reason: string): void {
    const before = this.#excluded.get(namespace);
    if (before === undefined) return;
    before();
    this.#excluded.delete(namespace);
    this.#log.info('Resuming namespace processing in cluster-wide operator', { namespace, reason });
    for (const listener of this.#listeners) listener(namespace, false);
  }
}

/** What a replica must hold before it may write: the leader's Lease, and in restricted mode the Lease of its namespace. */
import { randomUUID } from 'node:crypto';
import { aborted } from './aborted.ts';
import type { ApiClient } from './api/client.ts';
import type { Clock } from './clock.ts';
import { Election, type ElectionTiming } from './leader-election.ts';
import { EventWriter } from './events/recorder.ts';
import { leaseStore } from './lease-store.ts';
import type { Log } from './log.ts';
import type { MetricSink } from './metric-sink.ts';
import type { ManagerOptions } from './options.ts';
import { ScopeHolder, scopeLeaseName } from './scope/holder.ts';

/** Dependencies and settings of `Leadership`. */
interface LeadershipOptions {
  readonly options: ManagerOptions;
  readonly client: ApiClient;
  /** Namespace of the leader's Lease. */
  readonly namespace: string;
  readonly hostname: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly metrics: MetricSink;
  readonly log: Log;
  readonly timing?: ElectionTiming | undefined;
}

/** One replica's right to write. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #election: Election | undefined;
  readonly #scope: ScopeHolder | undefined;
  readonly #events: EventWriter;
  readonly #identity: string;
  #isLeading = false;

  constructor(leadership: LeadershipOptions) {
    const { options, namespace, clock, log, timing } = leadership;
    const client = leadership.client.with({ userAgent: `${leadership.userAgent}/leader-election` });
    this.#options = leadership;
    this.#identity = `${leadership.hostname}_${randomUUID()}`;
    this.#events = new EventWriter({ client: client.with({ timeoutMs: 1_000, retry: false }), clock, log });
    if (options.election.enabled) {
      const store = leaseStore(client, namespace, options.election.id);
      const common = { store, identity: this.#identity, clock, random: Math.random, log: log.named('leader-election') };
      this.#election = new Election(timing === undefined ? common : { ...common, timing });
      this.#show(0);
    }
    if (options.restrictedNamespace !== '') {
      const store = leaseStore(client, options.restrictedNamespace, scopeLeaseName);
      const { operatorVersion, scopeLease } = options;
      const scopeLog = log.with({ component: 'namespace-scope-lease' });
      this.#scope = new ScopeHolder({ store, operatorVersion, ...scopeLease, clock, log: scopeLog });
    }
  }

  /** Throws unless this replica may write at this moment; for `beforeWrite` of clients. */
  readonly assertHeld = (): void => {
    this.#election?.assertLeading();
    this.#scope?.assertHeld();
  };

  /** Resolves when this replica may write. */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#election?.acquire(signal);
    if (this.#election !== undefined) {
      this.#isLeading = true;
      this.#show(1);
      this.#options.log.info('successfully acquired lease', { identity: this.#identity });
      this.#tell('became leader');
    }
    await this.#scope?.acquire();
  }

  /** Renews until the signal is aborted; rejects when the right to write is lost. */
  async hold(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    try {
      await Promise.all([this.#election?.hold(either), this.#scope?.hold(either), aborted(either)]);
    } catch (error) {
      this.#show(0);
      throw error;
    } finally {
      ended.abort();
    }
  }

  /** Gives everything up, so that others need not wait; call it when nothing writes any more. */
  async release(): Promise<void> {
    if (this.#options.options.election.enabled && !this.#isLeading) return;
    await this.#scope?.release();
    if (this.#election === undefined) return;
    this.#tell('stopped leading');
    await this.#events.flush();
    await this.#election.release();
    this.#show(0);
  }

  #show(value: 0 | 1): void {
    const { election } = this.#options.options;
    if (election.enabled) this.#options.metrics.set('leader_election_master_status', { name: election.id }, value);
  }

  #tell(what: string): void {
    const { namespace, options } = this.#options;
    const metadata = { namespace, name: options.election.id };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
    const event = { type: 'Normal', reason: 'LeaderElection', message: `${this.#identity} ${what}` } as const;
    this.#events.recorder(this.#identity).record(lease, event);
  }
}

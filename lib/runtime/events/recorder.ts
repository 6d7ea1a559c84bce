/** Writes Events of core v1. A repeated event raises the count of the first one, and events per object are rate limited. */
import type { KubernetesObject } from '../../api/index.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Event } from '../../reconcile/index.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError, ConnectionError, isAbsent, isAlreadyExists } from '../api/errors.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Logger } from '../logger.ts';

/** The object an event is about. */
type EventSubject = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

/** The part of it that an event names, so that a waiting event does not keep the whole object in memory. */
type Reference = Pick<KubernetesObject, 'apiVersion' | 'kind'> &
  Pick<KubernetesObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

/** Records events. */
export interface EventRecorder {
  /** Records an event. It is written in the background; one that cannot be written after all retries is logged and dropped. */
  readonly record: (subject: EventSubject, event: Event) => void;
}

/** Dependencies of an `EventWriter`. */
interface EventWriterOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Rate limit of the events that one source writes about one object: how many at once, and the milliseconds until it may write one more. */
const budget = { burst: 25, refillMs: 300_000 };
const longestMessage = 1024;
const longestStart = 230;
/** The most events that wait to be written; a stopping manager can write that many in time. */
const longestQueue = 5000;
/** Most events that are written at once; those of one object are written one after the other. */
const lanes = 16;
const remembered = 4096;
/** Most tries to send an event to a server that cannot be reached, and the shortest and longest wait between two tries. */
const retries = { tries: 12, firstMs: 500, longestMs: 10_000 };

interface Written {
  readonly name: string;
  readonly count: number;
}

/** Writes events; recorders of all components share it. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #client: ApiClient;
  readonly #written = new Map<string, Written>();
  readonly #tokens = new Map<string, { readonly left: number; readonly at: number }>();
  #waiting = 0;
  readonly #ending = new AbortController();
  readonly #last: Promise<void>[] = Array.from({ length: lanes }, () => Promise.resolve());

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#client = options.client.with({ yields: true });
  }

  /** A recorder whose events come from a component. */
  recorder(component: string): EventRecorder {
    return { record: (subject, event) => this.#record(component, subject, event) };
  }

  /** Resolves when everything recorded so far is written, or has failed; from now on nothing is tried again. */
  async flush(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#last);
  }

  #record(component: string, subject: EventSubject, event: Event): void {
    const { log } = this.#options;
    const { namespace, name, uid = '' } = subject.metadata;
    const fields = { namespace, name, reason: event.reason };
    if (!this.#takeToken(`${component}/${uid}/${event.type}`)) {
      log.debug('Event dropped, its budget is spent', fields);
      return;
    }
    if (this.#waiting >= longestQueue) {
      log.debug('Event dropped, too many are waiting', fields);
      return;
    }
    this.#waiting += 1;
    const { apiVersion, kind } = subject;
    const { resourceVersion } = subject.metadata;
    const reference = { apiVersion, kind, name, namespace, uid, resourceVersion };
    const lane = laneOf(uid);
    const eventName = `${startOf(name)}.${randomBytes(8).toString('hex')}`;
    this.#last[lane] = (this.#last[lane] ?? Promise.resolve()).then(async () => {
      try {
        await this.#retry(() => this.#write(component, reference, event, eventName));
      } catch (error) {
        log.error('Failed to write an event', error, fields);
      } finally {
        this.#waiting -= 1;
      }
    });
  }

  /** Retries while the server cannot be reached or cannot answer. A refusal of the event itself is final. */
  async #retry(write: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    for (let tries = 1; ; tries += 1) {
      try {
        await write();
        return;
      } catch (error) {
        const isOver = tries >= retries.tries || signal.aborted;
        if (isOver || !isTemporary(error)) throw error;
      }
      const wait = Math.min(retries.firstMs * 2 ** (tries - 1), retries.longestMs);
      // A writer that is stopping makes one last attempt at once.
      await sleep(this.#options.clock, wait, signal).catch(() => undefined);
    }
  }

  async #write(component: string, subject: Reference, event: Event, eventName: string): Promise<void> {
    const { clock } = this.#options;
    const { namespace = 'default', name, uid = '', resourceVersion } = subject;
    const message = event.message.slice(0, longestMessage);
    const now = `${clock.date().toISOString().slice(0, 19)}Z`;
    const key = digest([component, uid, event.type, event.reason, message]);
    const before = this.#written.get(key);
    if (before !== undefined) {
      try {
        const count = before.count + 1;
        await this.#client.merge({ ...eventKind, namespace, name: before.name }, { count, lastTimestamp: now });
        this.#remember(key, { name: before.name, count });
        return;
      } catch (error) {
        // The API server keeps events for one hour by default (`--event-ttl`).
        if (!isAbsent(error)) throw error;
      }
    }
    await this.#client
      .create({
        ...eventKind,
        metadata: { namespace, name: eventName },
        involvedObject: {
          apiVersion: subject.apiVersion,
          kind: subject.kind,
          name,
          ...(subject.namespace === undefined ? {} : { namespace }),
          uid,
          ...(resourceVersion === undefined ? {} : { resourceVersion }),
        },
        type: event.type,
        reason: event.reason,
        message,
        source: { component },
        reportingComponent: component,
        reportingInstance: '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      })
      .catch((error: unknown) => {
        // It was created by an earlier attempt whose answer was lost.
        if (!isAlreadyExists(error)) throw error;
      });
    this.#remember(key, { name: eventName, count: 1 });
  }

  #remember(key: string, written: Written): void {
    this.#written.delete(key);
    this.#written.set(key, written);
    forgetOldest(this.#written);
  }

  #takeToken(key: string): boolean {
    const now = this.#options.clock.now();
    const { left, at } = this.#tokens.get(key) ?? { left: budget.burst, at: now };
    const refilled = Math.min(budget.burst, left + (now - at) / budget.refillMs);
    this.#tokens.delete(key);
    this.#tokens.set(key, { left: refilled >= 1 ? refilled - 1 : refilled, at: now });
    forgetOldest(this.#tokens);
    return refilled >= 1;
  }
}

const eventKind = { apiVersion: 'v1', kind: 'Event' } as const;

/**
 * Whether an error says nothing about the event itself: the server is away, fails or is busy, a proxy answers for it, or the operator's token is being
 * renewed.
 */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError;
  return !error.isStatus || error.status >= 500 || [401, 429].includes(error.status);
}

/** The beginning of a name, short enough for a suffix. No dash or dot may stand before the dot of the suffix. */
function startOf(name: string): string {
  return name.length > longestStart ? `${name.slice(0, longestStart - 1)}x` : name;
}

function laneOf(uid: string): number {
  return Number.parseInt(uid.slice(-2), 16) % lanes || 0;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function forgetOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size > remembered && oldest !== undefined) entries.delete(oldest);
}

/** Reads what users asked of the API server from its audit log. */
import { open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** One request, see `audit.k8s.io/v1` Event. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  /** The body of a request that writes. */
  readonly requestObject?: unknown;
  readonly requestReceivedTimestamp: string;
}

/** A moment in the log; `sinceStart` is before all else. */
export type AuditMoment = number;

/** The moment before the first request. */
export const sinceStart: AuditMoment = 0;

/** Which requests to read. */
export interface AuditFilter {
  /** Name the API server knows the user by. */
  readonly username: string;
  /** Only requests received after this moment, see `AuditLog.now`. */
  readonly since?: AuditMoment;
  /** Only requests about this namespace. */
  readonly namespace?: string;
  /** Only requests that are answered by now, instead of waiting for the others. */
  readonly answered?: true;
}

const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const patienceMs = 300_000;

/** The audit log of a control plane. */
export class AuditLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** This moment, to ask later for what happened since. */
  async now(): Promise<AuditMoment> {
    return (await stat(this.#path)).size;
  }

  /** Requests of a user, oldest first, each once. Waits until those under way are answered; a watch counts once it runs. */
  async calls(filter: AuditFilter): Promise<readonly AuditEvent[]> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const events = latestStages(await this.#read(filter.since ?? sinceStart)).filter((event) => matches(event, filter));
      const underWay = events.filter((event) => event.stage === 'RequestReceived');
      if (underWay.length === 0 || filter.answered === true) return events.filter((event) => !underWay.includes(event));
      if (Date.now() > deadline) {
        throw new Error(`requests still unanswered after ${patienceMs / 1000} s: ${underWay.map(describeCall).join(', ')}`);
      }
      await setTimeout(10);
    }
  }

  /** Requests of a user that changed something or tried to, oldest first; dry runs are left out. */
  async writes(filter: AuditFilter): Promise<readonly AuditEvent[]> {
    return (await this.calls(filter)).filter((event) => writeVerbs.has(event.verb) && !/[?&]dryRun=/.test(event.requestURI));
  }

  // Whole lines only: the log may have been in the middle of one at that moment, and may be now.
  async #read(since: AuditMoment): Promise<string> {
    const file = await open(this.#path);
    try {
      const from = Math.max(0, since - 1);
      const bytes = Buffer.alloc(Math.max(0, (await file.stat()).size - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      const first = since === sinceStart ? 0 : bytes.indexOf(10) + 1;
      return bytes.toString('utf8', first, bytes.lastIndexOf(10, bytesRead - 1) + 1);
    } finally {
      await file.close();
    }
  }
}

/** A request in a few words: `patch apps/deployments/status ns/name -> 200`. */
export function describeCall({ verb, objectRef, requestURI, responseStatus }: AuditEvent): string {
  const { apiGroup, resource, subresource, namespace, name } = objectRef ?? {};
  const what = [apiGroup, resource, subresource].filter(Boolean).join('/') || requestURI;
  const which = [namespace, name].filter(Boolean).join('/');
  return [verb, what, which, ...(responseStatus?.code === undefined ? [] : ['->', responseStatus.code])]
    .filter(Boolean)
    .join(' ');
}

// Stages of one request share an id; the last one knows the answer and the body.
function latestStages(log: string): readonly AuditEvent[] {
  const events = new Map<string, AuditEvent>();
  for (const line of log.split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as AuditEvent;
    const isNew = !events.has(event.auditID);
    // A request received before the moment asked for shows up with a later stage only.
    if (isNew && event.stage !== 'RequestReceived') continue;
    events.set(event.auditID, event);
  }
  return [...events.values()];
}

function matches(event: AuditEvent, { username, namespace }: AuditFilter): boolean {
  return event.user.username === username && (namespace === undefined || event.objectRef?.namespace === namespace);
}

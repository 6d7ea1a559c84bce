/** One watch request: events until the server, the network or the caller ends it. Resuming and listing again is the cache's part. */
import type { KubernetesObject } from '../../api/index.ts';
import { isObject } from '../../json/index.ts';
import { type ApiClient, objectOf, type Selection } from './client.ts';
import { ConnectionError } from './errors.ts';
import type { RunningExchange } from './exchange.ts';
import { FrameDecoder } from './frames.ts';
import type { ObjectKind } from './object.ts';
import { errorOfStatus } from './status.ts';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubernetesObject;
}

/** Options of a watch. */
interface WatchOptions {
  /** Version to go on from; empty with `initialEvents`. */
  readonly resourceVersion: string;
  /** Send all objects first, then a bookmark for which `endsInitialEvents` holds. */
  readonly initialEvents?: boolean;
  /** After this time the server ends the watch. */
  readonly timeoutSeconds: number;
  /** A stream without any data for this long is ended. */
  readonly idleMs: () => number;
}

/** Receives the events of a watch. */
interface WatchListener {
  /** The server accepted the watch. */
  readonly onOpen: () => void;
  /** Looks at an event before it is parsed; true drops it. */
  readonly skips?: (event: Buffer) => boolean;
  readonly onEvent: (event: WatchEvent) => void;
}

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** Watches. Resolves when the server ends the stream normally, and throws any other cause. */
export async function watch(
  client: ApiClient,
  kind: ObjectKind,
  selection: Selection,
  options: WatchOptions,
  { onOpen, skips, onEvent }: WatchListener,
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion, initialEvents = false, timeoutSeconds, idleMs } = options;
  const { clock } = client.transport;
  const request = await client.watchRequest(kind, selection, {
    timeoutSeconds: String(timeoutSeconds),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(initialEvents ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : {}),
  });
  const label = `${request.method} ${request.path}`;
  let running: RunningExchange | undefined;
  let heardAt = clock.now();
  let failure: Error | undefined;
  const decoder = new FrameDecoder((frame) => {
    if (skips?.(frame) !== true) onEvent(parseEvent(frame.toString('utf8'), kind, label));
  });
  const onChunk = (chunk: Buffer): void => {
    heardAt = clock.now();
    if (failure !== undefined) return;
    try {
      decoder.push(chunk);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      running?.abort(failure);
    }
  };
  let cancelTimer = (): void => {};
  const listen = (milliseconds: number): void => {
    cancelTimer = clock.after(milliseconds, () => {
      const rest = heardAt + idleMs() - clock.now();
      if (rest > 0) listen(rest);
      else running?.abort(new ConnectionError('timeout', `${label}: the watch was silent for ${idleMs() / 1000} s`));
    });
  };
  try {
    running = await client.transport.stream(request, onChunk, signal);
    if (failure !== undefined) running.abort(failure);
    heardAt = clock.now();
    onOpen();
    listen(idleMs());
    await running.ended;
  } finally {
    cancelTimer();
  }
  // A short answer may be complete before the wait for its start is over: then there is nothing left to abort.
  if (failure !== undefined) throw failure;
  if (decoder.isCut) throw new ConnectionError('cut_off', `${label}: the watch ended inside an event`);
}

/** Whether an event says that all objects have been sent that were there at the start. */
export function endsInitialEvents({ type, object }: WatchEvent): boolean {
  return type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
}

function parseEvent(frame: string, kind: ObjectKind, label: string): WatchEvent {
  const { type, object } = parseFrame(frame, label);
  if (type === 'ERROR') throw errorOfStatus(isObject(object) ? object : {}, label, 500);
  if (!isType(type)) throw new ConnectionError('cut_off', `${label}: an event of a type nobody knows`);
  return { type, object: objectOf(object, kind) };
}

function parseFrame(frame: string, label: string): { readonly type?: unknown; readonly object?: unknown } {
  try {
    const event: unknown = JSON.parse(frame);
    if (isObject(event)) return event;
  } catch (cause) {
    throw new ConnectionError('cut_off', `${label}: an event that is no JSON (${frame.length} characters)`, { cause });
  }
  throw new ConnectionError('cut_off', `${label}: an event that is no object`);
}

function isType(type: unknown): type is WatchEvent['type'] {
  return types.has(type);
}

/** One request and its answer on an undici dispatcher, with a time limit over all of it: waiting for a connection, sending, receiving. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { abortReason, type Clock } from '../clock.ts';
import { onAbort } from '../on-abort.ts';
import { ConnectionError } from './errors.ts';

/** A request to send, and its time limit. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
  /** Called right before the first byte is sent; if it throws, the request is not sent. */
  readonly beforeSend: (() => void) | undefined;
  /** Time until the answer is complete; for a stream, until it begins. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Status and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Receives an answer piece by piece. */
interface Receiver {
  /** Returns whether the time limit also applies to the body. */
  readonly onHead: (head: ResponseHead) => 'limit' | 'no limit';
  readonly onChunk: (chunk: Buffer) => void;
}

/** A request that has been started. */
export interface RunningExchange {
  /** Resolves when the answer is complete. */
  readonly ended: Promise<void>;
  /** Aborts the request; `ended` rejects with the given reason. */
  readonly abort: (reason: Error) => void;
}

/** Sends a request and feeds the answer to a receiver. */
export function startExchange(dispatcher: Dispatcher, exchange: Exchange, clock: Clock, receiver: Receiver): RunningExchange {
  const { method, path, headers, body, beforeSend, timeoutMs, signal } = exchange;
  let controller: Dispatcher.DispatchController | undefined;
  let stopped: Error | undefined;
  let abort = (reason: Error): void => {
    stopped = reason;
  };
  const ended = new Promise<void>((resolve, reject) => {
    let stopListening = (): void => {};
    const cancelTimer = clock.after(timeoutMs, () =>
      abort(new ConnectionError('timeout', `${method} ${withoutQuery(path)}: no answer within ${timeoutMs / 1000} s`)),
    );
    const settle = (): void => {
      cancelTimer();
      stopListening();
    };
    abort = (reason) => {
      stopped ??= reason;
      settle();
      reject(stopped);
      controller?.abort(stopped);
    };
    if (signal?.aborted === true) {
      abort(abortReason(signal));
      return;
    }
    if (signal !== undefined)
      stopListening = onAbort(signal, () => {
        // Only the answer says whether a write took effect, so it is awaited until the time limit, also after an abort.
        const isSentWrite = method !== 'GET' && controller !== undefined;
        if (!isSentWrite) abort(abortReason(signal));
      });
    dispatcher.dispatch(
      // The time limit above covers all phases.
      { method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          if (stopped !== undefined) throw stopped;
          try {
            beforeSend?.();
          } catch (error) {
            stopped = asError(error);
            throw stopped;
          }
          controller = started;
        },
        onResponseStart(_, status, responseHeaders) {
          if (receiver.onHead({ status, headers: responseHeaders }) === 'no limit') cancelTimer();
        },
        onResponseData(_, chunk) {
          receiver.onChunk(chunk);
        },
        onResponseEnd() {
          settle();
          resolve();
        },
        onResponseError(_, error) {
          settle();
          reject(stopped ?? brokenConnection(error, `${method} ${withoutQuery(path)}`, controller !== undefined));
        },
      },
    );
  });
  return { ended, abort: (reason) => abort(reason) };
}

function brokenConnection(cause: Error, request: string, isSent: boolean): Error {
  // Node joins the errors of several addresses in one that has no message.
  const [first]: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
  const { message } = first instanceof Error ? first : cause;
  return new ConnectionError(isSent ? 'cut_off' : 'unreachable', `${request}: ${message}`, { cause });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? path;
}

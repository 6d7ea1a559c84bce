import { Client } from 'undici';
import { stringifyJson } from '../../manifest/index.ts';
import type { Effect, EffectResult } from '../../reconcile/index.ts';
import { timeLimit } from './time-limit.ts';

/** A call over HTTP. */
export type HttpEffect = Extract<Effect, { readonly effect: 'http' }>;

/** The longest answer that is read: a list of thousands of adapters. */
const mostBytes = 1 << 20;

/**
 * Makes one call on a connection of its own, which is closed afterwards: the pod may be deleted at any time. Uses no proxy, follows no redirect, and
 * reads a bounded answer. A failure is returned as a result, never thrown.
 */
export async function callWorker(call: HttpEffect, signal: AbortSignal): Promise<EffectResult> {
  if (!URL.canParse(call.url)) return { ok: false, error: 'the address is not a URL' };
  const { origin, pathname, search } = new URL(call.url);
  const limit = timeLimit(call.timeoutSeconds, signal);
  // The time limit above is in force; these only keep undici's default time limits from ending the call earlier.
  const milliseconds = call.timeoutSeconds * 1000 + 1000;
  const client = new Client(origin, {
    connect: { timeout: milliseconds },
    headersTimeout: milliseconds,
    bodyTimeout: milliseconds,
    maxResponseSize: mostBytes,
    pipelining: 1,
  });
  try {
    const answer = await client.request({
      method: call.method,
      path: `${pathname}${search}`,
      reset: true,
      signal: limit.signal,
      ...(call.body !== undefined && { body: stringifyJson(call.body), headers: { 'content-type': 'application/json' } }),
    });
    return { ok: true, status: answer.statusCode, body: await answer.body.text() };
  } catch (error) {
    return { ok: false, error: limit.isExceeded() ? `no answer within ${call.timeoutSeconds} s` : wordsOf(error) };
  } finally {
    limit.end();
    await client.destroy();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

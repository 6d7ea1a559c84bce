/** Deletes keys in etcd for decisions, through the JSON gateway that etcd serves beside its own protocol. */
import { Client } from 'undici';
import type { Effect, EffectResult } from '../../reconcile/index.ts';
import { abortReason } from '../clock.ts';
import { timeLimit } from './time-limit.ts';

/** A deletion of keys. */
export type EtcdEffect = Extract<Effect, { readonly effect: 'etcdDelete' }>;

const mostBytes = 1 << 16;

/** Deletes what an effect names; the first member that answers decides. Rejects when the signal is aborted. */
export async function deleteEtcdKeys(effect: EtcdEffect, addresses: string, signal: AbortSignal): Promise<EffectResult> {
  const limit = timeLimit(effect.timeoutSeconds, signal);
  const failures: string[] = [];
  try {
    for (const endpoint of endpointsOf(addresses)) {
      const failure = await deleteAt(endpoint, effect.prefix, limit.signal);
      if (failure === undefined) return { ok: true };
      failures.push(limit.isExceeded() ? `no answer within ${effect.timeoutSeconds} s` : failure);
      if (limit.signal.aborted) break;
    }
  } finally {
    limit.end();
  }
  if (signal.aborted) throw abortReason(signal);
  return { ok: false, error: failures.length === 0 ? 'no etcd address is configured' : failures.join('; ') };
}

/** Addresses as the operator's flag has them: separated by commas, with or without a scheme. */
function endpointsOf(addresses: string): readonly string[] {
  const given = addresses.split(',').map((address) => address.trim());
  return given.filter((address) => address !== '').map((address) => (address.includes('://') ? address : `http://${address}`));
}

/** The key itself, and all keys from `prefix/` up to `prefix0`, the next text after those that begin so. */
function rangesOf(prefix: string): readonly object[] {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  return [{ key: encode(prefix) }, { key: encode(`${prefix}/`), range_end: encode(`${prefix}0`) }];
}

/** Nothing, or why a member did not delete the keys. Its address is not told: it may hold a password. */
async function deleteAt(endpoint: string, prefix: string, signal: AbortSignal): Promise<string | undefined> {
  if (!URL.canParse(endpoint)) return 'the etcd address is not a URL';
  const client = new Client(new URL(endpoint).origin, { maxResponseSize: mostBytes, pipelining: 1 });
  try {
    for (const range of rangesOf(prefix)) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(range);
      const answer = await client.request({ method: 'POST', path: '/v3/kv/deleterange', headers, body, signal });
      await answer.body.text();
      if (answer.statusCode !== 200) return `etcd answered with status ${answer.statusCode}`;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.destroy();
  }
}

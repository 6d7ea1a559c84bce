/** Deletes etcd keys as reconcile decisions ask, through etcd's JSON API (gRPC gateway). */
import { Client } from 'undici';
import { findString, isObject } from '../../json/index.ts';
import type { Effect, EffectResult } from '../../reconcile/index.ts';
import { abortReason } from '../clock.ts';
import { type EtcdAccess, tlsOf, userOf, usesTls } from './etcd-access.ts';
import { timeLimit } from './time-limit.ts';

/** A deletion of keys. */
export type EtcdEffect = Extract<Effect, { readonly effect: 'etcdDelete' }>;

const mostBytes = 1 << 16;

/** Deletes the keys that an effect names; tries the members in turn until one succeeds. Rejects when the signal is aborted. */
export async function deleteEtcdKeys(
  effect: EtcdEffect,
  addresses: string,
  access: EtcdAccess,
  signal: AbortSignal,
): Promise<EffectResult> {
  const limit = timeLimit(effect.timeoutSeconds, signal);
  const failures: Failure[] = [];
  try {
    for (const endpoint of endpointsOf(addresses, access)) {
      const failure = await deleteAt(endpoint, effect.prefix, access, limit.signal);
      if (failure === undefined) return { ok: true };
      failures.push(limit.isExceeded() ? { error: `no answer within ${effect.timeoutSeconds} s`, isAbsent: false } : failure);
      if (limit.signal.aborted) break;
    }
  } finally {
    limit.end();
  }
  if (signal.aborted) throw abortReason(signal);
  if (failures.length === 0) return { ok: false, error: 'no etcd address is configured' };
  const error = failures.map((failure) => failure.error).join('; ');
  return { ok: false, error, ...(failures.every(({ isAbsent }) => isAbsent) && { isAbsent: true }) };
}

/** Why a member did not delete the keys, and whether the reason is that its host name does not exist. */
interface Failure {
  readonly error: string;
  readonly isAbsent: boolean;
}

/** Addresses as the operator's flag has them: separated by commas, with or without a scheme. */
function endpointsOf(addresses: string, access: EtcdAccess): readonly string[] {
  const given = addresses.split(',').map((address) => address.trim());
  const scheme = usesTls(access) ? 'https' : 'http';
  return given
    .filter((address) => address !== '')
    .map((address) => (address.includes('://') ? address : `${scheme}://${address}`));
}

/** The ranges to delete: the prefix itself, and all keys that begin with `prefix/`; `0` is the character after `/`. */
function rangesOf(prefix: string): readonly object[] {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  return [{ key: encode(prefix) }, { key: encode(`${prefix}/`), range_end: encode(`${prefix}0`) }];
}

/** Undefined, or why a member did not delete the keys. Its address is left out: it may hold a password. */
async function deleteAt(endpoint: string, prefix: string, access: EtcdAccess, signal: AbortSignal): Promise<Failure | undefined> {
  if (!URL.canParse(endpoint)) return { error: 'the etcd address is not a URL', isAbsent: false };
  const url = new URL(endpoint);
  let client: Client | undefined;
  try {
    const connect = url.protocol === 'https:' ? await tlsOf(access) : {};
    client = new Client(url.origin, { maxResponseSize: mostBytes, pipelining: 1, connect });
    const token = await authenticate(client, userOf(url, access), signal);
    for (const range of rangesOf(prefix)) await post(client, '/v3/kv/deleterange', range, token, signal);
    return undefined;
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
    return { error: error instanceof Error ? error.message : String(error), isAbsent };
  } finally {
    await client?.destroy();
  }
}

/** The token of a user; none where etcd asks for no user. */
async function authenticate(client: Client, user: ReturnType<typeof userOf>, signal: AbortSignal): Promise<string | undefined> {
  if (user === undefined) return undefined;
  const answer: unknown = JSON.parse(await post(client, '/v3/auth/authenticate', user, undefined, signal));
  const token = isObject(answer) ? findString(answer, 'token') : undefined;
  if (token === undefined) throw new Error('etcd answered the authentication without a token');
  return token;
}

async function post(
  client: Client,
  path: string,
  range: object,
  token: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: token }) };
  const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify(range), signal });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`etcd answered with status ${answer.statusCode}`);
  return text;
}

import { findObject, isObject, type JsonObject, stringAt } from '../../json/index.ts';
import type { EffectResult } from '../snapshot.ts';

/** Why a call to load or unload failed; undefined where it succeeded. A worker may report `error` with status 200. */
export function callFailure(call: 'load' | 'unload', result: EffectResult): string | undefined {
  if (!result.ok) return `failed to call ${call} LoRA endpoint: ${result.error}`;
  const { status = 0, body = '' } = result;
  if (isSuccess(status) && stringAt(parseBody(body), 'status') !== 'error') return undefined;
  return `${call} LoRA failed with status ${status}: ${excerpt(body)}`;
}

/** Whether a failed unload may mean that the adapter was not loaded: workers give the same answer for a name they do not know. */
export function mayBeUnknown(result: EffectResult): boolean {
  return result.ok && (isSuccess(result.status ?? 0) || result.status === 404);
}

/** Names of the adapters that a worker has loaded; undefined where its answer does not list them. */
export function loadedAdapters(result: EffectResult): ReadonlySet<string> | undefined {
  if (!result.ok || !isSuccess(result.status ?? 0)) return undefined;
  const loras = findObject(parseBody(result.body ?? ''), 'loras');
  return loras && new Set(Object.keys(loras));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function parseBody(body: string): JsonObject | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  return isObject(parsed) ? parsed : undefined;
}

/** A worker's message for the log: cut, on one line, without possible passwords in addresses. */
function excerpt(body: string): string {
  return withoutCredentials(body.slice(0, 300).replaceAll(/[\u0000-\u001f\u007f]/g, ' '));
}

/** A message with user names, passwords and queries of addresses redacted. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^\s/@"']*@/g, '://[redacted]@').replaceAll(/\?[^\s"']*/g, '?[redacted]');
}

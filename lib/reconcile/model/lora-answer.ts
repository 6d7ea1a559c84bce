import { findObject, isObject, type JsonObject, stringAt } from '../../json/index.ts';
import type { EffectResult } from '../snapshot.ts';

/** Why a call to load or unload failed, or nothing where it did not. A worker may say `error` in an answer of status 200. */
export function callFailure(call: 'load' | 'unload', result: EffectResult): string | undefined {
  if (!result.ok) return `failed to call ${call} LoRA endpoint: ${result.error}`;
  const { status = 0, body = '' } = result;
  if (isSuccess(status) && stringAt(parseBody(body), 'status') !== 'error') return undefined;
  return `${call} LoRA failed with status ${status}: ${excerpt(body)}`;
}

/** Whether a failed unload leaves open if the adapter was loaded at all: workers answer the same for a name they do not know. */
export function mayBeUnknown(result: EffectResult): boolean {
  return result.ok && (isSuccess(result.status ?? 0) || result.status === 404);
}

/** Names of the adapters a worker has loaded; nothing where it did not say. */
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

/** A worker's words for the log: short, on one line, and without what may be a password in an address. */
function excerpt(body: string): string {
  return withoutCredentials(body.slice(0, 300).replaceAll(/[\u0000-\u001f\u007f]/g, ' '));
}

/** A text without what may be a password or a signature in an address. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^\s/@"']*@/g, '://[redacted]@').replaceAll(/\?[^\s"']*/g, '?[redacted]');
}

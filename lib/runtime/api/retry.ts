import { ApiError, ConnectionError, isTooManyRequests } from './errors.ts';

/** Maximum number of tries of a request. */
export const maxTries = 8;

/**
 * How long to wait before a failed request may be sent again, in milliseconds; `undefined` when it may not.
 *
 * An answer with `Retry-After` means that the request had no effect. After a broken connection the effect of a write is unknown, so only reads are
 * repeated then.
 */
export function retryDelay(error: unknown, method: string, tries: number, random: () => number): number | undefined {
  if (tries >= maxTries) return undefined;
  if (error instanceof ApiError) {
    return askedDelay(error, random) ?? (isTooManyRequests(error) ? spread(1000, random) : undefined);
  }
  if (!(error instanceof ConnectionError)) return undefined;
  const isHarmless = error.code === 'unreachable' || (error.code === 'cut_off' && method === 'GET');
  return isHarmless && tries < 3 ? spread(50 * tries, random) : undefined;
}

/** How long a server that cannot answer now asks to wait, in milliseconds; `undefined` when it does not ask for that. */
export function askedDelay(error: unknown, random: () => number): number | undefined {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return undefined;
  const isBusy = error.status === 429 || error.status >= 500;
  return isBusy ? spread(Math.min(error.retryAfterSeconds, 30) * 1000, random) : undefined;
}

// Many clients get the same `Retry-After`: a random part spreads their retries.
function spread(milliseconds: number, random: () => number): number {
  return milliseconds * (1 + 0.2 * random());
}

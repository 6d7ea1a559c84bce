import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../json/index.ts';
import { ApiError, type StatusDetails } from './errors.ts';

/** The error in a `metav1.Status`, as answers to refused requests and error events of watches carry it. */
export function errorOfStatus(status: JsonObject, request: string, fallbackCode: number, retryAfterSeconds?: number): ApiError {
  const { code, reason, message } = status;
  const details = isObject(status['details']) ? detailsOf(status['details']) : undefined;
  const retryAfter = retryAfterSeconds ?? details?.retryAfterSeconds;
  return new ApiError({
    status: typeof code === 'number' ? code : fallbackCode,
    reason: typeof reason === 'string' ? reason : '',
    message: typeof message === 'string' && message !== '' ? message : `the server answered ${fallbackCode} to ${request}`,
    ...(details === undefined ? {} : { details }),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    request,
    isStatus: status['kind'] === 'Status',
  });
}

/** The error of an unsuccessful answer. A body that is not a `Status`, such as a proxy's page, is not quoted, nor are secrets of the request. */
export function errorOfAnswer(
  status: number,
  headers: IncomingHttpHeaders,
  body: unknown,
  request: string,
  secrets: readonly string[] = [],
): ApiError {
  const answer = isObject(body) && body['kind'] === 'Status' ? body : {};
  const { message } = answer;
  const fields = typeof message === 'string' ? { ...answer, message: without(message, secrets) } : answer;
  return errorOfStatus(fields, request, status, retryAfterSeconds(headers['retry-after']));
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '[redacted]')), text);
}

/** Messages of the `Warning` headers: `299 - "text"`. */
export function warningsOf(headers: IncomingHttpHeaders): readonly string[] {
  const header: unknown = headers['warning'];
  const values = Array.isArray(header) ? header.map(String) : typeof header === 'string' ? [header] : [];
  return values.map((value) => /^299 \S+ "(.*)"$/s.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? value);
}

// The API server sends seconds. A date, which proxies may send, is ignored.
function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function detailsOf(details: JsonObject): StatusDetails {
  const text = (key: string): string | undefined => (typeof details[key] === 'string' ? details[key] : undefined);
  const { retryAfterSeconds: seconds, causes } = details;
  return {
    ...optional('name', text('name')),
    ...optional('group', text('group')),
    ...optional('kind', text('kind')),
    ...optional('uid', text('uid')),
    ...optional('retryAfterSeconds', typeof seconds === 'number' && seconds > 0 ? seconds : undefined),
    ...(Array.isArray(causes) ? { causes: causes.filter(isObject).map(causeOf) } : {}),
  };
}

function causeOf(cause: JsonObject): { readonly field?: string; readonly reason?: string; readonly message?: string } {
  const text = (key: string): string | undefined => (typeof cause[key] === 'string' ? cause[key] : undefined);
  return { ...optional('field', text('field')), ...optional('reason', text('reason')), ...optional('message', text('message')) };
}

function optional<K extends string, V>(key: K, value: V | undefined): Readonly<Partial<Record<K, V>>> {
  const result: Partial<Record<K, V>> = {};
  if (value !== undefined) result[key] = value;
  return result;
}

/** Errors of requests to the API server. Callers use the functions below and never look at messages. */

/** The part of a `metav1.Status` that says why a request was refused. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[];
}

/** Fields of an `ApiError`. */
interface ApiErrorFields {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly retryAfterSeconds?: number;
  readonly request: string;
  /** @default - true if there is a reason */
  readonly isStatus?: boolean;
}

/** The API server refused a request, or sent an error event on a watch; the message is the server's own. */
export class ApiError extends Error {
  readonly code = 'api_error';
  /** HTTP status. */
  readonly status: number;
  /** Reason of the `Status`, such as `NotFound`; empty where it gives none, and where the answer was not a `Status`. */
  readonly reason: string;
  /** Whether the answer was a `Status`, as the API server's own answers are; false for the page of a proxy. */
  readonly isStatus: boolean;
  readonly details: StatusDetails | undefined;
  /** Seconds that the server asks to wait before a retry. */
  readonly retryAfterSeconds: number | undefined;
  /** Method and path asked, for logs. */
  readonly request: string;

  constructor({ status, reason, message, details, retryAfterSeconds, request, isStatus = reason !== '' }: ApiErrorFields) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.isStatus = isStatus;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.request = request;
  }
}

/** The API server could not be reached, or did not answer in time. */
export class ConnectionError extends Error {
  readonly code: 'unreachable' | 'timeout' | 'cut_off';

  constructor(code: ConnectionError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
    this.code = code;
  }
}

/** A kubeconfig, a credential or a proxy setting cannot be used. */
export class ConfigError extends Error {
  readonly code = 'invalid_configuration';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
  }
}

/** No such object, or no such kind. */
export const isNotFound = (error: unknown): boolean => matches(error, 'NotFound', 404);
/** The API server says that there is no such object. A 404 without a reason may come from a proxy, or from a server that does not serve the kind yet. */
export const isAbsent = (error: unknown): boolean => reasonOf(error) === 'NotFound';
/** An object of that name exists already. */
export const isAlreadyExists = (error: unknown): boolean => reasonOf(error) === 'AlreadyExists';
/** The object changed since it was read, or a precondition failed. */
export const isConflict = (error: unknown): boolean => matches(error, 'Conflict', 409);
/** The version asked for is no longer kept: list again. */
export const isGone = (error: unknown): boolean => matches(error, 'Expired', 410) || reasonOf(error) === 'Gone';
/** The object breaks a rule of its kind. */
export const isInvalid = (error: unknown): boolean => matches(error, 'Invalid', 422);
/** The user is not allowed to do that. */
export const isForbidden = (error: unknown): boolean => matches(error, 'Forbidden', 403);
/** The API server does not accept the credentials. */
export const isUnauthorized = (error: unknown): boolean => matches(error, 'Unauthorized', 401);
/** The request itself is malformed. */
export const isBadRequest = (error: unknown): boolean => matches(error, 'BadRequest', 400);
/** Too many requests. */
export const isTooManyRequests = (error: unknown): boolean => matches(error, 'TooManyRequests', 429);

// The order in which the original's metrics test an error.
const types: readonly (readonly [type: string, test: (error: unknown) => boolean])[] = [
  ['not_found', isNotFound],
  ['already_exists', isAlreadyExists],
  ['conflict', isConflict],
  ['validation', isInvalid],
  ['bad_request', isBadRequest],
  ['unauthorized', isUnauthorized],
  ['forbidden', isForbidden],
  ['timeout', (error) => matches(error, 'Timeout', 504)],
  ['server_timeout', (error) => reasonOf(error) === 'ServerTimeout'],
  ['unavailable', (error) => matches(error, 'ServiceUnavailable', 503)],
  ['rate_limited', isTooManyRequests],
];

/** The class of an error, as the label `error_type` of the reconcile metrics names it. */
export function errorType(error: unknown): string {
  return types.find(([, test]) => test(error))?.[0] ?? 'internal';
}

function apiErrorIn(error: unknown): ApiError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) if (current instanceof ApiError) return current;
  return undefined;
}

function reasonOf(error: unknown): string | undefined {
  return apiErrorIn(error)?.reason;
}

// A status alone counts only where the answer gave no reason: 409 is also AlreadyExists.
function matches(error: unknown, reason: string, status: number): boolean {
  const found = apiErrorIn(error);
  if (found === undefined) return false;
  return found.reason === reason || (found.status === status && (found.reason === '' || found.reason === 'Unknown'));
}

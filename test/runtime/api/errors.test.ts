import { describe, expect, test } from 'vitest';
import { ApiError, ConnectionError, errorType, isAlreadyExists, isConflict, isGone } from '../../../lib/runtime/api/errors.ts';
import { maxTries, retryDelay } from '../../../lib/runtime/api/retry.ts';
import { errorOfAnswer, warningsOf } from '../../../lib/runtime/api/status.ts';

const apiError = (status: number, reason = '', retryAfterSeconds?: number): ApiError =>
  new ApiError({
    status,
    reason,
    message: 'm',
    request: 'GET /x',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

describe('the class of an error', () => {
  test.each([
    [404, 'NotFound', 'not_found'],
    [404, '', 'not_found'],
    [409, 'AlreadyExists', 'already_exists'],
    [409, 'Conflict', 'conflict'],
    [409, '', 'conflict'],
    [422, 'Invalid', 'validation'],
    [400, 'BadRequest', 'bad_request'],
    [401, 'Unauthorized', 'unauthorized'],
    [403, 'Forbidden', 'forbidden'],
    [504, 'Timeout', 'timeout'],
    [500, 'ServerTimeout', 'server_timeout'],
    [503, 'ServiceUnavailable', 'unavailable'],
    [429, 'TooManyRequests', 'rate_limited'],
    [500, 'InternalError', 'internal'],
  ])('%i %s is %s', (status, reason, type) => {
    expect(errorType(apiError(status, reason))).toBe(type);
  });

  test('is found through wrapped errors', () => {
    expect(errorType(new Error('outer', { cause: new Error('inner', { cause: apiError(409, 'Conflict') }) }))).toBe('conflict');
    expect(errorType('no error at all')).toBe('internal');
  });

  test('tells an existing object from a conflict, and both forms of a lost version', () => {
    expect([isConflict(apiError(409, 'AlreadyExists')), isAlreadyExists(apiError(409, 'AlreadyExists'))]).toEqual([false, true]);
    expect([isGone(apiError(410, 'Expired')), isGone(apiError(410, 'Gone')), isGone(apiError(404))]).toEqual([true, true, false]);
  });
});

describe('a refusal', () => {
  test('carries what the Status says, and the wait of the header before that of the details', () => {
    const body = {
      kind: 'Status',
      code: 429,
      reason: 'TooManyRequests',
      message: 'slow down',
      details: { retryAfterSeconds: 5, causes: [{ field: 'spec', message: 'x' }] },
    };
    const error = errorOfAnswer(429, { 'retry-after': '2' }, body, 'GET /x');
    expect(error).toMatchObject({ status: 429, reason: 'TooManyRequests', message: 'slow down', retryAfterSeconds: 2 });
    expect(error.details?.causes).toEqual([{ field: 'spec', message: 'x' }]);
    expect(errorOfAnswer(429, {}, body, 'GET /x').retryAfterSeconds).toBe(5);
  });

  test('is known from the page of a proxy also where it gives no reason', () => {
    const status = { kind: 'Status', status: 'Failure', message: 'etcdserver: no leader', code: 500 };
    expect(errorOfAnswer(500, {}, status, 'GET /x')).toMatchObject({ reason: '', isStatus: true });
    expect(errorOfAnswer(404, {}, { kind: 'Error', reason: 'NotFound' }, 'GET /x')).toMatchObject({
      reason: '',
      isStatus: false,
    });
  });

  test('does not repeat the page of a proxy', () => {
    expect(errorOfAnswer(502, {}, '<html>secret</html>', 'GET /x')).toMatchObject({
      status: 502,
      isStatus: false,
      reason: '',
      message: 'the server answered 502 to GET /x',
    });
  });
});

describe('a failed request is sent again', () => {
  const half = (): number => 0.5;
  test.each([
    ['after the time the server names, a little spread', apiError(429, 'TooManyRequests', 2), 'POST', 2200],
    ['after a server error that names a time', apiError(503, 'ServiceUnavailable', 1), 'PUT', 1100],
    ['not after a server error that names none', apiError(500, 'InternalError'), 'GET', undefined],
    ['when asked too often without a time', apiError(429, 'TooManyRequests'), 'GET', 1100],
    ['after half a minute at most', apiError(429, '', 86_400), 'GET', 33_000],
    ['not after another refusal, whatever it names', apiError(409, 'Conflict', 1), 'PUT', undefined],
    ['when a read was cut off', new ConnectionError('cut_off', 'x'), 'GET', 55],
    ['not when a write was cut off: it may have been done', new ConnectionError('cut_off', 'x'), 'PUT', undefined],
    ['when a write never left', new ConnectionError('unreachable', 'x'), 'POST', 55],
    ['not when time ran out', new ConnectionError('timeout', 'x'), 'GET', undefined],
    ['not after an error of ours', new TypeError('x'), 'GET', undefined],
  ])('%s', (_, error, method, delay) => {
    const found = retryDelay(error, method, 1, half);
    expect(found === undefined ? undefined : Math.round(found)).toBe(delay);
  });

  test('a bounded number of times', () => {
    expect(retryDelay(apiError(429, '', 1), 'GET', maxTries, half)).toBeUndefined();
    expect(retryDelay(new ConnectionError('unreachable', 'x'), 'GET', 3, half)).toBeUndefined();
  });
});

test('reads the warnings of an answer', () => {
  const headers: Record<string, string[]> = { warning: ['299 - "unknown field \\"a\\""', 'odd'] };
  expect(warningsOf(headers)).toEqual(['unknown field "a"', 'odd']);
  expect(warningsOf({})).toEqual([]);
});

import { expect, test } from 'vitest';
import { answerProbe, createProbeServer, type HealthChecks } from '../../lib/runtime/health.ts';
import { parseListenAddress } from '../../lib/runtime/listen.ts';
import { startServerAt } from '../../lib/runtime/running-server.ts';
import { noLog } from '../../lib/runtime/logger.ts';

const alive: HealthChecks = { healthz: () => undefined };
const notReady: HealthChecks = { readyz: () => undefined, caches: () => 'DynamoModel is not listed yet' };
const answer = (url: string, readiness: HealthChecks = alive): unknown => answerProbe(url, alive, readiness, noLog);

test('answers ok when every check passes', () => {
  for (const url of ['/healthz', '/healthz/', '/healthz/healthz', '/readyz'])
    expect(answer(url)).toEqual({ status: 200, body: 'ok' });
});

test('lists checks when asked, and always when one fails, without the reason', () => {
  expect(answer('/healthz?verbose')).toEqual({ status: 200, body: '[+]healthz ok\nhealthz check passed\n' });
  expect(answer('/readyz', notReady)).toEqual({
    status: 500,
    body: '[-]caches failed: reason withheld\n[+]readyz ok\nhealthz check failed\n',
  });
});

test('leaves out excluded checks and says which it does not know', () => {
  expect(answer('/readyz?verbose&exclude=caches&exclude=nobody', notReady)).toEqual({
    status: 200,
    body: '[+]caches excluded: ok\n[+]readyz ok\nwarn: some health checks cannot be excluded: no matches for "nobody"\nhealthz check passed\n',
  });
});

test('tells the reason of a single check', () => {
  expect(answer('/readyz/caches', notReady)).toEqual({
    status: 500,
    body: 'internal server error: DynamoModel is not listed yet\n',
  });
});

test('knows no other path', () => {
  for (const url of ['/', '/metrics', '/readyz/nobody', '/readyz/toString', '/readyz/readyz/more', '//'])
    expect(answer(url)).toMatchObject({ status: 404 });
});

test('serves the answers with the headers of the original', async () => {
  const server = createProbeServer(alive, notReady, noLog);
  const { port, close } = await startServerAt(server, { host: '127.0.0.1', port: 0 });
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    await response.text();
  } finally {
    await close();
  }
});

test.each([
  [':8080', { port: 8080 }],
  ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['0', 'off'],
  ['', 'off'],
  ['8080', { problem: 'listen tcp: address 8080: missing port in address' }],
  [':http', { problem: 'listen tcp: address :http: invalid port' }],
  ['::1:80', { problem: 'listen tcp: address ::1:80: too many colons in address' }],
])('reads the address %j', (address, expected) => {
  expect(parseListenAddress(address)).toEqual(expected);
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HttpEffects } from '../../../lib/runtime/effects/http-effects.ts';
import { call, tcpServer, worker } from './workers.ts';

const never = new AbortController().signal;

const succeed = (_request: IncomingMessage, response: ServerResponse): void => {
  response.end('{"status":"success"}');
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('sends a load as the original does and gives back status and body', async () => {
  const seen: unknown[] = [];
  const { url } = await worker((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push([request.method, request.url, request.headers['content-type'], body]);
      response.writeHead(201).end('{"status":"success"}');
    });
  });
  const load = call(`${url}/v1/loras`, { body: { lora_name: 'org/ad', source: { uri: 's3://b/ad' } } });
  const results = await new HttpEffects().run([load], never);
  expect(results).toEqual({ [load.id]: { ok: true, status: 201, body: '{"status":"success"}' } });
  expect(seen).toEqual([['POST', '/v1/loras', 'application/json', '{"lora_name":"org/ad","source":{"uri":"s3://b/ad"}}']]);
});

test('sends an unload without body or content type, its path untouched', async () => {
  const seen: unknown[] = [];
  const { url } = await worker((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push([request.method, request.url, request.headers['content-type'], body]);
      response.writeHead(204).end();
    });
  });
  const { body: _body, ...unload } = call(`${url}/v1/loras/c%3Fd%23e/%2Fx`, { method: 'DELETE' });
  const results = await new HttpEffects().run([unload], never);
  expect(results[unload.id]).toEqual({ ok: true, status: 204, body: '' });
  expect(seen).toEqual([['DELETE', '/v1/loras/c%3Fd%23e/%2Fx', undefined, '']]);
});

test('gives a worker its time and no more', async () => {
  const { url } = await worker(() => {});
  const slow = call(url, { timeoutSeconds: 0.1 });
  expect(await new HttpEffects().run([slow], never)).toEqual({ [slow.id]: { ok: false, error: 'no answer within 0.1 s' } });
});

test('gives a server that takes the connection and says nothing its time and no more', async () => {
  const url = await tcpServer(() => {});
  const silent = call(url, { timeoutSeconds: 0.1 });
  expect(await new HttpEffects().run([silent], never)).toEqual({ [silent.id]: { ok: false, error: 'no answer within 0.1 s' } });
});

test('gives a server that stops in the middle of its answer its time and no more', async () => {
  const url = await tcpServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
  const half = call(url, { timeoutSeconds: 0.1 });
  expect(await new HttpEffects().run([half], never)).toEqual({ [half.id]: { ok: false, error: 'no answer within 0.1 s' } });
});

test('tells a refused connection, one that breaks off, garbage, and an address that is none', async () => {
  const closing = await tcpServer((socket) => socket.destroy());
  const garbage = await tcpServer((socket) => socket.end('\u0000\u0001 no HTTP at all\r\n\r\n'));
  const truncated = await tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
  const refusing = 'http://127.0.0.1:1';
  const nonsense = 'http://999.999.999.999:9090';
  const calls = [closing, garbage, truncated, refusing, nonsense].map((url) => call(url));
  const results = await new HttpEffects().run(calls, never);
  expect(calls.map(({ id }) => results[id]?.ok)).toEqual([false, false, false, false, false]);
  expect(results[refusing]).toEqual({ ok: false, error: expect.stringContaining('ECONNREFUSED') });
});

test('reads no more of an endless answer than its bound', async () => {
  let written = 0;
  const { url } = await worker((_request, response) => {
    const chunk = Buffer.alloc(1 << 16, 'x');
    const push = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', push);
    push();
  });
  const endless = call(url);
  const results = await new HttpEffects().run([endless], never);
  expect(results[endless.id]).toMatchObject({ ok: false });
  expect(written).toBeLessThan(64 << 20);
});

test('does not follow a redirect', async () => {
  const elsewhere = await worker(succeed);
  const { url } = await worker((_request, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/loras` }).end();
  });
  const redirected = call(url);
  expect(await new HttpEffects().run([redirected], never)).toEqual({ [redirected.id]: { ok: true, status: 307, body: '' } });
  expect(elsewhere.connections()).toBe(0);
});

test('goes past a proxy of the environment', async () => {
  const proxy = await worker(succeed);
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
  const { url, connections } = await worker(succeed);
  const direct = call(url);
  const results = await new HttpEffects().run([direct], never);
  vi.unstubAllEnvs();
  expect(results[direct.id]).toMatchObject({ ok: true, status: 200 });
  expect([connections(), proxy.connections()]).toEqual([1, 0]);
});

test('reaches 500 workers with ten connections at once, some of them failing', async () => {
  let served = 0;
  const { port, mostConnections } = await worker((request, response) => {
    served++;
    if (request.url === '/7') response.destroy();
    else response.writeHead(request.url === '/8' ? 500 : 200).end('{}');
  });
  const calls = Array.from({ length: 500 }, (_, index) =>
    call(`http://127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}:${port}/${index % 100}`, { id: `${index}` }),
  );
  const results = await new HttpEffects().run(calls, never);
  expect(Object.keys(results)).toHaveLength(500);
  expect(calls.filter(({ id }) => results[id]?.status === 200)).toHaveLength(490);
  expect(calls.filter(({ id }) => results[id]?.ok === false)).toHaveLength(5);
  expect(served).toBe(500);
  expect(mostConnections()).toBeLessThanOrEqual(10);
});

test('has three of ten tasks fail and gives ten results in their order', async () => {
  const { url } = await worker((request, response) => {
    response.writeHead(Number(request.url?.slice(1)) < 3 ? 500 : 200).end();
  });
  const calls = Array.from({ length: 10 }, (_, index) => call(`${url}/${index}`));
  const results = await new HttpEffects().run(calls, never);
  expect(calls.map(({ id }) => results[id]?.status)).toEqual([500, 500, 500, 200, 200, 200, 200, 200, 200, 200]);
});

test('lets no batch last longer than its time for each ten calls; what did not start by then has failed', async () => {
  const { url, connections } = await worker(() => {});
  const calls = Array.from({ length: 5 }, (_, index) => call(`${url}/${index}`));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const running = new HttpEffects({ atOnce: 2, waveSeconds: 0.1 }).run(calls, never);
  while (connections() < 2) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(1000 * 0.1 * 3);
  const results = await running;
  expect(new Set(Object.values(results).map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify({ ok: false, error: `the calls did not end within ${0.1 * 3} s` })]),
  );
  expect(Object.keys(results)).toHaveLength(5);
  expect(connections()).toBe(2);
});

test('gives ten calls at once 30 s, and 30 s more for every further ten', async () => {
  const { url, connections } = await worker(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isDone = false;
  const calls = Array.from({ length: 11 }, (_, index) => call(`${url}/${index}`, { timeoutSeconds: 1000 }));
  const running = new HttpEffects().run(calls, never).finally(() => (isDone = true));
  while (connections() < 10) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(59_900);
  expect([isDone, connections()]).toEqual([false, 10]);
  await vi.advanceTimersByTimeAsync(200);
  expect(Object.values(await running)).toEqual(
    Array.from({ length: 11 }, () => ({ ok: false, error: 'the calls did not end within 60 s' })),
  );
});

test('never has two calls under way for one worker and name, even from two batches', async () => {
  let underWay = 0;
  let most = 0;
  const { url } = await worker((_request, response) => {
    most = Math.max(most, ++underWay);
    setImmediate(() => {
      underWay--;
      response.end();
    });
  });
  const effects = new HttpEffects();
  const batch = (name: string): Promise<unknown> =>
    effects.run(
      Array.from({ length: 10 }, (_, index) => call(`${url}/${index}`, { id: `${name} ${index}`, exclusive: `${url} a` })),
      never,
    );
  await Promise.all([batch('one'), batch('two')]);
  expect(most).toBe(1);
});

test('a call that waits for another is not made when its batch is stopped', async () => {
  const [stopFirst, stopSecond] = [new AbortController(), new AbortController()];
  const { url, connections } = await worker(() => stopSecond.abort(new Error('second stopped')));
  const effects = new HttpEffects();
  const first = effects.run([call(url, { id: 'first', exclusive: 'same' })], stopFirst.signal);
  const second = effects.run([call(url, { id: 'second', exclusive: 'same' })], stopSecond.signal);
  await expect(second).rejects.toThrow('second stopped');
  stopFirst.abort(new Error('first stopped'));
  await expect(first).rejects.toThrow('first stopped');
  expect(connections()).toBe(1);
});

test('stops calls under way when the operator stops, and starts no more', async () => {
  const stop = new AbortController();
  let requests = 0;
  const { url } = await worker(() => {
    if (++requests === 10) stop.abort(new Error('the operator stops'));
  });
  const calls = Array.from({ length: 50 }, (_, index) => call(`${url}/${index}`));
  await expect(new HttpEffects().run(calls, stop.signal)).rejects.toThrow('the operator stops');
  expect(requests).toBe(10);
});

test('does nothing for no calls, and refuses to work with nobody', async () => {
  expect(await new HttpEffects().run([], never)).toEqual({});
  expect(() => new HttpEffects({ atOnce: 0 })).toThrow('maxWorkers must be at least 1, got 0');
});

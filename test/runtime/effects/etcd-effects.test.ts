import { expect, test } from 'vitest';
import { deleteEtcdKeys, type EtcdEffect } from '../../../lib/runtime/effects/etcd-effects.ts';
import { tcpServer, worker } from './workers.ts';

const never = new AbortController().signal;
const effect: EtcdEffect = { effect: 'etcdDelete', id: 'x', prefix: '/ns/components/worker', timeoutSeconds: 5 };
const decode = (text: unknown): string | undefined =>
  typeof text === 'string' ? Buffer.from(text, 'base64').toString() : undefined;

test('deletes the key and what is below it, but not the keys of a longer name', async () => {
  const ranges: unknown[] = [];
  const { url } = await worker((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { key, range_end } = JSON.parse(text) as Record<string, unknown>;
      ranges.push([request.url, decode(key), decode(range_end)]);
      response.end('{"deleted":"1"}');
    });
  });
  expect(await deleteEtcdKeys(effect, url.replace('http://', ''), never)).toEqual({ ok: true });
  expect(ranges).toEqual([
    ['/v3/kv/deleterange', '/ns/components/worker', undefined],
    ['/v3/kv/deleterange', '/ns/components/worker/', '/ns/components/worker0'],
  ]);
});

test('asks the next member where one refuses', async () => {
  const { url, connections } = await worker((_request, response) => response.end('{}'));
  expect(await deleteEtcdKeys(effect, `http://127.0.0.1:1, ${url}`, never)).toEqual({ ok: true });
  expect(connections()).toBe(1);
});

test('fails within its time against a member that says nothing, and tells no address', async () => {
  const silent = await tcpServer(() => {});
  const withPassword = silent.replace('http://', 'http://root:secret@');
  const result = await deleteEtcdKeys({ ...effect, timeoutSeconds: 0.1 }, `${withPassword},${silent}`, never);
  expect(result).toEqual({ ok: false, error: 'no answer within 0.1 s' });
});

test('fails where etcd answers with an error, and where no address is given', async () => {
  const { url } = await worker((_request, response) => response.writeHead(503).end('{"error":"no leader"}'));
  expect(await deleteEtcdKeys(effect, url, never)).toEqual({ ok: false, error: 'etcd answered with status 503' });
  expect(await deleteEtcdKeys(effect, '', never)).toEqual({ ok: false, error: 'no etcd address is configured' });
});

test('ends when the operator stops', async () => {
  const stop = new AbortController();
  const silent = await tcpServer(() => stop.abort(new Error('the operator stops')));
  await expect(deleteEtcdKeys(effect, silent, stop.signal)).rejects.toThrow('the operator stops');
});

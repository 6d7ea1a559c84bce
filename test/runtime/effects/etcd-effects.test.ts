import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { etcdAccess } from '../../../lib/runtime/effects/etcd-access.ts';
import { deleteEtcdKeys, type EtcdEffect } from '../../../lib/runtime/effects/etcd-effects.ts';
import { issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { tcpServer, worker } from './workers.ts';

const open = etcdAccess({});
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
  expect(await deleteEtcdKeys(effect, url.replace('http://', ''), open, never)).toEqual({ ok: true });
  expect(ranges).toEqual([
    ['/v3/kv/deleterange', '/ns/components/worker', undefined],
    ['/v3/kv/deleterange', '/ns/components/worker/', '/ns/components/worker0'],
  ]);
});

test('asks the next member where one refuses', async () => {
  const { url, connections } = await worker((_request, response) => response.end('{}'));
  expect(await deleteEtcdKeys(effect, `http://127.0.0.1:1, ${url}`, open, never)).toEqual({ ok: true });
  expect(connections()).toBe(1);
});

test('fails within its time against a member that says nothing, and tells no address', async () => {
  const silent = await tcpServer(() => {});
  const withPassword = silent.replace('http://', 'http://root:secret@');
  const result = await deleteEtcdKeys({ ...effect, timeoutSeconds: 0.1 }, `${withPassword},${silent}`, open, never);
  expect(result).toEqual({ ok: false, error: 'no answer within 0.1 s' });
});

test('fails where etcd answers with an error, and where no address is given', async () => {
  const { url } = await worker((_request, response) => response.writeHead(503).end('{"error":"no leader"}'));
  expect(await deleteEtcdKeys(effect, url, open, never)).toEqual({ ok: false, error: 'etcd answered with status 503' });
  expect(await deleteEtcdKeys(effect, '', open, never)).toEqual({ ok: false, error: 'no etcd address is configured' });
});

test('says so where no member has an address', async () => {
  const { url } = await worker((_request, response) => response.writeHead(503).end('{}'));
  // A name that no name server needs to be asked about.
  const nowhere = 'etcd..nowhere:2379';
  const error = 'getaddrinfo ENOTFOUND etcd..nowhere';
  expect(await deleteEtcdKeys(effect, nowhere, open, never)).toEqual({ ok: false, error, isAbsent: true });
  expect(await deleteEtcdKeys(effect, `${nowhere},${url}`, open, never)).toEqual({
    ok: false,
    error: `${error}; etcd answered with status 503`,
  });
});

test('ends when the operator stops', async () => {
  const stop = new AbortController();
  const silent = await tcpServer(() => stop.abort(new Error('the operator stops')));
  await expect(deleteEtcdKeys(effect, silent, open, stop.signal)).rejects.toThrow('the operator stops');
});

/** An etcd that speaks TLS, asks for a certificate and a user, and tells what each call showed. */
async function guardedEtcd() {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-etcd-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [own, client] = await Promise.all([issueCertificate(['localhost'], new Date()), issueCertificate(['us'], new Date())]);
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const seen: unknown[] = [];
  const tls = { cert: own.certificate, key: own.key, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    void text(request).then((body) => {
      const certificate = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject?.CN : undefined;
      const { name, password } = JSON.parse(body) as Record<string, unknown>;
      seen.push([request.url, certificate, request.headers.authorization]);
      if (request.url !== '/v3/auth/authenticate') response.end('{}');
      else if (name === 'root' && password === 'p@ss') response.end('{"token":"t.1"}');
      else response.writeHead(400).end('{"error":"authentication failed"}');
    });
  }).listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const files = { ETCD_AUTH_CA: file('ca.crt', own.authority), ETCD_AUTH_CLIENT_CERT: file('tls.crt', client.certificate) };
  return { port, seen, environment: { ...files, ETCD_AUTH_CLIENT_KEY: file('tls.key', client.key) } };
}

test('shows certificate and token to an etcd that asks for them', async () => {
  const { port, seen, environment } = await guardedEtcd();
  const access = etcdAccess({ ...environment, ETCD_AUTH_USERNAME: 'root', ETCD_AUTH_PASSWORD: 'p@ss' });
  expect(await deleteEtcdKeys(effect, `localhost:${port}`, access, never)).toEqual({ ok: true });
  const asUser = ['/v3/kv/deleterange', 'us', 't.1'];
  expect(seen.splice(0)).toEqual([['/v3/auth/authenticate', 'us', undefined], asUser, asUser]);
  // A user in the address goes before that of the environment.
  const named = `https://root:p%40ss@localhost:${port}`;
  expect(await deleteEtcdKeys(effect, named, etcdAccess({ ...environment, ETCD_AUTH_USERNAME: 'other' }), never)).toEqual({
    ok: true,
  });
});

test('fails against an etcd that does not know the user, or that nobody vouches for, and tells no password', async () => {
  const { port, environment } = await guardedEtcd();
  const wrong = etcdAccess({ ...environment, ETCD_AUTH_USERNAME: 'root', ETCD_AUTH_PASSWORD: 'wrong' });
  expect(await deleteEtcdKeys(effect, `localhost:${port}`, wrong, never)).toEqual({
    ok: false,
    error: 'etcd answered with status 400',
  });
  const stranger = await deleteEtcdKeys(effect, `https://root:p%40ss@localhost:${port}`, open, never);
  expect(stranger).toEqual({ ok: false, error: expect.stringMatching(/certificate/) });
});

import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Discovery } from '../../../lib/runtime/api/discovery.ts';
import { answeringClient } from '../answering-client.ts';

const key = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a' };

test('takes a redirect for a refusal, and does not follow it', async () => {
  const asked: string[] = [];
  const client = await answeringClient(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(302, { location: '/login', 'content-type': 'application/json' }).end('{"kind":"ConfigMap"}');
  });
  await expect(client.get(key)).rejects.toMatchObject({ status: 302, message: expect.stringContaining('answered 302 to GET') });
  expect(asked).toEqual(['/api/v1/namespaces/n/configmaps/a']);
});

test('takes the answer that nothing has changed', async () => {
  // A cache on the way may name the type of the body that it leaves out (RFC 9110, section 15.4.5).
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const client = await answeringClient((_, response) => void response.writeHead(304, headers).end());
    expect(await client.transport.request({ method: 'GET', path: '/apis' })).toMatchObject({ status: 304 });
  }
});

test('takes a refusal for one also where its body is not the JSON that its header promises', async () => {
  const client = await answeringClient((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end();
  });
  await expect(client.create({ ...key, metadata: { namespace: 'n', name: 'a' } })).rejects.toMatchObject({ status: 403 });
  await expect(client.transport.stream({ method: 'GET', path: '/x' }, () => {})).rejects.toMatchObject({ status: 403 });
});

test('sends a write again that the server refuses for the moment, also without a body', async () => {
  let refusals = 0;
  const client = await answeringClient((_, response) => {
    refusals += 1;
    if (refusals < 3) response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end();
    else response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ ...key, metadata: { name: 'a' } }));
  });
  expect(await client.create({ ...key, metadata: { namespace: 'n', name: 'a' } })).toMatchObject({ metadata: { name: 'a' } });
  expect(refusals).toBe(3);
});

test('repeats no credential that a server or a proxy repeats', async () => {
  const answer: RequestListener = ({ headers: { authorization } }, response) => {
    const status = { kind: 'Status', code: 403, reason: 'Forbidden', message: `who is ${authorization}?` };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(status));
  };
  const client = await answeringClient(answer, {}, { token: { data: 'a-token' } });
  await expect(client.get(key)).rejects.toMatchObject({ message: 'who is Bearer [redacted]?' });
  const stream = client.transport.stream({ method: 'GET', path: '/x' }, () => {});
  await expect(stream).rejects.toMatchObject({ message: 'who is Bearer [redacted]?' });
});

test.each(['', '.', '..', 'a/b', 'a%2Fb'])(
  'finds nothing by the name %j, which no object can have, and asks for nothing',
  async (name) => {
    const asked: string[] = [];
    const client = await answeringClient(({ url = '' }, response) => {
      asked.push(url);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"apiVersion":"v1","kind":"ConfigMapList","items":[]}');
    });
    expect(await client.find({ ...key, name })).toBeUndefined();
    expect(asked).toEqual([]);
  },
);

test('lists everything once, without pages, when the version of the first pages is gone', async () => {
  const asked: string[] = [];
  const client = await answeringClient(({ url = '' }, response) => {
    const query = new URL(url, 'http://server').searchParams;
    asked.push(query.toString());
    const item = (name: string) => ({ metadata: { namespace: 'n', name } });
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (query.get('continue') === 'second') send(410, { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });
    else if (query.has('limit')) send(200, { metadata: { resourceVersion: '1', continue: 'second' }, items: [item('a')] });
    else send(200, { metadata: { resourceVersion: '9' }, items: [item('a'), item('b')] });
  });
  const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const { items, resourceVersion } = await client.list(kind, { labelSelector: 'app=x' }, (object) => object);
  expect(items).toEqual(['a', 'b'].map((name) => ({ ...kind, metadata: { namespace: 'n', name } })));
  expect([resourceVersion, asked]).toEqual([
    '9',
    ['labelSelector=app%3Dx&limit=500', 'labelSelector=app%3Dx&limit=500&continue=second', 'labelSelector=app%3Dx'],
  ]);
});

test('asks once where a kind it does not know is served, and takes no subresource for it', async () => {
  const asked: string[] = [];
  const client = await answeringClient(({ url = '' }, response) => {
    asked.push(url);
    const kind = 'Widget';
    const resources = ['widgets/status', 'widgets'].map((name) => ({ name, kind, namespaced: true }));
    const object = { apiVersion: 'example.com/v1', kind, metadata: { namespace: 'n', name: 'a' } };
    const body = url === '/apis/example.com/v1' ? { kind: 'APIResourceList', resources } : object;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'n', name: 'a' };
  for (let times = 0; times < 2; times += 1) expect(await client.get(widget)).toMatchObject({ kind: 'Widget' });
  const path = '/apis/example.com/v1/namespaces/n/widgets/a';
  expect(asked).toEqual(['/apis/example.com/v1', path, path]);
  await expect(client.get({ ...widget, kind: 'Gadget' })).rejects.toMatchObject({
    status: 404,
    message: 'no matches for kind "Gadget" in version "example.com/v1"; is its CRD installed?',
  });
});

describe('a page that a proxy answers with 200 is no answer of the API server', () => {
  const pages: readonly RequestListener[] = [
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Back soon</html>'),
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"metadata":{}}'),
  ];
  const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const notTaken = { code: 'cut_off' };

  test.each(pages)('nothing is absent, deleted or not served for it', async (page) => {
    const client = await answeringClient(page);
    await expect(client.list(kind, {}, (object) => object)).rejects.toMatchObject(notTaken);
    await expect(new Discovery(client.transport).ask()).rejects.toMatchObject(notTaken);
    await expect(client.find({ ...key, apiVersion: 'example.com/v1' })).rejects.toMatchObject(notTaken);
  });

  test('nothing was read, written or deleted', async () => {
    const client = await answeringClient(pages[0] ?? (() => {}));
    const object = { ...kind, metadata: { namespace: 'n', name: 'a' } };
    await expect(client.find(key)).rejects.toMatchObject(notTaken);
    await expect(client.create(object)).rejects.toMatchObject(notTaken);
    await expect(client.update(object)).rejects.toMatchObject(notTaken);
    await expect(client.delete(key)).rejects.toMatchObject(notTaken);
  });

  test('an empty list may come without items', async () => {
    const list = { kind: 'ConfigMapList', metadata: { resourceVersion: '7' }, items: null };
    const client = await answeringClient((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
    });
    expect(await client.list(kind, {}, (object) => object)).toEqual({ items: [], resourceVersion: '7' });
  });
});

/** How writes are carried out if the answer of the API server shows that the cache was outdated. */
import type { KubernetesObject } from '../../../lib/api/index.ts';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ObjectKey, ObjectKind, Write } from '../../../lib/reconcile/index.ts';
import { carryOut, type WriteContext } from '../../../lib/runtime/controllers/carry-out.ts';
import { answeringClient } from '../answering-client.ts';

const target: ObjectKey = { apiVersion: 'v1', kind: 'Service', namespace: 'n', name: 'a' };
const live: KubernetesObject = { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'n', name: 'a', uid: 'theirs' } };

/** Carries one write out against a server that refuses everything, and says what was remembered of it. */
async function refusedWith(code: number, reason: string, write: Write, found: KubernetesObject | null, more = {}) {
  return answeredWith(code, JSON.stringify({ kind: 'Status', reason, code, message: reason }), write, found, more);
}

async function answeredWith(
  code: number,
  body: string,
  write: Write,
  found: KubernetesObject | null = live,
  more: Partial<WriteContext> = {},
) {
  const client = await answeringClient((_, response) => {
    const type = body.startsWith('{') ? 'application/json' : 'text/html';
    response.writeHead(code, { 'content-type': type }).end(body);
  });
  const remembered: string[] = [];
  const answers = {
    put: ({ metadata }: KubernetesObject) => void remembered.push(`there: ${metadata.name}`),
    has: () => false,
    remove: () => {},
    reread: async () => found,
  };
  const context = { client: client.with({ retry: false }), answers, creations: new Map(), wrote: () => {}, rest: () => {} };
  const outcome = await carryOut([[write]], new Map(), { ...context, ...more }, new AbortController().signal);
  return { outcome: outcome.outcome, remembered };
}

const deletion: Write = { verb: 'delete', target, uid: 'ours' };
const creation: Write = {
  verb: 'create',
  target,
  object: { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'n', name: 'a' } },
};

test.each([401, 429, 500, 503])(
  'an answer %d says nothing about a write: the pass fails, and no refusal is told',
  async (code) => {
    for (const write of [creation, deletion])
      await expect(refusedWith(code, '', write, null)).rejects.toMatchObject({ status: code });
  },
);

const patch: Write = { verb: 'patch', target, patch: [] };
const page = '<html>not here</html>';

test.each([302, 400, 403, 404, 405, 407, 408, 409, 410, 421, 422, 500, 502])(
  'the page %d of a proxy says nothing about a write, however long it lasts: the pass fails',
  async (code) => {
    for (const write of [creation, patch, deletion])
      await expect(answeredWith(code, page, write, live, { failsLastingly: true })).rejects.toMatchObject({ status: code });
  },
);

test('a body that is too large for a proxy is refused for good', async () => {
  expect(await answeredWith(413, page, patch)).toEqual({ outcome: 'refused', remembered: [] });
});

test('a creation of a kind that is not served is refused, though by a page', async () => {
  const serves = ({ kind }: ObjectKind): boolean => kind !== 'Service';
  expect(await answeredWith(404, '404 page not found', creation, null, { serves })).toEqual({
    outcome: 'refused',
    remembered: [],
  });
});

test.each([
  [500, 'InternalError', 'refused'],
  [500, '', 'refused'],
  [500, 'ServerTimeout', undefined],
  [503, 'ServiceUnavailable', undefined],
  [504, 'Timeout', undefined],
])('an error %d %s that lasts is %s', async (code, reason, outcome) => {
  const answer = refusedWith(code, reason, patch, live, { failsLastingly: true });
  if (outcome === undefined) await expect(answer).rejects.toMatchObject({ status: code });
  else expect(await answer).toMatchObject({ outcome });
});

test('a deletion of what is gone already is done', async () => {
  expect(await refusedWith(404, 'NotFound', deletion, null)).toEqual({ outcome: 'done', remembered: [] });
});

test('a deletion is that of one object and of what it owns', async () => {
  const sent: unknown[] = [];
  const client = await answeringClient((request, response) => {
    const answer = (): unknown =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status' }));
    if (request.method === 'DELETE') void json(request).then((body) => sent.push(body) && answer());
    else answer();
  });
  const answers = { put: () => {}, has: () => false, remove: () => {}, reread: async () => null };
  const context = { client, answers, creations: new Map(), wrote: () => {}, rest: () => {} };
  await carryOut([[deletion]], new Map(), context, new AbortController().signal);
  expect(sent).toEqual([
    { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'ours' }, propagationPolicy: 'Background' },
  ]);
});

test('a creation of what is there already is looked at again, as it is', async () => {
  expect(await refusedWith(409, 'AlreadyExists', creation, live)).toEqual({ outcome: 'stale', remembered: ['there: a'] });
});

test('a refusal for good is no reason to look again', async () => {
  expect(await refusedWith(403, 'Forbidden', creation, null)).toEqual({ outcome: 'refused', remembered: [] });
});

test('a creation that a quota refuses is looked at again if the object is there', async () => {
  expect(await refusedWith(403, 'Forbidden', creation, live)).toEqual({ outcome: 'stale', remembered: ['there: a'] });
  expect(await refusedWith(403, 'Forbidden', deletion, live)).toEqual({ outcome: 'refused', remembered: [] });
});

test('a step of thousands of writes lets none wait so long that its time is up, and ends with a refusal', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `s${index}`);
  const creations = names.map((name): Write => ({
    ...creation,
    target: { ...target, name },
    object: { ...live, metadata: { namespace: 'n', name } },
  }));
  let [sent, waiting, most] = [0, 0, 0];
  const client = await answeringClient((request, response) => {
    void json(request).then(() => {
      sent += 1;
      const isRefused = sent > 1000;
      const status = { kind: 'Status', reason: 'Forbidden', code: 403, message: 'exceeded quota' };
      response
        .writeHead(isRefused ? 403 : 201, { 'content-type': 'application/json' })
        .end(JSON.stringify(isRefused ? status : live));
    });
  });
  const observed = client.with({});
  observed.create = async (...args) => {
    most = Math.max(most, (waiting += 1));
    return client.create(...args).finally(() => (waiting -= 1));
  };
  const done: string[] = [];
  const answers = { put: () => {}, has: () => false, remove: () => {}, reread: async () => null };
  const wrote = ({ target: { name } }: Write): void => void done.push(name);
  const context = { client: observed, answers, creations: new Map(), wrote, rest: () => {} };
  const outcome = await carryOut([creations], new Map(), context, new AbortController().signal);
  expect(outcome).toMatchObject({ outcome: 'refused', refused: { write: expect.any(Number), message: 'exceeded quota' } });
  expect(done).toHaveLength(1000);
  expect(most).toBeLessThanOrEqual(100);
  expect(sent).toBeLessThanOrEqual(1100);
});

test('two passes that begin to make one object at the same moment send one creation', async () => {
  let sent = 0;
  const client = await answeringClient((_, response) => {
    sent += 1;
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(live));
  });
  const known = new Set<string>();
  const answers = {
    put: ({ metadata }: KubernetesObject) => void known.add(metadata.name),
    has: ({ name }: ObjectKey) => known.has(name),
    remove: () => {},
    reread: async () => live,
  };
  const context = { client, answers, creations: new Map(), wrote: () => {}, rest: () => {} };
  const make = () => carryOut([[creation]], new Map(), context, new AbortController().signal);
  expect((await Promise.all([make(), make(), make()])).map(({ outcome }) => outcome)).toEqual(['done', 'stale', 'stale']);
  expect(sent).toBe(1);
});

test('a pass rests once nothing but its status is left, and not before', async () => {
  const order: string[] = [];
  const client = await answeringClient((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }));
  });
  const status: Write = { verb: 'status', target, object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } } };
  const context = {
    client,
    answers: { put: () => {}, has: () => false, remove: () => {}, reread: async () => null },
    creations: new Map(),
    wrote: ({ verb }: Write) => void order.push(verb),
    rest: () => void order.push('rest'),
  };
  const { signal } = new AbortController();
  await carryOut([[creation, status]], new Map(), context, signal);
  expect(order.toSorted()).toEqual(['create', 'status']);
  await carryOut([[creation], [status]], new Map(), context, signal);
  expect(order.slice(2)).toEqual(['create', 'rest', 'status']);
});

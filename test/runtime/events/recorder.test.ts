import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { subdomainProblem } from '../../../lib/api/name-rules.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import type { KubernetesObject } from '../../../lib/api/index.ts';
import { Transport } from '../../../lib/runtime/api/transport.ts';
import { EventWriter } from '../../../lib/runtime/events/recorder.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import { DrivenClock } from '../driven-clock.ts';
import { MemoryApiServer } from '../memory-api-server.ts';

type Answer = 'take' | 'fail' | 'send a page' | 'refuse' | 'know no such user' | 'take, and hang up';

/** A server that takes every event, unless told otherwise of the first ones. */
async function eventServer(...first: readonly Answer[]) {
  const answers = first.values();
  const names = new Set<string>();
  const messages: string[] = [];
  const underWay = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    void text(request).then((body) => {
      underWay.now -= 1;
      const { metadata, message } = JSON.parse(body);
      const answer = answers.next().value ?? 'take';
      const refuse = (code: number, reason: string): void => {
        const status = JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message: reason });
        response.writeHead(code, { 'content-type': 'application/json' }).end(status);
      };
      if (answer === 'send a page') response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
      else if (answer === 'fail') refuse(500, 'InternalError');
      else if (answer === 'refuse') refuse(403, 'Forbidden');
      else if (answer === 'know no such user') refuse(401, 'Unauthorized');
      else if (names.has(metadata.name)) refuse(409, 'AlreadyExists');
      else {
        names.add(metadata.name);
        messages.push(String(message));
        if (answer === 'take') response.writeHead(201, { 'content-type': 'application/json' }).end(body);
        else response.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const transport = new Transport(
    { server: `http://127.0.0.1:${port}`, insecureSkipTlsVerify: false, namespace: 'default' },
    { userAgent: 'test' },
  );
  onTestFinished(async () => {
    await transport.close();
    server.close();
  });
  return { messages, names, underWay, client: new ApiClient(transport) };
}

test('writes every event of a flood, those of one object in the order they were told', async () => {
  const { messages, underWay, client } = await eventServer();
  const writer = new EventWriter({ client, clock: new DrivenClock(), log: noLog });
  const recorder = writer.recorder('dynamographdeployment');
  const expected: string[] = [];
  for (let round = 0; round < 3; round += 1)
    for (let index = 0; index < 500; index += 1) {
      const name = `g${index}`;
      const uid = `00000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
      const message = `${name} ${round}`;
      expected.push(message);
      const metadata = { name, namespace: 'demo', uid };
      recorder.record({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, { type: 'Normal', reason: 'Told', message });
    }
  await writer.flush();
  expect(messages.toSorted()).toEqual(expected.toSorted());
  for (let index = 0; index < 500; index += 1)
    expect(messages.filter((message) => message.startsWith(`g${index} `))).toEqual(
      [0, 1, 2].map((round) => `g${index} ${round}`),
    );
  expect(underWay.most).toBeLessThanOrEqual(4);
});

test('writes more events than may wait at once, one flood after the other', async () => {
  const { messages, client } = await eventServer();
  const writer = new EventWriter({ client, clock: new DrivenClock(), log: noLog });
  const recorder = writer.recorder('dynamographdeployment');
  const tell = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const uid = `00000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
      const metadata = { name: `g${index}`, namespace: 'demo', uid };
      recorder.record({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, { type: 'Normal', reason: 'Told', message: `${index}` });
    }
  };
  tell(5100);
  await writer.flush();
  expect(messages).toHaveLength(5000);
  messages.length = 0;
  writer.recorder('dynamomodel').record(subject, told('after the flood'));
  await writer.flush();
  expect(messages).toEqual(['after the flood']);
});

const subject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'demo', uid: '00' } };
const told = (message: string) => ({ type: 'Normal', reason: 'Told', message }) as const;

test.each<Answer>(['fail', 'send a page'])('writes an event once although servers %s and answers are lost', async (failure) => {
  const { messages, client } = await eventServer(failure, 'take, and hang up');
  const clock = new DrivenClock();
  const writer = new EventWriter({ client, clock, log: noLog });
  const recorder = writer.recorder('dynamographdeployment');
  recorder.record(subject, told('one'));
  recorder.record(subject, told('two'));
  await clock.until(() => clock.dueIn(500));
  await clock.advance(500);
  await clock.until(() => clock.dueIn(1000));
  await clock.advance(1000);
  await writer.flush();
  expect(messages).toEqual(['one', 'two']);
});

test('writes an event although the server does not accept the token for a while', { timeout: 30_000 }, async () => {
  const { messages, client } = await eventServer('know no such user', 'know no such user');
  const clock = new DrivenClock();
  const writer = new EventWriter({ client, clock, log: noLog });
  writer.recorder('dynamographdeployment').record(subject, told('one'));
  for (const wait of [500, 1000]) {
    await clock.until(() => clock.dueIn(wait));
    await clock.advance(wait);
  }
  await writer.flush();
  expect(messages).toEqual(['one']);
});

test('does not try again what the server refuses', async () => {
  const { messages, client } = await eventServer('refuse');
  const clock = new DrivenClock();
  const writer = new EventWriter({ client, clock, log: noLog });
  const recorder = writer.recorder('dynamographdeployment');
  recorder.record(subject, told('one'));
  recorder.record(subject, told('two'));
  await writer.flush();
  expect(messages).toEqual(['two']);
});

test('tries once more when it is to end, and waits no longer', async () => {
  const { messages, client } = await eventServer('fail', 'take', 'fail');
  const clock = new DrivenClock();
  const writer = new EventWriter({ client, clock, log: noLog });
  const recorder = writer.recorder('dynamographdeployment');
  recorder.record(subject, told('one'));
  recorder.record(subject, told('two'));
  await clock.until(() => clock.dueIn(500));
  await writer.flush();
  expect(messages).toEqual(['one']);
});

test('names events as the API server allows, wherever the name of their object is cut', async () => {
  const { names, client } = await eventServer();
  const writer = new EventWriter({ client, clock: new DrivenClock(), log: noLog });
  for (const end of ['', ...['-', '.', '0'].map((mark) => `${'b'.repeat(228)}${mark}${'c'.repeat(23)}`)]) {
    const name = `a${end}`;
    expect(subdomainProblem(name)).toBeUndefined();
    writer.recorder('dynamomodel').record({ ...subject, metadata: { ...subject.metadata, name } }, told(name));
  }
  await writer.flush();
  expect(names.size).toBe(4);
  expect([...names].flatMap((name) => subdomainProblem(name) ?? [])).toEqual([]);
});

/** A writer in front of a server that keeps what is written. */
async function keptEvents() {
  const server = await MemoryApiServer.start();
  const config = { server: server.url, insecureSkipTlsVerify: false, namespace: 'default' };
  const transport = new Transport(config, { userAgent: 'test' });
  onTestFinished(async () => {
    await transport.close();
    await server.stop();
  });
  const clock = new DrivenClock();
  const writer = new EventWriter({ client: new ApiClient(transport), clock, log: noLog });
  return { server, clock, writer, recorder: writer.recorder('dynamographdeployment') };
}

test('counts a repeated event, and writes it anew once the server has forgotten it', async () => {
  const { server, clock, writer, recorder } = await keptEvents();
  for (let times = 0; times < 3; times += 1) recorder.record(subject, told('one'));
  recorder.record(subject, told('other'));
  await writer.flush();
  const [one] = server.store.all();
  expect(server.store.all()).toMatchObject([
    {
      message: 'one',
      count: 3,
      involvedObject: { name: 'c', namespace: 'demo', uid: '00' },
      source: { component: 'dynamographdeployment' },
    },
    { message: 'other', count: 1 },
  ]);
  for (const { apiVersion, kind, metadata } of server.store.all() as readonly KubernetesObject[])
    server.store.delete({ apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name });
  await clock.advance(5000);
  recorder.record(subject, told('one'));
  await writer.flush();
  const [again] = server.store.all();
  expect(again).toMatchObject({ message: 'one', count: 1, firstTimestamp: '2026-01-01T00:00:05Z' });
  expect(again?.['metadata']).not.toEqual(one?.['metadata']);
});

test('writes 25 events of one source and type about an object at once, then one more every five minutes', async () => {
  const { server, clock, writer, recorder } = await keptEvents();
  const count = async (): Promise<number> => {
    await writer.flush();
    return server.store.all().length;
  };
  for (let times = 0; times < 30; times += 1) recorder.record(subject, told(`${times}`));
  expect(await count()).toBe(25);
  recorder.record(subject, { ...told('warning'), type: 'Warning' });
  writer.recorder('dynamomodel').record(subject, told('of another source'));
  recorder.record({ ...subject, metadata: { ...subject.metadata, uid: '01' } }, told('about another object'));
  expect(await count()).toBe(28);
  await clock.advance(299_000);
  recorder.record(subject, told('too early'));
  expect(await count()).toBe(28);
  await clock.advance(1000);
  for (let times = 0; times < 2; times += 1) recorder.record(subject, told(`late ${times}`));
  expect(await count()).toBe(29);
});

test('awaits the events of an object without a uid too, such as a Lease it has not read', async () => {
  const { server, writer, recorder } = await keptEvents();
  recorder.record({ ...subject, metadata: { name: 'lease', namespace: 'demo' } }, told('one'));
  await writer.flush();
  expect(server.store.all()).toMatchObject([{ message: 'one', involvedObject: { name: 'lease', uid: '' } }]);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Transport } from '../../../lib/runtime/api/transport.ts';
import { EventWriter } from '../../../lib/runtime/events/recorder.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import { DrivenClock } from '../driven-clock.ts';

/** A server that takes every event. */
async function eventServer() {
  const messages: string[] = [];
  const underWay = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    void text(request).then((body) => {
      messages.push(String(JSON.parse(body).message));
      underWay.now -= 1;
      response.writeHead(201, { 'content-type': 'application/json' }).end(body);
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
  return { messages, underWay, client: new ApiClient(transport) };
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

import { expect, test } from 'vitest';
import { isGone } from '../../../lib/runtime/api/errors.ts';
import { watch } from '../../../lib/runtime/api/watch.ts';
import { answeringClient } from '../answering-client.ts';

const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };

test('a refusal that comes with the begin and the end of the stream is a refusal, not a good end', async () => {
  // One write of the server: its head, the event and the end are one piece on the wire.
  const client = await answeringClient((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(gone)}\n`);
  });
  const options = { resourceVersion: '1', timeoutSeconds: 600, idleMs: () => 100_000 };
  const listener = { onOpen: () => {}, onEvent: () => {} };
  const { signal } = new AbortController();
  const watching = watch(client, { apiVersion: 'v1', kind: 'ConfigMap' }, {}, options, listener, signal);
  await expect(watching).rejects.toSatisfy(isGone);
});

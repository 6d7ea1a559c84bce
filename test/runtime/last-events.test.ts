/** What an operator that stops still writes, and under which name. */
import { expect, onTestFinished, test } from 'vitest';
import type { Controller } from '../../lib/runtime/controller.ts';
import { startOperator } from '../control-plane/operator.ts';
import { platformStore } from '../reconcile/cluster.ts';
import { MemoryApiServer, type SeenRequest } from './memory-api-server.ts';

const namespace = 'dynamo-system';
const subject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'c', uid: '00' } };
const isEvent = ({ method, path }: SeenRequest): boolean => method === 'POST' && path.endsWith('/events');

test('writes the events of its last passes before it ends, as the field manager of the original', async () => {
  const server = await MemoryApiServer.start({ store: platformStore() });
  onTestFinished(() => server.stop());
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  server.intercept = (request) => (isEvent(request) ? answered : undefined);
  const teller: Controller = {
    name: 'Teller',
    start: async ({ recorder }) => {
      for (const message of ['one', 'two']) recorder('teller').record(subject, { type: 'Normal', reason: 'Told', message });
    },
  };
  const operator = await startOperator({ namespace, kubeconfig: await server.kubeconfig(), controllers: [teller] });
  await server.until(isEvent);
  const ended = operator.stop();
  answer();
  expect(await ended).toBe(0);
  expect(server.store.all().flatMap(({ message }) => message ?? [])).toEqual(['one', 'two']);
  // The API server takes the field manager from the first word: https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers
  const programs = server.requests.filter(({ method }) => method !== 'GET').map(({ userAgent }) => userAgent.split('/')[0]);
  expect(new Set(programs)).toEqual(new Set(['manager']));
});

/** Objects of a kind that is removed, as with its CRD, are forgotten; a moment without it is none. */
import { expect, onTestFinished, test } from 'vitest';
import { Cache } from '../../../lib/runtime/cache/cache.ts';
import { answeringClient } from '../answering-client.ts';
import { DrivenClock, settled } from '../driven-clock.ts';

const widget = { apiVersion: 'apps/v1', kind: 'Deployment' };
const object = { ...widget, metadata: { namespace: 'n', name: 'a', uid: 'u', resourceVersion: '1' } };
const end = { ...widget, metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } };

test('after three answers without their kind', async () => {
  const clock = new DrivenClock();
  let isServed = true;
  const asked: string[] = [];
  const client = await answeringClient(
    ({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(200, { 'content-type': 'application/json' });
      const resources = isServed ? [{ responseKind: { kind: widget.kind } }] : [];
      const items = [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', resources }] }];
      if (url === '/readyz') response.end('{}');
      else if (url === '/apis') response.end(JSON.stringify({ kind: 'APIGroupDiscoveryList', items }));
      else response.write(`${JSON.stringify({ type: 'ADDED', object })}\n${JSON.stringify({ type: 'BOOKMARK', object: end })}\n`);
    },
    { clock, random: () => 0.5 },
  );
  const cache = new Cache({ client });
  cache.watch({ ...widget, optional: true });
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  onTestFinished(() => {
    stop.abort(new Error('the test is over'));
    return running;
  });
  await cache.synced(stop.signal);
  isServed = false;
  const sizes: (number | undefined)[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = asked.length;
    await clock.until(() => clock.dueIn(60_000));
    await clock.advance(60_000);
    while (asked.length === before) await settled();
    await settled();
    sizes.push(...cache.sizes().values());
  }
  expect(sizes).toEqual([1, 1, 0]);
});

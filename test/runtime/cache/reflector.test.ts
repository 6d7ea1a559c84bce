import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { wholeObject } from '../../../lib/runtime/cache/projection.ts';
import { Reflector } from '../../../lib/runtime/cache/reflector.ts';
import { Store } from '../../../lib/runtime/cache/store.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import { noMetrics } from '../../../lib/runtime/metric-sink.ts';
import { answeringClient } from '../answering-client.ts';
import { DrivenClock, settled } from '../driven-clock.ts';

const count = 100;
const watched = { apiVersion: 'v1', kind: 'ConfigMap' };
const bookmark = {
  type: 'BOOKMARK',
  object: { ...watched, metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } },
};
const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };

test('a hundred watches that lose their versions together list once each, at moments of their own, and then back off', async () => {
  const clock = new DrivenClock();
  const streams: ServerResponse[] = [];
  let drawn = 0;
  const random = (): number => (drawn += 0.618) % 1;
  const client = await answeringClient(
    (request, response) => {
      expect(request.url).toContain('sendInitialEvents=true');
      response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(bookmark)}\n`);
      streams.push(response);
    },
    { clock, random },
  );
  const around = { client, watched, project: wholeObject, metrics: noMetrics, log: noLog, onState: () => {} };
  const reflectors = Array.from({ length: count }, () => {
    const reflector = new Reflector({ ...around, store: new Store({}, () => {}) });
    const stop = new AbortController();
    const ended = reflector.run(stop.signal);
    onTestFinished(() => {
      stop.abort();
      return ended;
    });
    return reflector;
  });
  const listed = async (times: number): Promise<void> => {
    while (streams.length < times * count || reflectors.some((one) => one.problem(0) !== undefined)) await settled();
  };
  const lose = async (): Promise<void> => {
    for (const stream of streams.slice(-count)) stream.write(`${JSON.stringify(gone)}\n`);
    while (reflectors.some((one) => one.problem(0) === undefined)) await settled();
  };

  await listed(1);
  await lose();
  const quarters = [0, 1, 2, 3].map((quarter) => clock.waits().filter((wait) => Math.floor(wait / 100) === quarter).length);
  expect(Math.min(...quarters), `lists in each tenth of a second: ${quarters.join()}`).toBeGreaterThan(count / 8);
  expect(Math.max(...clock.waits())).toBeLessThanOrEqual(400);
  await clock.advance(400);
  await listed(2);

  await lose();
  expect(Math.min(...clock.waits())).toBeGreaterThanOrEqual(400);
  expect(Math.max(...clock.waits())).toBeLessThanOrEqual(1200);
  expect(streams.length).toBe(2 * count);
});

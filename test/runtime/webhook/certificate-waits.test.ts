/** A certificate is looked at every ten seconds for months: nothing may be left in memory of any of the waits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../lib/runtime/clock.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import { noMetrics } from '../../../lib/runtime/metric-sink.ts';
import { createMetrics } from '../../../lib/runtime/metrics/registry.ts';
import { collectGarbage } from '../../../lib/runtime/small-heap.ts';
import { CertificateFiles } from '../../../lib/runtime/webhook/certificate-files.ts';
import { issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { SelfManagedCertificate } from '../../../lib/runtime/webhook/self-managed-certificate.ts';
import { answeringClient } from '../answering-client.ts';

const waits = 1000;

/** A clock on which every wait ends at once; `after` so many, a function is called. */
function hastyClock(after: () => Promise<void>): Clock {
  let count = 0;
  return {
    now: () => performance.now(),
    date: () => new Date(),
    after: (_, run) => {
      count += 1;
      const timer = setImmediate(() => void (count % waits === 0 ? after().then(run) : run()));
      return () => clearImmediate(timer);
    },
  };
}

const rounds = 6;

/** Bytes that a thousand waits leave in memory: the median of several rounds, since code that is compiled meanwhile counts too. */
async function leftBy(follow: (clock: Clock, signal: AbortSignal) => Promise<void>): Promise<number> {
  const stop = new AbortController();
  const heap: number[] = [];
  const measure = async (): Promise<void> => {
    await collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
    if (heap.length === rounds) stop.abort();
  };
  await follow(hastyClock(measure), stop.signal);
  const left = heap.slice(1).map((after, round) => after - (heap[round] ?? 0));
  return left.toSorted((a, b) => a - b)[Math.floor(left.length / 2)] ?? Infinity;
}

const mostLeft = 300_000;

test('nothing is left of waits for files', async () => {
  const pair = await issueCertificate(['a'], new Date());
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-waits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'tls.key'), pair.key);
  writeFileSync(join(folder, 'tls.crt'), pair.certificate);
  const metrics = createMetrics({ processMetrics: false });
  const follow = (clock: Clock, signal: AbortSignal): Promise<void> =>
    new CertificateFiles({ folder, onChange: () => {}, clock, metrics, log: noLog }).follow(signal);
  expect(await leftBy(follow)).toBeLessThan(mostLeft);
});

test('nothing is left of waits for a Secret', async () => {
  const client = await answeringClient((_, response) => response.writeHead(500).end());
  const follow = (clock: Clock, signal: AbortSignal): Promise<void> =>
    new SelfManagedCertificate({
      client,
      namespace: 'dynamo',
      secretName: 'certificate',
      configurationName: 'webhooks',
      names: ['operator.dynamo.svc'],
      onChange: () => {},
      clock,
      metrics: noMetrics,
      log: noLog,
    }).keep(signal);
  expect(await leftBy(follow)).toBeLessThan(mostLeft);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../../lib/runtime/metrics/registry.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import type { CertificatePair } from '../../../lib/runtime/webhook/certificate.ts';
import { CertificateFiles } from '../../../lib/runtime/webhook/certificate-files.ts';
import { issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { ManualClock } from '../manual-clock.ts';

function folderOf(pair: CertificatePair): string {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  put(folder, pair);
  return folder;
}

function put(folder: string, pair: CertificatePair): void {
  writeFileSync(join(folder, 'tls.key'), pair.key);
  writeFileSync(join(folder, 'tls.crt'), pair.certificate);
}

/** Moves the clock on until something holds; files are read in real time. */
async function until(clock: ManualClock, holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await clock.advance(10_000);
}

test('reads the files again while they change, and keeps the old certificate while they cannot be read', async () => {
  const [one, two] = await Promise.all([issueCertificate(['a'], new Date()), issueCertificate(['a'], new Date())]);
  const clock = new ManualClock();
  const metrics = createMetrics({ processMetrics: false });
  const served: string[] = [];
  const folder = folderOf(one);
  const files = new CertificateFiles({
    folder,
    onChange: ({ certificate }) => void served.push(certificate),
    clock,
    metrics,
    log: noLog,
  });
  await files.load();
  expect(served).toEqual([one.certificate]);
  const stop = new AbortController();
  const following = files.follow(stop.signal);
  writeFileSync(join(folder, 'tls.crt'), two.certificate);
  await until(clock, async () => !(await metrics.page()).includes('certwatcher_read_certificate_errors_total 0'));
  expect(served).toEqual([one.certificate]);
  put(folder, two);
  await until(clock, () => served.length === 2);
  expect(served[1]).toBe(two.certificate);
  stop.abort();
  await following;
});

test.each([
  ['empty files', { certificate: '', key: '' }],
  ['files that are no certificate', { certificate: 'x', key: 'y' }],
])('fails to start with %s', async (_, pair) => {
  const clock = new ManualClock();
  const metrics = createMetrics({ processMetrics: false });
  const files = new CertificateFiles({ folder: folderOf(pair), onChange: () => {}, clock, metrics, log: noLog });
  await expect(files.load()).rejects.toThrow();
  expect(await metrics.page()).toContain('certwatcher_read_certificate_errors_total 1');
  expect(await metrics.page()).toContain('certwatcher_read_certificate_total 1');
});

test('fails to start without the folder', async () => {
  const clock = new ManualClock();
  const metrics = createMetrics({ processMetrics: false });
  const files = new CertificateFiles({ folder: '/nowhere', onChange: () => {}, clock, metrics, log: noLog });
  await expect(files.load()).rejects.toThrow('ENOENT');
  expect(await metrics.page()).toContain('certwatcher_read_certificate_total 1');
});

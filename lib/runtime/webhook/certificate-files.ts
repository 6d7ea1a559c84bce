/** A certificate mounted as files: read at the start, when the folder changes, and every ten seconds. */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Clock, sleepUnlessAborted } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { MetricSink } from '../metric-sink.ts';
import { type CertificatePair, certificatesIn } from './certificate.ts';

/** The folder of the files, and dependencies for following them. */
interface CertificateFilesOptions {
  /** Holds `tls.crt` and `tls.key`. */
  readonly folder: string;
  readonly onChange: (pair: CertificatePair) => void;
  readonly clock: Clock;
  readonly metrics: MetricSink;
  readonly log: Logger;
}

const pollMs = 10_000;

/** Reads certificate files, and reads them again when they change. */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
  #current: CertificatePair | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  /** Reads the files; throws when they are missing or do not belong together. */
  async load(): Promise<void> {
    const { folder, metrics, onChange } = this.#options;
    metrics.count('certwatcher_read_certificate_total', {});
    try {
      const [certificate, key] = await Promise.all(['tls.crt', 'tls.key'].map((name) => readFile(join(folder, name), 'utf8')));
      const pair = { certificate: certificate ?? '', key: key ?? '' };
      if (pair.certificate === this.#current?.certificate && pair.key === this.#current.key) return;
      if (certificatesIn(pair.certificate).length === 0)
        throw new Error(`${join(folder, 'tls.crt')}: there is no certificate in it`);
      createSecureContext({ cert: pair.certificate, key: pair.key });
      this.#current = pair;
      onChange(pair);
    } catch (error) {
      metrics.count('certwatcher_read_certificate_errors_total', {});
      throw error;
    }
  }

  /** Follows the files until the signal is aborted; a certificate that cannot be read leaves the old one in use. */
  async follow(signal: AbortSignal): Promise<void> {
    const { folder, clock, log } = this.#options;
    let wake = (): void => {};
    const watcher = watch(folder, { persistent: false }, () => wake());
    watcher.on('error', (error) => log.error('certificate watch error', error));
    try {
      while (!signal.aborted) {
        const changed = new AbortController();
        wake = () => changed.abort();
        await sleepUnlessAborted(clock, pollMs, [signal, changed.signal]);
        if (signal.aborted) return;
        await this.load().catch((error: unknown) => log.error('error re-reading certificate', error));
      }
    } finally {
      watcher.close();
    }
  }
}

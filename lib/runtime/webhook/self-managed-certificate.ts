/**
 * A certificate that replicas make, share through a Secret, and rotate. A new certificate is served only after every webhook has trusted
 * its authority for a while, and old authorities stay trusted until they expire: at no moment does an API server meet a certificate it
 * does not trust. A valid certificate found in the Secret is kept, whoever made it. Deleting the Secret forces a rotation.
 */
import type { KubernetesObject } from '../../api/index.ts';
import type { ApiClient } from '../api/client.ts';
import { isAlreadyExists, isConflict, isInvalid } from '../api/errors.ts';
import { type Clock, sleepUnlessAborted } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { MetricSink } from '../metric-sink.ts';
import { injectAuthorities, trustedAuthorities } from './ca-bundle.ts';
import {
  bundleHolds,
  type CertificatePair,
  certificatesIn,
  expiryOf,
  isDueForRenewal,
  isSignedByOneOf,
  joinBundles,
  pairProblem,
} from './certificate.ts';
import { readSecret, secretData, type StoredCertificates } from './certificate-secret.ts';
import type { IssuedCertificate } from './make-certificate.ts';

/** Dependencies and settings for maintaining a self-managed certificate. */
interface SelfManagedOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly secretName: string;
  readonly configurationName: string;
  /** Names the certificate is made out to. */
  readonly names: readonly string[];
  readonly onChange: (pair: CertificatePair) => void;
  readonly clock: Clock;
  readonly metrics: MetricSink;
  readonly log: Logger;
  readonly timing?: SelfManagedTiming;
  /** @default - issues a certificate of a new authority, valid for 90 days */
  readonly issue?: (names: readonly string[], date: Date) => Promise<IssuedCertificate>;
}

/** Times in milliseconds. */
export interface SelfManagedTiming {
  /** Interval at which the Secret and the webhooks are checked. */
  readonly poll: number;
  /** How long an authority must have been trusted before its certificate is served. */
  readonly grace: number;
}

const usualTiming: SelfManagedTiming = { poll: 10_000, grace: 60_000 };
const secretKind = { apiVersion: 'v1', kind: 'Secret' } as const;

/** The names of a Service in its cluster. */
export function serviceHostNames(service: string, namespace: string): readonly string[] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}`, service, `${service}.${namespace}.svc.cluster.local`];
}

/** Maintains the certificate on one replica: creates it, shares it, serves it and rotates it. */
export class SelfManagedCertificate {
  readonly #options: SelfManagedOptions;
  readonly #timing: SelfManagedTiming;
  #serving: StoredCertificates | undefined;
  #trusted: { readonly next: string; readonly since: number } | undefined;
  #isChanged = false;
  #wake = (): void => {};

  constructor(options: SelfManagedOptions) {
    this.#options = options;
    this.#timing = options.timing ?? usualTiming;
  }

  /** Checks the certificate at every interval until the signal is aborted; a check that fails is logged, and the next one tries again. */
  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const changed = new AbortController();
      this.#wake = () => changed.abort();
      if (!this.#isChanged) await sleepUnlessAborted(this.#options.clock, this.#timing.poll, [signal, changed.signal]);
      if (signal.aborted) return;
      this.#isChanged = false;
      await this.sync().catch((error: unknown) => this.#options.log.error('Failed to look after the webhook certificate', error));
    }
  }

  /** Asks for a check at once: the Secret or the webhooks changed. */
  lookNow(): void {
    this.#isChanged = true;
    this.#wake();
  }

  /** One check: reads what is there, makes and shares what is missing, serves what is current. Throws when nothing can be served. */
  async sync(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#look();
        return;
      } catch (error) {
        // Another replica was faster: take over what it wrote. A JSON Patch whose test fails is called invalid.
        if (!(isConflict(error) || isAlreadyExists(error) || isInvalid(error)) || tries === 5) throw error;
      }
    }
  }

  async #look(): Promise<void> {
    const { client, namespace, secretName } = this.#options;
    const secret = await client.find({ ...secretKind, namespace, name: secretName });
    const stored = await this.#ensureStored(secret);
    this.#serve(stored);
    await this.#ensureTrusted(stored);
    await this.#promote(stored);
  }

  // Returns the content of the Secret; if its certificate is missing, invalid or due for renewal, writes a new one first.
  async #ensureStored(secret: KubernetesObject | undefined): Promise<StoredCertificates> {
    const { clock } = this.#options;
    const date = clock.date();
    const found = secret === undefined ? undefined : readSecret(secret);
    const current = [found?.current, this.#serving?.current].find((pair) => pair !== undefined && this.#isGood(pair));
    const next = found?.next !== undefined && this.#isGood(found.next) ? found.next : undefined;
    if (current === undefined) return this.#replace(secret, found, next);
    const isStored = current === found?.current;
    if (found !== undefined && isStored && (next !== undefined || !isDueForRenewal(current, date))) return { ...found, next };
    const issued = await this.#issue();
    const authorities = joinBundles([found?.authorities ?? '', this.#serving?.authorities ?? '', issued.authority], date);
    return this.#write(secret, { current, authorities, next: issued }, 'Made the next webhook certificate');
  }

  // Nothing can be served: no overlap is possible, the new certificate is served at once.
  async #replace(
    secret: KubernetesObject | undefined,
    found: StoredCertificates | undefined,
    next: CertificatePair | undefined,
  ): Promise<StoredCertificates> {
    const date = this.#options.clock.date();
    if (next !== undefined) {
      const authorities = joinBundles([found?.authorities ?? ''], date);
      return this.#write(secret, { current: next, authorities }, 'Took the next webhook certificate into use');
    }
    const issued = await this.#issue();
    const authorities = joinBundles([found?.authorities ?? '', issued.authority], date);
    return this.#write(secret, { current: issued, authorities }, 'Made a webhook certificate');
  }

  #serve(stored: StoredCertificates): void {
    const before = this.#serving?.current.certificate;
    this.#serving = stored;
    if (stored.current.certificate === before) return;
    const { onChange, metrics, log } = this.#options;
    const expiry = expiryOf(stored.current);
    metrics.count('certwatcher_read_certificate_total', {});
    log.info('Serving webhook certificate', { notAfter: expiry?.toISOString() });
    onChange(stored.current);
  }

  async #ensureTrusted({ current, authorities, next }: StoredCertificates): Promise<void> {
    const { client, configurationName, clock, log } = this.#options;
    const held = await trustedAuthorities(client, configurationName);
    const known = joinBundles([authorities, ...held.bundles], clock.date());
    // If the authority of the certificate was not kept, clients must trust the certificate itself.
    const orphan = isSignedByOneOf(current, known) ? '' : current.certificate;
    const wanted = joinBundles([authorities, orphan], clock.date());
    const isHeld = held.bundles.every((bundle) => bundleHolds(bundle, wanted));
    if (!isHeld) {
      await injectAuthorities(client, held, wanted, clock.date());
      log.info('Injected authorities into the webhook configuration', {
        webhookConfiguration: configurationName,
        authorities: certificatesIn(wanted).length,
      });
    }
    if (next === undefined) this.#trusted = undefined;
    else if (!isHeld || this.#trusted?.next !== next.certificate) this.#trusted = { next: next.certificate, since: clock.now() };
  }

  async #promote({ authorities, next }: StoredCertificates): Promise<void> {
    const { client, namespace, secretName, clock } = this.#options;
    if (next === undefined || this.#trusted?.next !== next.certificate) return;
    if (clock.now() < this.#trusted.since + this.#timing.grace) return;
    const secret = await client.get({ ...secretKind, namespace, name: secretName });
    if (readSecret(secret).next?.certificate !== next.certificate) return;
    const promoted = { current: next, authorities: joinBundles([authorities], clock.date()) };
    this.#serve(await this.#write(secret, promoted, 'Took the next webhook certificate into use'));
  }

  #isGood(pair: CertificatePair): boolean {
    const { names, clock } = this.#options;
    return pairProblem(pair, names.slice(0, 1), clock.date()) === undefined;
  }

  async #issue(): Promise<IssuedCertificate> {
    const { names, clock, issue } = this.#options;
    if (issue !== undefined) return issue(names, clock.date());
    const { issueCertificate } = await import('./make-certificate.ts');
    return issueCertificate(names, clock.date());
  }

  async #write(before: KubernetesObject | undefined, stored: StoredCertificates, message: string): Promise<StoredCertificates> {
    const { client, namespace, secretName, log } = this.#options;
    const data = secretData(stored, before);
    const metadata = before?.metadata ?? {
      namespace,
      name: secretName,
      labels: { 'app.kubernetes.io/managed-by': 'dynamo-operator' },
    };
    const written =
      before === undefined
        ? await client.create({ ...secretKind, type: 'kubernetes.io/tls', metadata, data })
        : await client.update({ ...before, metadata, data });
    log.info(message, { secret: `${namespace}/${secretName}` });
    return readSecret(written);
  }
}

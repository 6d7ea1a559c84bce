/** The Secret through which replicas share a certificate: what is served, what is trusted, what comes next. */
import type { KubernetesObject } from '../../api/index.ts';
import { isObject, type JsonObject } from '../../json/index.ts';
import type { CertificatePair } from './certificate.ts';

/** The content of the Secret. */
export interface StoredCertificates {
  readonly current: CertificatePair;
  /** Authorities to trust, as PEM. */
  readonly authorities: string;
  /** Certificate that is served once its authority is trusted everywhere. */
  readonly next?: CertificatePair | undefined;
}

/** Reads a Secret; missing fields are empty. */
export function readSecret(secret: KubernetesObject): StoredCertificates {
  const field = (name: string): string => {
    const value = isObject(secret['data']) ? secret['data'][name] : undefined;
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';
  };
  const next = { certificate: field('next.crt'), key: field('next.key') };
  return {
    current: { certificate: field('tls.crt'), key: field('tls.key') },
    authorities: field('ca.crt'),
    next: next.certificate === '' ? undefined : next,
  };
}

/** The data of a Secret with this content; other keys it has are kept. */
export function secretData(stored: StoredCertificates, before: KubernetesObject | undefined): JsonObject {
  const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  const { 'next.crt': _certificate, 'next.key': _key, ...kept } = isObject(before?.['data']) ? before['data'] : {};
  const { current, authorities, next } = stored;
  return {
    ...kept,
    'tls.crt': encode(current.certificate),
    'tls.key': encode(current.key),
    'ca.crt': encode(authorities),
    ...(next === undefined ? {} : { 'next.crt': encode(next.certificate), 'next.key': encode(next.key) }),
  };
}

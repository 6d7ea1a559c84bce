/** Reads and checks certificates, their private keys and bundles of authorities, all as PEM. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate chain and its private key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, in their order; other blocks are skipped. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  return [...pem.matchAll(block)].flatMap(([text]) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return []; // not a certificate: it can be neither trusted nor served
    }
  });
}

/** Why a pair cannot be served under these names at this time; undefined if it can. */
export function pairProblem(pair: CertificatePair, names: readonly string[], date: Date): string | undefined {
  const [leaf] = certificatesIn(pair.certificate);
  if (leaf === undefined) return 'there is no certificate';
  try {
    if (!leaf.checkPrivateKey(createPrivateKey(pair.key))) return 'the key is not that of the certificate';
  } catch (error) {
    return `the key cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (date < new Date(leaf.validFrom)) return `it is valid only from ${leaf.validFrom}`;
  if (date >= new Date(leaf.validTo)) return `it expired at ${leaf.validTo}`;
  const missing = names.find((name) => leaf.checkHost(name) === undefined);
  return missing === undefined ? undefined : `it is not made out to ${missing}`;
}

/** When the leaf of a pair expires. */
export function expiryOf({ certificate }: CertificatePair): Date | undefined {
  const [leaf] = certificatesIn(certificate);
  return leaf === undefined ? undefined : new Date(leaf.validTo);
}

/** Whether less than a third of the leaf's life is left. */
export function isDueForRenewal({ certificate }: CertificatePair, date: Date): boolean {
  const [leaf] = certificatesIn(certificate);
  if (leaf === undefined) return true;
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  return date.getTime() >= from + ((to - from) * 2) / 3;
}

/** Certificates of several PEM files as one, each once, without those that have expired. */
export function joinBundles(bundles: readonly string[], date: Date): string {
  const valid = bundles.flatMap(certificatesIn).filter((certificate) => date < new Date(certificate.validTo));
  return [...new Map(valid.map((certificate) => [certificate.fingerprint256, certificate])).values()]
    .map((certificate) => certificate.toString())
    .join('');
}

/** Whether a bundle holds every certificate of another. */
export function bundleHolds(bundle: string, wanted: string): boolean {
  const held = new Set(certificatesIn(bundle).map((certificate) => certificate.fingerprint256));
  return certificatesIn(wanted).every((certificate) => held.has(certificate.fingerprint256));
}

/** Whether the leaf of a pair, or the last of its chain, is signed by a certificate of a bundle. */
export function isSignedByOneOf({ certificate }: CertificatePair, bundle: string): boolean {
  const last = certificatesIn(certificate).at(-1);
  return last !== undefined && certificatesIn(bundle).some((authority) => last.verify(authority.publicKey));
}

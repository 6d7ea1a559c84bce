import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { CertificatePair } from './certificate.ts';

/** A leaf with its key, and the authority that signed it. */
export interface IssuedCertificate extends CertificatePair {
  /** The authority, as PEM; its key is gone. */
  readonly authority: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 24 * 3600 * 1000;
/** Clocks of API servers may be behind ours. */
const backdatedMs = 3600 * 1000;

/** Lifetime of a certificate in milliseconds; it is replaced after two thirds of this time. */
const lifetimeMs = 90 * day;

/**
 * Creates an authority that signs one serving certificate for the given names. The key of the authority is discarded, so trusting the authority means
 * trusting only this certificate.
 */
export async function issueCertificate(names: readonly string[], date: Date, lifetime = lifetimeMs): Promise<IssuedCertificate> {
  const [first = 'localhost'] = names;
  const notBefore = new Date(date.getTime() - backdatedMs);
  const notAfter = new Date(date.getTime() + lifetime);
  const [authorityKeys, leafKeys] = await Promise.all([newKeys(), newKeys()]);
  const authorityName = `CN=dynamo-cdk8s webhook authority ${date.toISOString()}`;
  const common = {
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    signingKey: authorityKeys.privateKey,
    issuer: authorityName,
  };
  const authority = await x509.X509CertificateGenerator.create({
    ...common,
    subject: authorityName,
    publicKey: authorityKeys.publicKey,
    serialNumber: newSerial(),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const leaf = await x509.X509CertificateGenerator.create({
    ...common,
    // A common name holds 64 characters at most; verifiers read the alternative names only.
    subject: `CN=${first.slice(0, 64)}`,
    publicKey: leafKeys.publicKey,
    serialNumber: newSerial(),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  return { certificate: pem(leaf), key: await privateKeyPem(leafKeys.privateKey), authority: pem(authority) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function newSerial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  // Positive and without a leading zero byte, as DER wants it.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  return `${x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag)}\n`;
}

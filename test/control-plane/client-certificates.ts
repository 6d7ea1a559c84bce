/** Users who identify themselves by a certificate: the authority the API server trusts for that, and what it signs. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import * as x509 from '@peculiar/x509';

/** A certificate and its key, as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Where the authority is kept. */
export interface AuthorityFiles {
  readonly clientCa: string;
  readonly clientCaKey: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const name = 'CN=clients of a test';
const dayMs = 24 * 3600 * 1000;

/** Makes the authority; the API server is given its certificate. */
export async function writeClientAuthority({ clientCa, clientCaKey }: AuthorityFiles): Promise<void> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    issuer: name,
    subject: name,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  await Promise.all([
    writeFile(clientCa, certificate.toString('pem')),
    writeFile(clientCaKey, await keyPem(keys.privateKey), { mode: 0o600 }),
  ]);
}

/** Signs a certificate that makes its holder a user with a name and groups. */
export async function signClientCertificate(
  { clientCaKey }: AuthorityFiles,
  username: string,
  groups: readonly string[] = [],
): Promise<ClientCertificate> {
  const authorityKey = x509.PemConverter.decodeFirst(await readFile(clientCaKey, 'utf8'));
  const signingKey = await webcrypto.subtle.importKey('pkcs8', authorityKey, algorithm, false, ['sign']);
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    issuer: name,
    subject: [`CN=${username}`, ...groups.map((group) => `O=${group}`)].join(', '),
    publicKey: keys.publicKey,
    signingKey,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  return { certificate: certificate.toString('pem'), key: await keyPem(keys.privateKey) };
}

function validity() {
  const now = Date.now();
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs), signingAlgorithm: algorithm };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag);
}

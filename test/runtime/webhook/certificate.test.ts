import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  bundleHolds,
  certificatesIn,
  expiryOf,
  isDueForRenewal,
  isSignedByOneOf,
  joinBundles,
  pairProblem,
} from '../../../lib/runtime/webhook/certificate.ts';
import { issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { serviceHostNames } from '../../../lib/runtime/webhook/self-managed-certificate.ts';

const date = new Date('2026-06-01T00:00:00Z');
const day = 24 * 3600 * 1000;
const later = (days: number): Date => new Date(date.getTime() + days * day);
const names = serviceHostNames('webhook', 'here');

test('makes a leaf for the names of a Service, signed by an authority that signs nothing else', async () => {
  const issued = await issueCertificate(names, date);
  const leaf = new X509Certificate(issued.certificate);
  const authority = new X509Certificate(issued.authority);
  expect(leaf.subjectAltName).toBe('DNS:webhook.here.svc, DNS:webhook.here, DNS:webhook, DNS:webhook.here.svc.cluster.local');
  expect(leaf.checkIssued(authority)).toBe(true);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect([leaf.ca, authority.ca]).toEqual([false, true]);
  expect(expiryOf(issued)).toEqual(later(90));
  expect(pairProblem(issued, names, date)).toBeUndefined();
});

test('makes certificates that openssl trusts by the authority alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = await Promise.all([issueCertificate(names, new Date()), issueCertificate(names, new Date())]);
  const path = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const verify = (...args: readonly string[]): string =>
    execFileSync('openssl', ['verify', '-purpose', 'sslserver', ...args], { encoding: 'utf8', stdio: 'pipe' });
  const leaf = path('leaf', one.certificate);
  expect(
    verify('-verify_hostname', 'webhook.here.svc', '-CAfile', path('both', other.authority + one.authority), leaf),
  ).toContain('OK');
  expect(() => verify('-CAfile', path('other', other.authority), leaf)).toThrow();
  expect(() => verify('-verify_hostname', 'elsewhere', '-CAfile', path('one', one.authority), leaf)).toThrow();
});

test('says why a pair cannot be served', async () => {
  const [one, other] = await Promise.all([issueCertificate(names, date), issueCertificate(['other'], date)]);
  expect(pairProblem({ certificate: '', key: one.key }, names, date)).toBe('there is no certificate');
  expect(pairProblem({ certificate: one.certificate, key: other.key }, names, date)).toBe(
    'the key is not that of the certificate',
  );
  expect(pairProblem({ certificate: one.certificate, key: 'nonsense' }, names, date)).toContain('the key cannot be read');
  expect(pairProblem(other, names, date)).toBe('it is not made out to webhook.here.svc');
  expect(pairProblem(one, names, later(90))).toContain('it expired at');
  expect(pairProblem(one, names, later(-1))).toContain('it is valid only from');
  expect(
    pairProblem({ certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', key: one.key }, names, date),
  ).toBe('there is no certificate');
});

test('is due for renewal when a third of its life is left', async () => {
  const issued = await issueCertificate(names, date);
  expect([59, 60].map((days) => isDueForRenewal(issued, later(days)))).toEqual([false, true]);
});

test('joins bundles: each certificate once, in order, expired ones left out', async () => {
  const [one, two, expired] = await Promise.all([
    issueCertificate(names, date),
    issueCertificate(names, date),
    issueCertificate(names, later(-91)),
  ]);
  const joined = joinBundles([one.authority, `some words\n${two.authority}${one.authority}`, expired.authority], date);
  expect(joined).toBe(one.authority + two.authority);
  expect(joinBundles([], date)).toBe('');
  expect(bundleHolds(joined, one.authority)).toBe(true);
  expect(bundleHolds(joined, expired.authority)).toBe(false);
  expect(certificatesIn(joined)).toHaveLength(2);
  expect([isSignedByOneOf(one, joined), isSignedByOneOf(expired, joined)]).toEqual([true, false]);
});

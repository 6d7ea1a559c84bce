import { describe, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../../lib/json/index.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const block = 'dynamo-operator.webhook.certManager.certificate';
const withTimes = (certificate: JsonObject, webhook: JsonObject = {}): JsonObject => ({
  'dynamo-operator': { webhook: { certManager: { certificate }, ...webhook } },
});

describe('times of certificates that cert-manager rejects', () => {
  test.each([
    ['duration', { duration: '30m', renewBefore: '10m' }, 'must be at least 1h, got 30m'],
    ['renewBefore', { renewBefore: '1m' }, 'must be at least 5m, got 1m'],
    ['renewBefore', { duration: '1h', renewBefore: '2h' }, 'must be shorter than the duration 1h, got 2h'],
    ['renewBefore', { duration: '360h', renewBefore: '21600m' }, 'must be shorter than the duration 360h, got 21600m'],
    ['renewBefore', { duration: '200h' }, 'must be shorter than the duration 200h, got 360h'],
    ['rootCA.renewBefore', { rootCA: { duration: '24h' } }, 'must be shorter than the duration 24h, got 720h'],
  ])('%s of %j', (path, certificate, message) => {
    const { issues, objects } = renderPlatform(withTimes(certificate));
    expect(issues.map((issue) => formatPath(issue.path))).toEqual([`${block}.${path}`]);
    expect(issues[0]?.message).toBe(`${message}: cert-manager rejects the certificate otherwise`);
    expect(objects).toEqual([]);
  });

  test('are accepted at their limits, and where cert-manager makes no such certificate', () => {
    expect(renderPlatform(withTimes({ duration: '1h', renewBefore: '5m' })).issues).toEqual([]);
    expect(renderPlatform(withTimes({ duration: '361h' })).issues).toEqual([]);
    expect(renderPlatform(withTimes({ duration: '1m' }, { enabled: false })).issues).toEqual([]);
    const issuerRef = { name: 'company' };
    const values = { ...withTimes({ rootCA: { duration: '1m' } }), platform: { certificates: { issuerRef } } };
    expect(renderPlatform(values).issues).toEqual([]);
  });

  test('are rendered as the original renders them in the profile parity, with a warning', () => {
    const values = withTimes({ duration: '200h' }, { certManager: { enabled: true, certificate: { duration: '200h' } } });
    const { issues, warnings } = renderPlatform(values, { profile: 'parity', release: 'r' });
    expect(issues).toEqual([]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'certificate_times' }));
  });
});

test('certificateValidity leaves a time of renewal that is given', () => {
  const { objects, issues } = renderPlatform(withTimes({ renewBefore: '48h' }, { certificateValidity: 30 }));
  expect(issues).toEqual([]);
  const serving = objects.find((o) => o.kind === 'Certificate' && o.metadata.name.endsWith('-serving-cert'));
  expect(serving?.['spec']).toMatchObject({ duration: '720h', renewBefore: '48h' });
});

import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { valuesWithoutEffect } from '../../lib/platform/no-effect.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import * as platformPresets from '../../lib/platform/values-presets.ts';
import { runCommand } from '../command-line.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const own: JsonObject = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/o:1' } } };
const op = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });
/** That NATS and etcd are open to all is told elsewhere. */
const meant: JsonObject = { platform: { networkPolicy: { allowAllNamespaces: true } } };
const told = (given: JsonObject, options = {}) => {
  const values = mergeLayers([meant, given]);
  return [...renderPlatform(values, options).warnings, ...valuesWithoutEffect(values, options)].map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
};

describe('a value without effect is told with the fix', () => {
  const cases: readonly (readonly [string, JsonObject, string])[] = [
    ['a target namespace', op({ namespaceRestriction: { targetNamespace: 'team' } }), 'namespaceRestriction.enabled to true'],
    ['a Secret for TLS of NATS', { nats: { security: { tls: { secretName: 's' } } } }, 'set nats.security.tls.enabled to true'],
    ['servers of a cluster', { nats: { config: { cluster: { replicas: 5 } } } }, 'set nats.config.cluster.enabled to true'],
    ['as many as by default', { nats: { config: { cluster: { replicas: 3 } } } }, 'set nats.config.cluster.enabled to true'],
    [
      'the life of a certificate that somebody else makes',
      op({ webhook: { certificateValidity: 30, certificateSecret: { external: true }, caBundle: 'Q0E=' } }),
      'an external issuer that of its certificate',
    ],
    [
      'where a Job of a key that nobody makes may run',
      op({ dynamo: { mpiRun: { sshKeygen: { tolerations: [{ operator: 'Exists' }] } } } }),
      'set dynamo-operator.dynamo.mpiRun.sshKeygen.enabled to true',
    ],
    ['cert-manager turned off', op({ webhook: { certManager: { enabled: false } } }), 'platform.certificates.mode to external'],
    ['the image of the Jobs', op({ webhook: { certGenerator: { image: { tag: '1' } } } }), 'certificates.mode jobs'],
    [
      'the life of a certificate that the operator makes',
      mergeLayers([own, op({ webhook: { certificateValidity: 30 } })]),
      'the operator sets the lifetime of a certificate that it manages',
    ],
    ['replicas of a part that nobody turns on', { grove: { replicaCount: 2 } }, 'set grove.enabled to true, or remove it'],
    ['NATS off without an address', { nats: { enabled: false } }, 'graphs get no NATS'],
    ['an ingress class', op({ dynamo: { ingress: { className: 'nginx' } } }), 'dynamo.ingress.enabled to true'],
    ['an image of the other operator', { platform: { operator: { image: 'o:1' } } }, 'platform.operator.kind dynamo-cdk8s'],
    [
      'the tag of the original',
      mergeLayers([own, op({ controllerManager: { manager: { image: { tag: '0.9.0' } } } })]),
      'the image is platform.operator.image',
    ],
  ];
  test.each(cases)('%s', (_name, values, fix) => {
    expect(told(values)).toContainEqual(expect.stringContaining(fix));
    expect(told(values)).toHaveLength(1);
  });

  describe('and fails with --strict', () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-effect-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(cases)('%s', async (_name, values, fix) => {
      writeFileSync(join(folder, 'values.json'), JSON.stringify(mergeLayers([meant, values])));
      const argv = ['platform', '-f', 'values.json'];
      expect(await runCommand(folder, argv)).toMatchObject({ code: 0, err: expect.stringContaining(fix) });
      expect(await runCommand(folder, [...argv, '--strict'])).toMatchObject({ code: 1, out: '' });
    });

    test('but values that all have an effect pass', async () => {
      writeFileSync(join(folder, 'values.json'), JSON.stringify(meant));
      expect(await runCommand(folder, ['platform', '-f', 'values.json', '--strict'])).toMatchObject({ code: 0 });
    });
  });
});

describe('nothing is said', () => {
  test('of values that do something, of presets, of parts that are off, of copies of defaults', () => {
    const quiet: readonly JsonObject[] = [
      {},
      own,
      platformPresets.dev(),
      platformPresets.production({ etcd: true, storageClass: 'fast', prometheusEndpoint: 'http://p', monitorLabels: { a: 'b' } }),
      platformPresets.tenant({ natsAddress: 'nats://x:4222' }),
      mergeLayers([platformPresets.production(), platformPresets.eks({ operator: 'a', graphs: 'b' })]),
      {
        grove: { enabled: false, replicaCount: 2 },
        nats: { enabled: false, config: { merge: { a: 1 } } },
        ...op({ nats: { enabled: false } }),
      },
      { nats: { config: { cluster: { enabled: true, replicas: 3 } } } },
      op({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }),
      op({ webhook: { certificateValidity: 30 } }),
    ];
    for (const values of quiet) expect(told(values)).toEqual([]);
  });
});

describe('the profile secure honours', () => {
  const find = (values: JsonObject, kind: string) => renderPlatform(values).objects.filter((o) => o.kind === kind);

  test('the life of the certificate, renewed before it ends', () => {
    for (const [days, spec] of [
      [30, { duration: '720h', renewBefore: '240h' }],
      [365, { duration: '8760h', renewBefore: '360h' }],
    ] as const)
      expect(find(op({ webhook: { certificateValidity: days } }), 'Certificate')).toContainEqual(
        expect.objectContaining({ spec: expect.objectContaining(spec) }),
      );
  });

  test('the wish for an SSH key, by a Job that is no hook', () => {
    expect(find({}, 'Job')).toEqual([]);
    const values = op({ dynamo: { mpiRun: { sshKeygen: { enabled: true } } } });
    const [job] = find(values, 'Job');
    expect(job?.metadata.name).toBe('dynamo-platform-dynamo-operator-ssh-keygen');
    expect(JSON.stringify(renderPlatform(values).objects)).not.toContain('helm.sh/hook');
    expect(renderPlatform(values).notes.join()).not.toContain('mpi-run-ssh-secret');
    expect(renderPlatform({}).notes.join()).toContain('mpi-run-ssh-secret');
  });
});

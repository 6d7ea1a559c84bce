import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool, missingTools } from '../../tools/find.ts';
import { succeed } from '../command-line.ts';

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface ValueSet {
  readonly values: object;
  readonly apiVersions?: readonly string[];
  readonly release?: string;
}

const operator = (values: object): object => ({ 'dynamo-operator': values });

/** The defaults and sets that between them set every documented value. */
const sets: Readonly<Record<string, ValueSet>> = {
  defaults: { values: {} },
  'three replicas with everything about the pod': {
    values: {
      ...operator({
        controllerManager: {
          replicas: 3,
          tolerations: [{ key: 'system', operator: 'Exists' }],
          affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
          manager: {
            resources: { limits: { cpu: '2' } },
            image: { repository: 'example.com/operator', tag: '0.9.1', pullPolicy: 'Always' },
          },
          kubeRbacProxy: { image: { repository: 'example.com/proxy', tag: 'v1' }, resources: { requests: { cpu: '1m' } } },
        },
        imagePullSecrets: [{ name: 'pull' }],
        dynamo: { mpiRun: { secretName: 'ssh' } },
      }),
      platform: { operator: { nodeSelector: { pool: 'system' }, logLevel: 'debug' } },
    },
  },
  restricted: { values: operator({ namespaceRestriction: { enabled: true, lease: { duration: '60s', renewInterval: '20s' } } }) },
  'restricted to another namespace': { values: operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team-b' } }) },
  'no webhooks, no NATS, no etcd': {
    values: { ...operator({ webhook: { enabled: false } }), nats: { enabled: false }, etcd: { enabled: false } },
  },
  'external certificate, NATS and etcd': {
    values: {
      ...operator({
        webhook: { caBundle: 'QUJD', certificateSecret: { name: 'mine' }, failurePolicy: 'Ignore', timeoutSeconds: 5 },
        natsAddr: 'nats://elsewhere:4222',
        etcdAddr: 'elsewhere:2379',
      }),
      platform: { certificates: { mode: 'external' } },
      nats: { enabled: false },
      etcd: { enabled: false },
    },
  },
  'etcd discovery through an etcd on another port': {
    values: { ...operator({ discoveryBackend: 'etcd', etcdAddr: 'https://elsewhere:2390/' }), etcd: { enabled: false } },
  },
  'etcd discovery through an etcd whose port goes without saying': {
    values: operator({ discoveryBackend: 'etcd', etcdAddr: 'elsewhere' }),
  },
  'self-managed certificate': {
    values: {
      ...operator({
        controllerManager: { manager: { image: { repository: 'example.com/own-operator' } } },
        namespaceRestriction: { enabled: true },
      }),
      platform: { certificates: { mode: 'self-managed' } },
    },
  },
  'monitors where the cluster knows them': {
    values: { platform: { monitoring: { labels: { release: 'stack' } } } },
    apiVersions: ['monitoring.coreos.com/v1'],
  },
  'monitors on request': {
    values: { platform: { monitoring: { enabled: true } }, ...operator({ namespaceRestriction: { enabled: true } }) },
  },
  'no monitors although the cluster knows them': {
    values: { platform: { monitoring: { enabled: false } } },
    apiVersions: ['monitoring.coreos.com/v1'],
  },
  'another registry and a digest': {
    values: {
      global: { imageRegistry: 'mirror.example.com/dynamo/' },
      platform: { imageDigests: { 'nats:2.11.1-alpine': `sha256:${'a'.repeat(64)}` } },
    },
  },
  'ingress, Istio, etcd discovery': {
    values: operator({
      discoveryBackend: 'etcd',
      modelExpressURL: 'http://express',
      dynamo: {
        ingress: { enabled: true, className: 'nginx', tlsSecretName: 'tls' },
        istio: { enabled: true, gateway: 'istio/gateway' },
        ingressHostSuffix: 'example.com',
        groveTerminationDelay: '1h',
        metrics: { prometheusEndpoint: 'http://prometheus:9090' },
      },
    }),
  },
  'storage of NATS and etcd': {
    values: {
      nats: {
        config: { jetstream: { fileStore: { pvc: { size: '5Gi', storageClassName: 'fast' } } } },
        container: { image: { tag: '2.11.2' } },
      },
      etcd: { persistence: { size: '3Gi', storageClass: 'fast' }, resources: { limits: { cpu: '2' } } },
    },
  },
  'a release with the name of a part': { values: {}, release: 'my-nats' },
  'names of the user': {
    values: { ...operator({ fullnameOverride: 'op' }), nats: { fullnameOverride: 'bus' }, etcd: { fullnameOverride: 'store' } },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'helm-chart-'));
const chart = join(folder, 'chart');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string): ReadonlyMap<string, KubernetesObject> =>
  new Map(
    parseAllDocuments(text)
      .map((d): KubernetesObject | null => d.toJS())
      .filter((o) => o !== null)
      .map((o) => [`${o.kind} ${o.metadata.namespace ?? ''}/${o.metadata.name}`, o]),
  );

describe.skipIf(missingTools(['helm']).length > 0)('the generated Helm chart', () => {
  let helm = '';
  beforeAll(async () => {
    helm = await findTool('helm');
    writeFileSync(join(folder, 'none.json'), '{}');
    await succeed(folder, 'gitops', '-f', 'none.json', '--layout', 'helm', '-o', 'chart');
  });

  test('passes helm lint', () => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', chart], { encoding: 'utf8' });
    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(status).toBe(0);
  });

  test.each(Object.keys(sets))('renders the same objects as our own platform command: %s', async (name) => {
    const { values, apiVersions = [], release = 'dynamo-platform' } = sets[name] ?? { values: {} };
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const versions = apiVersions.flatMap((v) => ['--api-versions', v]);
    const theirs = read(
      execFileSync(helm, ['template', release, chart, '-n', 'dynamo-system', '-f', file, ...versions], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      }),
    );
    const ours = read(await succeed(folder, 'platform', '-f', 'values.json', '--release', release, ...versions));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('refuses a value that it would not read', () => {
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, '--set', 'nats.config.cluster.enabled=true'], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/additional propert/i);
  });

  test('holds what no value of the chart decides about, as the values said when it was made', async () => {
    const values = {
      platform: { monitoring: { rules: true, dashboards: 'monitoring', scrapeConfig: true } },
      grove: { enabled: true },
      'kai-scheduler': { enabled: true },
    };
    writeFileSync(join(folder, 'full.json'), JSON.stringify(values));
    await succeed(
      folder,
      'gitops',
      '-f',
      'full.json',
      '--api-versions',
      'scheduling.run.ai/v2',
      '--layout',
      'helm',
      '-o',
      'full',
    );
    const text = execFileSync(helm, ['template', 'dynamo-platform', join(folder, 'full'), '-n', 'dynamo-system'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const theirs = read(text);
    const ours = read(await succeed(folder, 'platform', '-f', 'full.json', '--api-versions', 'scheduling.run.ai/v2'));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('brings the six CRDs', () => {
    const text = execFileSync(helm, ['template', 'x', chart, '--include-crds'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect([...read(text).keys()].filter((k) => k.startsWith('CustomResourceDefinition'))).toHaveLength(6);
  });
});

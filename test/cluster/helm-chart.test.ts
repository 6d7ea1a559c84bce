import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool, missingTools } from '../../tools/find.ts';
import { runCommand, succeed } from '../command-line.ts';

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface ValueSet {
  readonly values: object;
  readonly apiVersions?: readonly string[];
  readonly release?: string;
  /** Whether the chart was made for the operator of this package. */
  readonly own?: boolean;
}

const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: qwen}
spec: {services: {Frontend: {componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}}}
`;

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
  'the operator of this package': {
    values: { platform: { operator: { kind: 'dynamo-cdk8s', image: 'example.com/own-operator:1.2.3' } } },
    own: true,
  },
  'the operator of this package, restricted, with cert-manager': {
    values: {
      ...operator({ namespaceRestriction: { enabled: true } }),
      platform: {
        operator: { kind: 'dynamo-cdk8s', image: `example.com/own@sha256:${'a'.repeat(64)}` },
        certificates: { mode: 'cert-manager' },
        monitoring: { enabled: true },
      },
    },
    own: true,
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
  'a NATS cluster with resources and tolerations': {
    values: {
      nats: {
        config: { cluster: { enabled: true, replicas: 3 } },
        container: { merge: { resources: { limits: { cpu: '2', memory: '4Gi' } } } },
        podTemplate: { merge: { spec: { tolerations: [{ key: 'bus', operator: 'Exists' }], nodeSelector: { pool: 'bus' } } } },
      },
    },
  },
  'a NATS cluster of five': { values: { nats: { config: { cluster: { enabled: true, replicas: 5 } } } } },
  'three members of etcd, placed': {
    values: {
      etcd: { replicaCount: 3, tolerations: [{ key: 'store', operator: 'Exists' }], nodeSelector: { pool: 'store' } },
      global: { storageClass: 'global' },
    },
  },
  'etcd of seven without a storage class': { values: { etcd: { replicaCount: 7, persistence: { storageClass: '-' } } } },
  'pull secrets of every pod, as names and maps, one of them twice': {
    values: {
      ...operator({ imagePullSecrets: [{ name: 'own' }, { name: 'b' }] }),
      global: { imagePullSecrets: ['a', { name: 'b' }] },
      grove: { enabled: true },
      'kai-scheduler': { enabled: true },
    },
  },
  'Grove and KAI': { values: { grove: { enabled: true }, 'kai-scheduler': { enabled: true } } },
  'queues where the cluster knows them': { values: {}, apiVersions: ['scheduling.run.ai/v2'] },
  'no queues although the release brings KAI': {
    values: { 'kai-scheduler': { enabled: true }, platform: { queues: { enabled: false } } },
  },
  'globals of an umbrella chart': { values: { global: { team: 'search', defaultStorageClass: 'slow' } } },
  'a release with the name of a part': { values: {}, release: 'my-nats' },
  'names of the user': {
    values: { ...operator({ fullnameOverride: 'op' }), nats: { fullnameOverride: 'bus' }, etcd: { fullnameOverride: 'store' } },
  },
};

/** Values that the command line refuses, each for one reason. */
const refused: Readonly<Record<string, object>> = {
  'an external certificate without its CA': { platform: { certificates: { mode: 'external' } } },
  'a certificate that the original operator cannot make': { platform: { certificates: { mode: 'self-managed' } } },
  'a release that takes a configuration file': operator({ controllerManager: { manager: { image: { tag: '1.4.1' } } } }),
  'a release that lacks flags': operator({ controllerManager: { manager: { image: { tag: 'v0.7.1' } } } }),
  'etcd discovery without etcd': { ...operator({ discoveryBackend: 'etcd' }), etcd: { enabled: false } },
  'no Secret for MPI': operator({ dynamo: { mpiRun: { secretName: '' } } }),
  'a lease renewed later than it ends': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '30s', renewInterval: '1m' } },
  }),
  'a lease renewed as it ends': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '1m', renewInterval: '60s' } },
  }),
  'a name too long for the webhook Service': operator({ fullnameOverride: 'a'.repeat(48) }),
  'a discovery backend that does not exist': operator({ discoveryBackend: 'zookeeper' }),
  'a failure policy that does not exist': operator({ webhook: { failurePolicy: 'Retry' } }),
};

/** Values that only just pass. */
const accepted: Readonly<Record<string, object>> = {
  'a lease renewed in time': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '1m', renewInterval: '59s' } },
  }),
  'a name just short enough': operator({ fullnameOverride: 'a'.repeat(47) }),
  'no operator, so nothing about it': { ...operator({ enabled: false, discoveryBackend: 'etcd' }), etcd: { enabled: false } },
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
  const cluster = ['--kube-version', '1.34.0'];
  const template = (chart: string, ...more: readonly string[]): string =>
    execFileSync(helm, ['template', 'dynamo-platform', chart, '-n', 'dynamo-system', ...cluster, ...more], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  const objects = (chart: string, ...more: readonly string[]): ReadonlyMap<string, KubernetesObject> =>
    read(template(chart, ...more, '--skip-tests'));
  beforeAll(async () => {
    helm = await findTool('helm');
    writeFileSync(join(folder, 'none.json'), '{}');
    await succeed(folder, 'gitops', '-f', 'none.json', '--layout', 'helm', '-o', 'chart');
    const own = ['--set', 'platform.operator.kind=dynamo-cdk8s', '--set', 'platform.operator.image=example.com/made:0'];
    await succeed(folder, 'gitops', ...own, '--layout', 'helm', '-o', 'own');
  });

  test('passes helm lint', () => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', ...cluster, chart], { encoding: 'utf8' });
    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(status).toBe(0);
  });

  test.each(Object.keys(sets))('renders the same objects as our own platform command: %s', async (name) => {
    const { values, apiVersions = [], release = 'dynamo-platform', own = false } = sets[name] ?? { values: {} };
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const versions = apiVersions.flatMap((v) => ['--api-versions', v]);
    const made = own ? join(folder, 'own') : chart;
    const command = ['template', release, made, '-n', 'dynamo-system', '-f', file, '--skip-tests', ...cluster, ...versions];
    const theirs = read(execFileSync(helm, command, { encoding: 'utf8', maxBuffer: 1 << 28 }));
    const ours = read(await succeed(folder, 'platform', '-f', 'values.json', '--release', release, ...versions));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test.each(Object.entries(refused))('refuses what our own platform command refuses: %s', async (_, values) => {
    writeFileSync(join(folder, 'refused.json'), JSON.stringify(values));
    const ours = await runCommand(folder, ['platform', '-f', 'refused.json']);
    expect(ours.code).toBe(1);
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '-f', join(folder, 'refused.json')], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    const path = /(?:dynamo-operator|platform)\.[\w.]+(?=: )/.exec(ours.err)?.[0] ?? '';
    expect(stderr).toContain(stderr.includes('execution error') ? path : `at '/${path.replaceAll('.', '/')}'`);
  });

  test.each(Object.entries(accepted))('takes what our own platform command takes: %s', async (_, values) => {
    writeFileSync(join(folder, 'accepted.json'), JSON.stringify(values));
    expect((await runCommand(folder, ['platform', '-f', 'accepted.json'])).code).toBe(0);
    objects(chart, '-f', join(folder, 'accepted.json'));
  });

  test.each([
    ['dynamo-operator.natsAddr=nats://user:pw@elsewhere:4222', 'must not hold a user and password'],
    ['dynamo-operator.etcdAddr=http://user:pw@elsewhere:2379', 'must not hold a user and password'],
    ['dynamo-operator.dynamo.metrics.prometheusEndpoint=http://u:p@x', 'must not hold a user and password'],
    ['dynamo-operator.modelExpressURL=http://u:p@x', 'must not hold a user and password'],
    ['nats.config.jetstream.fileStore.pvc.size=10Gi\\, store_dir: /evil', 'does not match pattern'],
  ])('refuses %s', (set, message) => {
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '--set', set], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });

  test('a line of a configuration file cannot be left by a value, with or without the schema', () => {
    for (const size of ['10Gi\n---\nkind: Pod', '10Gi", evil: "x']) {
      writeFileSync(
        join(folder, 'line.json'),
        JSON.stringify({ nats: { config: { jetstream: { fileStore: { pvc: { size } } } } } }),
      );
      const flags = ['-f', join(folder, 'line.json'), '--skip-schema-validation'];
      const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, ...flags], { encoding: 'utf8' });
      expect(status).not.toBe(0);
      expect(stderr).toContain('must not hold quotes, backslashes or control characters');
    }
  });

  test('works in any namespace', async () => {
    const text = execFileSync(helm, ['template', 'mine', chart, '-n', 'other', ...cluster, '--skip-tests'], { encoding: 'utf8' });
    expect(text).not.toContain('dynamo-system');
    const ours = read(await succeed(folder, 'platform', '--release', 'mine', '-n', 'other'));
    const theirs = read(text);
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('is a dependency of an umbrella chart with globals and a condition', () => {
    const umbrella = join(folder, 'umbrella');
    mkdirSync(join(umbrella, 'charts'), { recursive: true });
    cpSync(chart, join(umbrella, 'charts/dynamo-platform'), { recursive: true });
    const dependency = { name: 'dynamo-platform', version: '*', condition: 'dynamo-platform.enabled' };
    writeFileSync(
      join(umbrella, 'Chart.yaml'),
      JSON.stringify({ apiVersion: 'v2', name: 'umbrella', version: '1.0.0', dependencies: [dependency] }),
    );
    writeFileSync(
      join(umbrella, 'values.yaml'),
      JSON.stringify({ global: { team: 'x', imagePullSecrets: ['pull'] }, 'dynamo-platform': { enabled: true } }),
    );
    const pods = [...objects(umbrella).values()].filter((o) => o.kind === 'StatefulSet' || o.kind === 'Deployment');
    expect(pods).toHaveLength(3);
    for (const pod of pods) expect(pod).toMatchObject({ spec: { template: { spec: { imagePullSecrets: [{ name: 'pull' }] } } } });
    expect(objects(umbrella, '--set', 'dynamo-platform.enabled=false').size).toBe(0);
  });

  test('helm test connects to every Service that the release brings', () => {
    const script = (...more: readonly string[]): string =>
      parseAllDocuments(template(chart, '-s', 'templates/tests/connection.yaml', ...more))[0]?.toJS().spec.containers[0]
        .command[2];
    expect(script().match(/^nc .*$/gm)).toEqual([
      'nc -z -w 10 dynamo-platform-dynamo-operator-webhook-service 443',
      'nc -z -w 10 dynamo-platform-nats 4222',
      'nc -z -w 10 dynamo-platform-etcd 2379',
    ]);
    expect(script('--set', 'etcd.enabled=false,dynamo-operator.webhook.enabled=false').match(/^nc .*$/gm)).toEqual([
      'nc -z -w 10 dynamo-platform-nats 4222',
    ]);
  });

  test('graphs come when they are asked for, in their own namespace', async () => {
    writeFileSync(join(folder, 'graph.yaml'), graph);
    await succeed(folder, 'gitops', '--layout', 'helm', '--graph', 'graph.yaml', '--chart-version', '3.2.1', '-o', 'graphs');
    const keys = (...more: readonly string[]): readonly string[] => [...objects(join(folder, 'graphs'), ...more).keys()];
    expect(keys()).not.toContain('DynamoGraphDeployment models/qwen');
    expect(keys('--set', 'graphs.enabled=true')).toContain('DynamoGraphDeployment models/qwen');
    expect(keys('--set', 'graphs.enabled=true')).toContain('Namespace /models');
    expect(execFileSync(helm, ['show', 'chart', join(folder, 'graphs')], { encoding: 'utf8' })).toContain('version: 3.2.1');
  });

  test('the chart of CRDs passes helm lint and holds them as the command prints them', async () => {
    await succeed(folder, 'gitops', '--layout', 'helm', '--chart', 'crds', '-o', 'crds');
    const lint = spawnSync(helm, ['lint', '--strict', ...cluster, join(folder, 'crds')], { encoding: 'utf8' });
    expect(lint.status, lint.stdout).toBe(0);
    const theirs = objects(join(folder, 'crds'));
    const ours = read(await succeed(folder, 'crds'));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, crd] of ours) expect(theirs.get(key)).toMatchObject({ spec: (crd as unknown as { spec: object }).spec });
  });

  test('refuses a value that it would not read', () => {
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '--set', 'nats.natsBox.enabled=true'], {
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
    const theirs = objects(join(folder, 'full'), '--api-versions', 'scheduling.run.ai/v2');
    const ours = read(await succeed(folder, 'platform', '-f', 'full.json', '--api-versions', 'scheduling.run.ai/v2'));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('brings the six CRDs', () => {
    expect([...objects(chart, '--include-crds').keys()].filter((k) => k.startsWith('CustomResourceDefinition'))).toHaveLength(6);
  });
});

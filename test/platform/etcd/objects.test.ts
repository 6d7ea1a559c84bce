import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { etcd } from '../../../lib/platform/etcd/index.ts';
import { dig, environmentOf, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const digest = `sha256:${'1'.repeat(64)}`;

describe('images', () => {
  test.each<[string, JsonObject, JsonObject | undefined, string]>([
    ['by default', {}, undefined, 'docker.io/bitnamilegacy/etcd:3.5.18-debian-12-r5'],
    ['with a digest', { image: { digest } }, undefined, `docker.io/bitnamilegacy/etcd@${digest}`],
    ['of the old catalogue', { image: { repository: 'bitnami/etcd', tag: '1' } }, undefined, 'docker.io/bitnami/etcd:1'],
    [
      'elsewhere, when allowed',
      { global: { security: { allowInsecureImages: true } } },
      { imageRegistry: 'mirror.example.com' },
      'mirror.example.com/bitnamilegacy/etcd:3.5.18-debian-12-r5',
    ],
  ])('%s', (_name, block, global, reference) => {
    const rendered = renderPart(etcd, block, global === undefined ? {} : { global });
    expect(dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'etcd', 'image')).toBe(reference);
  });

  test.each<[string, JsonObject, JsonObject | undefined, readonly string[]]>([
    ['another registry', { image: { registry: 'mirror:5000' } }, undefined, ['image']],
    ['another repository', { image: { repository: 'quay/etcd' } }, undefined, ['image']],
    ['a global registry', {}, { imageRegistry: 'mirror:5000' }, ['image', 'volumePermissions.image']],
    ['an unused image', { volumePermissions: { image: { repository: 'busybox' } } }, undefined, ['volumePermissions.image']],
  ])('rejects %s', (_name, block, global, paths) => {
    const { issues } = renderPart(etcd, block, global === undefined ? {} : { global });
    expect(issues.map((issue) => issue.path.slice(1).join('.'))).toEqual(paths);
    expect(issues[0]?.message).toContain('allowInsecureImages');
  });

  test('a null tag is refused, not printed as <nil>', () => {
    expect(renderPart(etcd, { image: { tag: null } }).issues).toMatchObject([
      { path: ['etcd', 'image', 'tag'], code: 'required' },
    ]);
  });

  test('in the secure profile one registry serves all images and trips no check', () => {
    const image = (reference: string) => `m.io/${reference.replace('docker.io/', '')}`;
    const rendered = renderPart(etcd, {}, { profile: 'secure', global: { imageRegistry: 'm.io' }, context: { image } });
    expect(dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'etcd', 'image')).toBe(
      'm.io/bitnamilegacy/etcd:3.5.18-debian-12-r5',
    );
  });
});

describe('services', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'ClusterIP with an address',
      { clusterIP: '10.0.0.9' },
      { type: 'ClusterIP', clusterIP: '10.0.0.9' },
      ['externalTrafficPolicy', 'loadBalancerIP'],
    ],
    [
      'NodePort',
      { type: 'NodePort', nodePorts: { client: '30000' }, loadBalancerIP: '1.2.3.4' },
      { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
      ['loadBalancerIP'],
    ],
    [
      'LoadBalancer',
      { type: 'LoadBalancer', loadBalancerIP: '1.2.3.4', clusterIP: 'x' },
      { loadBalancerIP: '1.2.3.4' },
      ['clusterIP', 'loadBalancerClass'],
    ],
    [
      'affinity',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 9 } }, externalIPs: ['1.1.1.1'] },
      { sessionAffinity: 'ClientIP', externalIPs: ['1.1.1.1'] },
      [],
    ],
  ])('%s', (_name, service, present, absent) => {
    const spec = dig(objectOf(renderPart(etcd, { service }), 'Service', 'r-etcd'), 'spec');
    expect(spec).toMatchObject(present);
    for (const key of absent) expect(spec).not.toHaveProperty(key);
  });

  test('other names of ports show TLS on the headless Service only', () => {
    const service = { clientPortNameOverride: 'kv', peerPortNameOverride: 'raft', metricsPortNameOverride: 'prom' };
    const rendered = renderPart(etcd, {
      service,
      metrics: { useSeparateEndpoint: true },
      auth: { client: { secureTransport: true, useAutoTLS: true } },
    });
    const names = (name: string) =>
      (dig(objectOf(rendered, 'Service', name), 'spec', 'ports') as readonly JsonObject[]).map((port) => port['name']);
    expect(names('r-etcd-headless')).toEqual(['kv-ssl', 'raft', 'prom']);
    expect(names('r-etcd')).toEqual(['kv', 'raft', 'prom']);
  });

  test('without a Service members advertise themselves only', () => {
    const rendered = renderPart(etcd, { service: { enabled: false } });
    expect(inventory(rendered)).not.toContain('Service r-etcd');
    expect(environmentOf(dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'etcd'))['ETCD_ADVERTISE_CLIENT_URLS']).toBe(
      'http://$(MY_POD_NAME).r-etcd-headless.ns.svc.cluster.local:2379',
    );
  });
});

test.each<[string, JsonObject, JsonObject]>([
  ['the default', {}, { minAvailable: '51%' }],
  ['both', { maxUnavailable: 1 }, { minAvailable: '51%', maxUnavailable: 1 }],
  ['neither', { minAvailable: '' }, { maxUnavailable: 1 }],
  ['a percentage', { minAvailable: '', maxUnavailable: '25%' }, { maxUnavailable: '25%' }],
])('disruption budget: %s', (_name, pdb, expected) => {
  const { selector: _, ...numbers } = dig(
    objectOf(renderPart(etcd, { pdb: { create: true, ...pdb } }), 'PodDisruptionBudget'),
    'spec',
  ) as JsonObject;
  expect(numbers).toEqual(expected);
});

test('metrics on the client port are scraped and let in there', () => {
  const rendered = renderPart(etcd, {
    metrics: {
      enabled: true,
      podMonitor: { enabled: true, namespace: '' },
      prometheusRule: { enabled: true, rules: [{ record: 'a' }] },
    },
  });
  expect(dig(objectOf(rendered, 'PodMonitor'), 'spec', 'podMetricsEndpoints', 0)).toMatchObject({
    port: 'client',
    path: '/metrics',
  });
  expect(objectOf(rendered, 'PodMonitor').metadata.namespace).toBe('ns');
  expect(dig(objectOf(rendered, 'NetworkPolicy'), 'spec', 'ingress', 1)).toEqual({ ports: [{ port: 2379 }] });
  expect(objectOf(rendered, 'PrometheusRule').metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'metrics' });
});

describe('snapshots', () => {
  const names = (block: JsonObject) => {
    const pod = podOf(objectOf(renderPart(etcd, block), 'StatefulSet'));
    const env = environmentOf(dig(pod, 'containers', 'etcd'));
    const claims = (pod['volumes'] as readonly JsonObject[]).flatMap(
      (volume) => dig(volume, 'persistentVolumeClaim', 'claimName') ?? [],
    );
    return { dir: env['ETCD_INIT_SNAPSHOTS_DIR'], claims };
  };
  const start = { startFromSnapshot: { enabled: true, existingClaim: 'start', snapshotFilename: 'a.db' } };

  test('lie on the claim of disaster recovery unless that is another one', () => {
    expect(names(start)).toEqual({ dir: '/init-snapshot', claims: ['start'] });
    expect(names({ ...start, disasterRecovery: { enabled: true } })).toEqual({ dir: '/snapshots', claims: ['start'] });
    expect(names({ ...start, disasterRecovery: { enabled: true, pvc: { existingClaim: 'own' } } })).toEqual({
      dir: '/init-snapshot',
      claims: ['start', 'own'],
    });
    expect(inventory(renderPart(etcd, { disasterRecovery: { enabled: true, pvc: { existingClaim: 'own' } } }))).not.toContain(
      'PersistentVolumeClaim r-etcd-snapshotter',
    );
  });

  test.each<[JsonObject, string]>([
    [{ startFromSnapshot: { enabled: true, existingClaim: 'x' } }, 'startFromSnapshot.snapshotFilename'],
    [{ startFromSnapshot: { enabled: true, snapshotFilename: 'x' } }, 'startFromSnapshot.existingClaim'],
    [{ disasterRecovery: { enabled: true }, persistence: { enabled: false } }, 'disasterRecovery.enabled'],
  ])('rejects %j', (block, path) => {
    expect(renderPart(etcd, block).issues.map((issue) => issue.path.join('.'))).toEqual([`etcd.${path}`]);
  });

  test('elsewhere than below /snapshots are lost, which is a warning', () => {
    const cronjob = { snapshotsDir: '/tmp/x' };
    const { warnings } = renderPart(etcd, { auth: { token: { enabled: false } }, disasterRecovery: { enabled: true, cronjob } });
    expect(warnings).toMatchObject([{ path: ['etcd', 'disasterRecovery', 'cronjob', 'snapshotsDir'] }]);
  });
});

test('jobs reach members with TLS, and take commands of their own', () => {
  const rendered = renderPart(etcd, {
    auth: { client: { secureTransport: true, existingSecret: 'tls', enableAuthentication: true } },
    disasterRecovery: {
      enabled: true,
      cronjob: { command: ['/my'], nodeSelector: { a: 'b' }, serviceAccountName: 'sa', podLabels: { l: '1' } },
    },
    defrag: {
      enabled: true,
      cronjob: { extraEnvVars: [{ name: 'X', value: '1' }], extraEnvVarsCM: 'cm', activeDeadlineSeconds: '9' },
    },
  });
  const snapshotter = objectOf(rendered, 'CronJob', 'r-etcd-snapshotter');
  expect(podOf(snapshotter)).toMatchObject({
    nodeSelector: { a: 'b' },
    serviceAccountName: 'sa',
    containers: [{ command: ['/my'] }],
  });
  expect(environmentOf(dig(podOf(snapshotter), 'containers', 0))).toMatchObject({ ETCD_CLIENT_CERT_AUTH: 'true' });
  const defrag = objectOf(rendered, 'CronJob', 'r-etcd-defrag');
  expect(dig(podOf(defrag), 'containers', 0, 'command', 2)).toContain('--endpoints="https://r-etcd-0.');
  expect(dig(podOf(defrag), 'volumes', 'etcd-client-certs', 'secret', 'secretName')).toBe('tls');
  expect(dig(podOf(defrag), 'containers', 0, 'envFrom')).toEqual([{ configMapRef: { name: 'cm' } }]);
  expect(dig(defrag, 'spec', 'jobTemplate', 'spec', 'activeDeadlineSeconds')).toBe(9);
});

test('an existing ConfigMap wins over a configuration, which may be a map', () => {
  const configuration = { name: 'x', 'max-wals': 5 };
  expect(dig(objectOf(renderPart(etcd, { configuration }), 'ConfigMap'), 'data')).toEqual({
    'etcd.conf.yml': 'max-wals: 5\nname: x',
  });
  const rendered = renderPart(etcd, { configuration, existingConfigmap: 'mine' });
  expect(inventory(rendered).join()).not.toContain('ConfigMap');
  expect(dig(podOf(objectOf(rendered, 'StatefulSet')), 'volumes', 'configuration')).toMatchObject({
    configMap: { name: 'mine' },
  });
});

test('names are cut as a whole, and a release name keeps only what Kubernetes takes', () => {
  const fullnameOverride = 'a'.repeat(60);
  const names = inventory(renderPart(etcd, { fullnameOverride })).join();
  expect(names).toContain(`Service ${'a'.repeat(60)}-he`);
  expect(inventory(renderPart(etcd, {}, { context: { release: 'My_Rel.1' } }))).toContain('StatefulSet my-rel-1-etcd');
});

test('the account may be another one or the default', () => {
  const account = (serviceAccount: JsonObject) =>
    podOf(objectOf(renderPart(etcd, { serviceAccount }), 'StatefulSet'))['serviceAccountName'];
  expect([account({}), account({ name: 'x' }), account({ create: false }), account({ create: false, name: 'y' })]).toEqual([
    'r-etcd',
    'x',
    'default',
    'y',
  ]);
});

test.each(['auth', 'service', 'pdb', 'livenessProbe', 'metrics', 'volumePermissions.image'])(
  'rejects null for the block %s, as Helm does',
  (path) => {
    const [last = '', ...rest] = path.split('.').toReversed();
    const { issues } = renderPart(
      etcd,
      rest.reduce<JsonObject>((inner, key) => ({ [key]: inner }), { [last]: null }),
    );
    expect(issues).toMatchObject([{ path: ['etcd', ...path.split('.')], code: 'wrong_type' }]);
  },
);

test('an even number of members is a warning', () => {
  const { warnings } = renderPart(etcd, { auth: { token: { enabled: false } }, replicaCount: 2 });
  expect(warnings).toMatchObject([{ path: ['etcd', 'replicaCount'] }]);
});

test('further objects may be maps or the text of manifests', () => {
  const text =
    'kind: ConfigMap\napiVersion: v1\nmetadata: {name: "{{ .Release.Name }}-b"}\n---\nkind: Secret\napiVersion: v1\nmetadata: {name: c}\n';
  const names = inventory(renderPart(etcd, { extraDeploy: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, text] }));
  expect(names).toEqual(expect.arrayContaining(['Pod a', 'ConfigMap r-b', 'Secret c']));
  const { issues } = renderPart(etcd, { extraDeploy: ['a: [', 'a: b'] });
  expect(issues.map(({ path }) => path)).toContainEqual(['etcd', 'extraDeploy', 0]);
});

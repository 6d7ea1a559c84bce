import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { etcd } from '../../../lib/platform/etcd/index.ts';
import { dig, environmentOf, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const secure = (block: JsonObject) => renderPart(etcd, block, { profile: 'secure' });
const environment = (block: JsonObject) =>
  environmentOf(dig(podOf(objectOf(secure(block), 'StatefulSet')), 'containers', 'etcd'));

test('nothing is made up: no token without a key, simple tokens with authentication', () => {
  expect(inventory(secure({})).join()).not.toContain('Secret');
  expect(secure({}).warnings.map(({ code }) => code)).toEqual(['open_to_all']);
  expect(environment({})).not.toHaveProperty('ETCD_AUTH_TOKEN');
  expect(environment({ auth: { rbac: { create: true, existingSecret: 's' } } })).toMatchObject({ ETCD_AUTH_TOKEN: 'simple' });
  const token = { privateKey: { existingSecret: 'keys' } };
  expect(environment({ auth: { token } })['ETCD_AUTH_TOKEN']).toMatch(/^jwt,/);
});

test.each<[JsonObject, string]>([
  [{ auth: { rbac: { create: true, rootPassword: 'hunter2' } } }, 'auth.rbac.rootPassword'],
  [{ auth: { rbac: { create: true } } }, 'auth.rbac.existingSecret'],
  [{ security: { auth: { enabled: true } } }, 'security.auth.secretName'],
  [{ security: { tls: { enabled: true } } }, 'security.tls.secretName'],
])('rejects %j', (block, path) => {
  const { issues, objects } = secure(block);
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([`etcd.${path}`]);
  expect(objects).toEqual([]);
  expect(JSON.stringify(issues)).not.toContain('hunter2');
});

test('authentication and TLS are one switch each', () => {
  const security = { auth: { enabled: true, secretName: 'root', passwordKey: 'pw' }, tls: { enabled: true, secretName: 'tls' } };
  expect(environment({ security })).toMatchObject({
    ALLOW_NONE_AUTHENTICATION: 'no',
    ETCD_ROOT_PASSWORD_FILE: '/opt/bitnami/etcd/secrets/pw',
    ETCD_LISTEN_CLIENT_URLS: 'https://0.0.0.0:2379',
    ETCD_TRUSTED_CA_FILE: '/opt/bitnami/etcd/certs/client/ca.crt',
    ETCD_PEER_CLIENT_CERT_AUTH: 'true',
  });
  expect(environment({ security })).not.toHaveProperty('ETCD_CLIENT_CERT_AUTH');
  expect(environment({ security: { tls: { ...security.tls, verifyClients: true } } })).toHaveProperty('ETCD_CLIENT_CERT_AUTH');
  expect(renderPart(etcd, { security }).objects).toEqual(renderPart(etcd, {}).objects);
});

test('members are probed, and a custom probe stays', () => {
  const container = dig(
    podOf(objectOf(secure({ customLivenessProbe: { tcpSocket: { port: 1 } } }), 'StatefulSet')),
    'containers',
    'etcd',
  );
  expect(container).toMatchObject({
    livenessProbe: { tcpSocket: { port: 1 } },
    readinessProbe: { periodSeconds: 10 },
    startupProbe: {},
  });
});

test('several members have a budget and spread over nodes', () => {
  const rendered = secure({ replicaCount: 3, pdb: { maxUnavailable: 1 } });
  expect(dig(objectOf(rendered, 'PodDisruptionBudget'), 'spec')).not.toHaveProperty('minAvailable');
  expect(podOf(objectOf(rendered, 'StatefulSet'))).toHaveProperty('topologySpreadConstraints');
  expect(inventory(secure({}))).not.toContain('PodDisruptionBudget r-etcd');
});

test('the peer port is for members, the client port for the cluster unless the Service leads out of it', () => {
  const ingress = (block: JsonObject) => dig(objectOf(secure(block), 'NetworkPolicy', 'r-etcd'), 'spec', 'ingress');
  expect(ingress({})).toMatchObject([
    { ports: [{ port: 2379 }], from: [{ namespaceSelector: {} }] },
    { ports: [{ port: 2380 }], from: [{ podSelector: {} }] },
  ]);
  expect(dig(ingress({ service: { type: 'LoadBalancer' } }), 0)).not.toHaveProperty('from');
  expect(dig(ingress({ networkPolicy: { allowExternal: false } }), 0, 'from')).toHaveLength(2);
  expect(inventory(secure({ networkPolicy: { enabled: false } })).join()).not.toContain('NetworkPolicy');
});

test('jobs may call members only, and start in time or not at all', () => {
  const rendered = secure({ defrag: { enabled: true }, disasterRecovery: { enabled: true } });
  const policy = dig(objectOf(rendered, 'NetworkPolicy', 'r-etcd-jobs'), 'spec');
  expect(policy).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
  expect(policy).not.toHaveProperty('ingress');
  for (const name of ['r-etcd-defrag', 'r-etcd-snapshotter']) {
    expect(dig(objectOf(rendered, 'CronJob', name), 'spec', 'startingDeadlineSeconds')).toBe(600);
  }
});

test('no Job waits for an upgrade that only Helm does', () => {
  const rendered = secure({ preUpgradeJob: { enabled: true } });
  expect(inventory(rendered)).not.toContain('Job r-etcd-pre-upgrade');
  expect(rendered.warnings).toContainEqual(
    expect.objectContaining({ path: ['etcd', 'preUpgradeJob', 'enabled'], code: 'no_hooks' }),
  );
});

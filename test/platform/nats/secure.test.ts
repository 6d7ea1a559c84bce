import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { templateString } from '../../../lib/platform/go-values.ts';
import { nats } from '../../../lib/platform/nats/index.ts';
import { dig, inventory, objectOf, podOf, renderPart } from '../render-part.ts';

const secure = (block: JsonObject) => renderPart(nats, block, { profile: 'secure' });

test('authentication and TLS are one switch each and need a Secret', () => {
  const on = { enabled: true };
  const { issues, objects } = secure({ security: { auth: on, tls: on } });
  expect(issues.map((issue) => issue.path.join('.'))).toEqual(['nats.security.tls.secretName', 'nats.security.auth.secretName']);
  expect(objects).toEqual([]);
});

test('authentication includes a file of the Secret, which every container that needs it mounts', () => {
  const rendered = secure({
    security: { auth: { enabled: true, secretName: 'nats-auth', key: 'users.conf' } },
    container: { patch: [{ op: 'add', path: '/env/-', value: { name: 'MINE', value: '1' } }] },
  });
  expect(rendered.issues).toEqual([]);
  expect(dig(objectOf(rendered, 'ConfigMap'), 'data', 'nats.conf')).toContain('include ../nats-auth/users.conf;');
  const pod = podOf(objectOf(rendered, 'StatefulSet'));
  expect(dig(pod, 'volumes', 'auth')).toEqual({ name: 'auth', secret: { secretName: 'nats-auth', defaultMode: 0o440 } });
  for (const container of ['nats', 'reloader']) {
    expect(dig(pod, 'containers', container, 'volumeMounts', 'auth')).toEqual({
      name: 'auth',
      mountPath: '/etc/nats-auth',
      readOnly: true,
    });
  }
  expect(dig(pod, 'containers', 'reloader', 'args')).toContain('/etc/nats-auth/users.conf');
  expect(dig(pod, 'containers', 'nats', 'env', 'MINE')).toEqual({ name: 'MINE', value: '1' });
});

test('TLS covers clients and routes with one Secret', () => {
  const rendered = secure({
    config: { cluster: { enabled: true } },
    security: { tls: { enabled: true, secretName: 'nats-tls' } },
  });
  const config = templateString(dig(objectOf(rendered, 'ConfigMap'), 'data', 'nats.conf'));
  expect(config.match(/"cert_file"/g)).toHaveLength(2);
  expect(config.match(/"verify": true/g)).toHaveLength(1);
  expect(config).toContain('"tls://r-nats-0.r-nats-headless:6222"');
  expect(dig(podOf(objectOf(rendered, 'StatefulSet')), 'volumes', 'tls-ca')).toEqual({
    name: 'tls-ca',
    secret: { secretName: 'nats-tls', defaultMode: 0o440 },
  });
});

test('the profile parity does not read the block security, as Helm does not', () => {
  const block = { security: { auth: { enabled: true, secretName: 'nats-auth' } } };
  expect(renderPart(nats, block).objects).toEqual(renderPart(nats, {}).objects);
});

test.each<[string, JsonObject]>([
  [
    'config.cluster.routeURLs.password',
    { config: { cluster: { enabled: true, routeURLs: { user: 'u', password: 'hunter2' } } } },
  ],
  [
    'natsBox.contexts.default.creds.contents',
    { natsBox: { enabled: true, contexts: { default: { creds: { contents: 'hunter2' } } } } },
  ],
  ['config.merge.authorization.token', { config: { merge: { authorization: { token: 'hunter2' } } } }],
  [
    'config.merge.accounts.A.users.0.password',
    { config: { merge: { accounts: { A: { users: [{ user: 'a', password: 'hunter2' }] } } } } },
  ],
])('rejects a secret in %s and prints nothing', (path, block) => {
  const { issues, objects } = secure(block);
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([`nats.${path}`]);
  expect(JSON.stringify({ issues, objects })).not.toContain('hunter2');
  expect(renderPart(nats, block).issues).toEqual([]);
});

test('variables and bcrypt hashes are no secrets', () => {
  const merge = {
    authorization: {
      users: [
        { user: 'a', password: '$2a$11$abc' },
        { user: 'b', password: '<< $B >>' },
      ],
    },
  };
  expect(secure({ config: { merge } }).issues).toEqual([]);
});

test('what the values merge wins over what the profile adds', () => {
  const rendered = secure({
    container: { merge: { resources: { limits: { memory: '8Gi' } }, securityContext: { readOnlyRootFilesystem: false } } },
    podTemplate: { merge: { spec: { securityContext: { runAsUser: 7 } } } },
  });
  const pod = podOf(objectOf(rendered, 'StatefulSet'));
  expect(pod).toMatchObject({ securityContext: { runAsUser: 7, runAsNonRoot: true } });
  expect(dig(pod, 'containers', 'nats')).toMatchObject({
    resources: { limits: { memory: '8Gi' } },
    securityContext: { readOnlyRootFilesystem: false, allowPrivilegeEscalation: false },
  });
});

test('only several servers are spread over nodes, unless the values say how', () => {
  const constraints = (block: JsonObject) => dig(podOf(objectOf(secure(block), 'StatefulSet')), 'topologySpreadConstraints');
  expect(constraints({})).toBeUndefined();
  expect(constraints({ config: { cluster: { enabled: true } } })).toMatchObject([
    { topologyKey: 'kubernetes.io/hostname', maxSkew: 1 },
  ]);
  const zone = { 'topology.kubernetes.io/zone': { maxSkew: 2 } };
  expect(constraints({ config: { cluster: { enabled: true } }, podTemplate: { topologySpreadConstraints: zone } })).toMatchObject(
    [{ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 2 }],
  );
});

test('the policy keeps routes among servers and opens what other clusters use', () => {
  const rendered = secure({ config: { cluster: { enabled: true }, gateway: { enabled: true } }, natsBox: { enabled: true } });
  expect(inventory(rendered).filter((name) => name.startsWith('NetworkPolicy'))).toEqual([
    'NetworkPolicy r-nats',
    'NetworkPolicy r-nats-box',
  ]);
  expect(dig(objectOf(rendered, 'NetworkPolicy', 'r-nats'), 'spec', 'ingress')).toMatchObject([
    { ports: [{ port: 6222 }], from: [{ podSelector: {} }] },
    { ports: [{ port: 4222 }, { port: 8222 }], from: [{ namespaceSelector: {} }] },
    { ports: [{ port: 7222 }] },
  ]);
  expect(dig(objectOf(secure({}), 'NetworkPolicy'), 'spec', 'egress')).toHaveLength(2);
});

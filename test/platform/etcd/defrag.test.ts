import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

/** Environment of the container that defragments, by name. */
function environment(client: JsonObject, more: JsonObject = {}, profile: 'parity' | 'secure' = 'parity') {
  const { auth, ...rest } = more;
  const values = { etcd: { defrag: { enabled: true }, auth: { client, ...objectAt(auth) }, ...rest } };
  const job = renderPlatform(values, { profile }).objects.find((o) => o.kind === 'CronJob');
  const [container] = listAt(atPath(job, 'spec.jobTemplate.spec.template.spec.containers'));
  return Object.fromEntries(
    listAt(atPath(container, 'env')).flatMap((entry) =>
      isObject(entry) ? [[stringAt(entry, 'name'), entry['value'] ?? entry['valueFrom']]] : [],
    ),
  );
}

test('defragmentation speaks TLS as a client, with the variables of etcdctl', () => {
  const folder = '/opt/bitnami/etcd/certs/client';
  const names = Object.keys(environment({ secureTransport: true, existingSecret: 's' })).filter((name) =>
    name.startsWith('ETCD'),
  );
  expect(names).toEqual(['ETCDCTL_CACERT', 'ETCDCTL_KEY', 'ETCDCTL_CERT']);
  expect(
    environment({ secureTransport: true, existingSecret: 's', enableAuthentication: true, caFilename: 'c.pem' }),
  ).toMatchObject({
    ETCDCTL_CACERT: `${folder}/c.pem`,
    ETCDCTL_KEY: `${folder}/key.pem`,
    ETCDCTL_CERT: `${folder}/cert.pem`,
  });
  for (const client of [{}, { secureTransport: true, useAutoTLS: true }])
    expect(Object.keys(environment(client)).join()).not.toContain('ETCDCTL');
});

test('it logs in as root only where users and tokens are on', () => {
  const auth = (create: boolean, enabled: boolean) => ({
    auth: { rbac: { create, existingSecret: 'root' }, token: { enabled, type: 'simple' } },
  });
  const names = (more: JsonObject) => Object.keys(environment({}, more)).filter((name) => name.startsWith('ETCD_'));
  expect(names(auth(true, true))).toEqual(['ETCD_ROOT_PASSWORD_FILE']);
  for (const more of [auth(true, false), auth(false, true), auth(false, false)]) expect(names(more)).toEqual([]);
  expect(environment({}, { ...auth(true, true), usePasswordFiles: false })).toMatchObject({
    ETCD_ROOT_PASSWORD: { secretKeyRef: { name: 'root', key: 'etcd-root-password' } },
  });
});

test('the profile secure turns tokens on with users, since jobs could not log in otherwise', () => {
  const auth = { rbac: { create: true, existingSecret: 'root' }, token: { enabled: false } };
  expect(environment({}, { auth }, 'secure')).toHaveProperty('ETCD_ROOT_PASSWORD_FILE');
});

test('a certificate that clients must show is enough for TLS, and names of files are those of the values', () => {
  const client = { enableAuthentication: true, existingSecret: 's', certFilename: 'c', certKeyFilename: 'k' };
  expect(environment(client)).toMatchObject({
    ETCDCTL_CACERT: '/opt/bitnami/etcd/certs/client/ca.crt',
    ETCDCTL_KEY: '/opt/bitnami/etcd/certs/client/k',
    ETCDCTL_CERT: '/opt/bitnami/etcd/certs/client/c',
  });
});

import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

/** Environment of the container that defragments, by name. */
function environment(client: JsonObject): Readonly<Record<string, unknown>> {
  const values = { etcd: { defrag: { enabled: true }, auth: { client } } };
  const job = renderPlatform(values, { profile: 'parity' }).objects.find((o) => o.kind === 'CronJob');
  const [container] = listAt(atPath(job, 'spec.jobTemplate.spec.template.spec.containers'));
  return Object.fromEntries(
    listAt(atPath(container, 'env')).flatMap((entry) => (isObject(entry) ? [[stringAt(entry, 'name'), entry['value']]] : [])),
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

import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

const operator = (kubernetesClusterDomain: string): JsonObject => ({ 'dynamo-operator': { kubernetesClusterDomain } });
const etcd = (clusterDomain: string): JsonObject => ({ etcd: { enabled: true, clusterDomain } });
const nats = (k8sClusterDomain: string, cluster: JsonObject = {}, useFQDN = true): JsonObject => ({
  nats: { config: { cluster: { enabled: true, ...cluster, routeURLs: { useFQDN, k8sClusterDomain } } } },
});

function warned(values: JsonObject, profile: 'secure' | 'parity' = 'secure'): readonly string[] {
  const { warnings } = renderPlatform(values, { profile });
  return warnings.filter(({ code }) => code === 'different_domain').map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('a domain of etcd that is not that of the operator is a warning, whichever of the two is set', () => {
  expect(warned(etcd('corp.example'))).toEqual([
    "etcd.clusterDomain: is 'corp.example', but dynamo-operator.kubernetesClusterDomain is 'cluster.local'; a cluster has one domain: set both to it",
  ]);
  expect(warned({ ...operator('corp.example'), etcd: { enabled: true } })).toEqual([
    "etcd.clusterDomain: is 'cluster.local', but dynamo-operator.kubernetesClusterDomain is 'corp.example'; a cluster has one domain: set both to it",
  ]);
  expect(warned(etcd(''))).toEqual([expect.stringContaining("is '', but")]);
});

test('a domain of NATS is compared where the routes of a cluster have it', () => {
  expect(warned(nats('corp.example'))).toEqual([
    "nats.config.cluster.routeURLs.k8sClusterDomain: is 'corp.example', but dynamo-operator.kubernetesClusterDomain is 'cluster.local'; a cluster has one domain: set both to it",
  ]);
  expect(warned(nats('corp.example', {}, false))).toEqual([]);
  expect(warned(nats('corp.example', { enabled: false }))).toEqual([]);
});

test('the profile parity also needs the address, which the original derives in cluster.local', () => {
  expect(warned(etcd('corp.example'), 'parity')).toEqual([
    "etcd.clusterDomain: is 'corp.example', but dynamo-operator.kubernetesClusterDomain is 'cluster.local'; a cluster has one domain: set both to it, and name the address in dynamo-operator.etcdAddr, which is otherwise in cluster.local",
  ]);
  expect(warned(nats('corp.example'), 'parity')).toEqual([expect.stringContaining('dynamo-operator.natsAddr')]);
});

test('one domain everywhere, and parts that are not rendered, are no warning', () => {
  expect(warned({ ...operator('corp.example'), ...etcd('corp.example'), ...nats('corp.example') })).toEqual([]);
  expect(warned({ ...operator(''), ...etcd('cluster.local') })).toEqual([]);
  expect(warned({ etcd: { enabled: false, clusterDomain: 'corp.example' } })).toEqual([]);
  expect(warned({ ...etcd('corp.example'), 'dynamo-operator': { enabled: false } })).toEqual([]);
  expect(warned({ ...etcd('corp.example'), 'dynamo-operator': 3 })).toEqual([]);
  expect(warned({})).toEqual([]);
});

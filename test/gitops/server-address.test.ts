import { expect, test } from 'vitest';
import { checkServerAddress, normalizeServerAddress } from '../../lib/gitops/server-address.ts';

test.each([
  'https://kubernetes.default.svc',
  'https://kubernetes.default.svc/',
  'https://kubernetes.default.svc:443',
  'https://kubernetes.default.svc.cluster.local',
  'https://kubernetes.default',
])('%s is the cluster that the controller runs in', (server) => {
  expect(normalizeServerAddress(server)).toBe('');
});

test.each([
  ['https://prod.example.com', 'https://prod.example.com'],
  ['https://prod.example.com:443/', 'https://prod.example.com'],
  ['https://PROD.example.com:6443/', 'https://prod.example.com:6443'],
  ['https://proxy.example.com/clusters/a/', 'https://proxy.example.com/clusters/a'],
  ['https://kubernetes.default.svc.cluster', 'https://kubernetes.default.svc.cluster'],
])('%s is the cluster %s', (server, cluster) => {
  expect(normalizeServerAddress(server)).toBe(cluster);
});

test.each(['http://prod.example.com', 'prod.example.com', 'https://user@prod.example.com', 'https://', 'https://a b'])(
  'rejects %s',
  (address) => {
    expect(checkServerAddress(address)).toBe(`must be the https address of an API server, got '${address}'`);
  },
);

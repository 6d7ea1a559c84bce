import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt } from '../../../lib/json/index.ts';
import { atPath } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const monitored = { apiVersions: ['monitoring.coreos.com/v1'] };
const own: JsonObject = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/o:1' } } };
const restricted: JsonObject = { 'dynamo-operator': { namespaceRestriction: { enabled: true } } };
const token = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function metrics(values: JsonObject, options = {}) {
  const { objects, notes } = renderPlatform(values, { ...monitored, ...options });
  const named = (kind: string, end: string) => objects.find((o) => o.kind === kind && o.metadata.name.endsWith(end));
  const containers = listAt(atPath(named('Deployment', 'operator-controller-manager'), 'spec.template.spec.containers'));
  const proxy = containers.find((c) => atPath(c, 'name') === 'kube-rbac-proxy');
  return {
    proxy: listAt(atPath(proxy, 'args')),
    endpoint: listAt(atPath(named('ServiceMonitor', 'dynamo-operator-operator'), 'spec.endpoints'))[0],
    reader: named('ClusterRole', '-metrics-reader'),
    reviews: named('ClusterRole', '-proxy-role'),
    notes: notes.join(),
  };
}

describe('readers of the metrics show who they are', () => {
  test.each<[string, JsonObject]>([
    ['to the proxy of the original', {}],
    ['to the proxy of one that manages a namespace', restricted],
    ['to the operator of this package', own],
  ])('%s', (_where, values) => {
    const { proxy, endpoint, reader, reviews, notes } = metrics(values);
    expect(JSON.stringify(proxy)).not.toContain('--ignore-paths');
    expect(endpoint).toMatchObject({ scheme: 'https', bearerTokenFile: token });
    expect(reader?.['rules']).toEqual([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    expect(JSON.stringify(reviews)).toContain('tokenreviews');
    expect(notes).toContain(`ClusterRole ${reader?.metadata.name}`);
  });

  test('unless the values open them', () => {
    const args = ['--secure-listen-address=0.0.0.0:8443', '--upstream=http://127.0.0.1:8080/', '--ignore-paths=/metrics'];
    const { proxy, endpoint, reader } = metrics({ 'dynamo-operator': { controllerManager: { kubeRbacProxy: { args } } } });
    expect(proxy).toEqual(args);
    expect(endpoint).not.toHaveProperty('bearerTokenFile');
    expect(reader).toBeUndefined();
    expect(metrics({}, { switches: { 'authenticated-metrics': false } }).proxy).toContain('--ignore-paths=/metrics');
  });

  test('but not in the profile parity', () => {
    const { proxy, endpoint } = metrics({}, { profile: 'parity' });
    expect(proxy).toContain('--ignore-paths=/metrics');
    expect(endpoint).not.toHaveProperty('bearerTokenFile');
  });

  test('and nobody is told to bind a role where nobody scrapes', () => {
    expect(metrics({ platform: { monitoring: { enabled: false } } }).notes).not.toContain('metrics-reader');
  });
});

test('two restricted operators of one name share no ClusterRole', () => {
  const names = (namespace: string) =>
    renderPlatform(restricted, { ...monitored, namespace })
      .objects.filter((o) => o.kind.startsWith('ClusterRole'))
      .map((o) => o.metadata.name);
  const first = new Set(names('a'));
  expect(names('b').filter((name) => first.has(name))).toEqual([]);
});

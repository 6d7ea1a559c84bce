import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { fullName } from '../../../lib/platform/release-names.ts';
import { operatorArguments } from '../../../lib/platform/operator/arguments.ts';

const operator = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });
const added = (values: JsonObject) => {
  const before = new Set(operatorArguments({}, { profile: 'parity' }));
  return operatorArguments(values, { profile: 'parity' }).filter((a) => !before.has(a));
};

describe('arguments of the manager', () => {
  test('are those of the documented install', () => {
    expect(operatorArguments({}, { profile: 'parity' })).toEqual([
      '--health-probe-bind-address=:8081',
      '--metrics-bind-address=127.0.0.1:8080',
      '--leader-elect',
      '--leader-election-id=dynamo.nvidia.com',
      '--leader-election-namespace=kube-system',
      '--natsAddr=nats://dynamo-platform-nats.dynamo-system.svc.cluster.local:4222',
      '--etcdAddr=dynamo-platform-etcd.dynamo-system.svc.cluster.local:2379',
      '--grove-termination-delay=4h',
      '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
      '--mpi-run-ssh-secret-namespace=dynamo-system',
      '--dgdr-profiling-cluster-role-name=dynamo-platform-dynamo-operator-dgdr-profiling',
      '--planner-cluster-role-name=dynamo-platform-dynamo-operator-planner',
      '--epp-cluster-role-name=dynamo-platform-dynamo-operator-epp',
      '--discovery-backend=kubernetes',
      '--operator-version=0.7.1',
      '--enable-webhooks=true',
    ]);
  });

  test.each<readonly [string, JsonObject, readonly string[]]>([
    ['an address of NATS', { natsAddr: 'nats://n:1' }, ['--natsAddr=nats://n:1']],
    ['an address of etcd', { etcdAddr: 'e:1' }, ['--etcdAddr=e:1']],
    ['an Istio gateway', { dynamo: { istio: { enabled: true, gateway: 'a/b' } } }, ['--istio-virtual-service-gateway=a/b']],
    ['a gateway without Istio', { dynamo: { istio: { gateway: 'a/b' } } }, []],
    [
      'an ingress class',
      { dynamo: { ingress: { enabled: true, className: 'nginx' } } },
      ['--ingress-controller-class-name=nginx', '--ingress-controller-tls-secret-name=my-tls-secret'],
    ],
    ['an ingress class while ingress is off', { dynamo: { ingress: { className: 'nginx' } } }, []],
    ['a host suffix', { dynamo: { ingressHostSuffix: 'x.io' } }, ['--ingress-host-suffix=x.io']],
    ['HTTPS for VirtualServices', { dynamo: { virtualServiceSupportsHTTPS: true } }, ['--virtual-service-supports-https=true']],
    ['Model Express', { modelExpressURL: 'http://m' }, ['--model-express-url=http://m']],
    ['Prometheus', { dynamo: { metrics: { prometheusEndpoint: 'http://p' } } }, ['--prometheus-endpoint=http://p']],
    ['a discovery backend', { discoveryBackend: 'etcd' }, ['--discovery-backend=etcd']],
    ['a tag', { controllerManager: { manager: { image: { tag: 'v1' } } } }, ['--operator-version=v1']],
  ])('%s', (_what, values, expected) => {
    expect(added(operator(values))).toEqual(expected);
  });

  test('name the managed namespace when restricted', () => {
    const restricted = operatorArguments(operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team-b' } }), {
      namespace: 'ops',
      profile: 'parity',
    });
    expect(restricted.filter((a) => /amespace|cluster-role|lease/.test(a))).toEqual([
      '--restrictedNamespace=team-b',
      '--leader-election-namespace=team-b',
      '--mpi-run-ssh-secret-namespace=ops',
      '--namespace-scope-lease-duration=30s',
      '--namespace-scope-lease-renew-interval=10s',
    ]);
    const secure = operatorArguments(operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team-b' } }), {
      namespace: 'ops',
    });
    expect(secure).toContain('--mpi-run-ssh-secret-namespace=team-b');
  });
});

describe('addresses in the profile secure', () => {
  const address = (flag: string, values: JsonObject, release = 'dynamo-platform') =>
    operatorArguments(values, { release })
      .find((a) => a.startsWith(`--${flag}=`))
      ?.slice(flag.length + 3);

  test.each<readonly [string, JsonObject, string, string | undefined]>([
    ['follow a release name that holds nats', {}, 'my-nats-rel', 'nats://my-nats-rel.dynamo-system.svc.cluster.local:4222'],
    ['follow name overrides', { nats: { nameOverride: 'bus' } }, 'r', 'nats://r-bus.dynamo-system.svc.cluster.local:4222'],
    [
      'follow the Service name and port',
      { nats: { service: { name: 'svc' }, config: { nats: { port: 4333 } } } },
      'r',
      'nats://svc.dynamo-system.svc.cluster.local:4333',
    ],
    ['follow the namespace of NATS', { nats: { namespaceOverride: 'bus' } }, 'r', 'nats://r-nats.bus.svc.cluster.local:4222'],
    [
      'follow TLS',
      { nats: { security: { tls: { enabled: true, secretName: 's' } } } },
      'r',
      'tls://r-nats.dynamo-system.svc.cluster.local:4222',
    ],
    [
      'follow the cluster domain',
      operator({ kubernetesClusterDomain: 'k8s.corp' }),
      'r',
      'nats://r-nats.dynamo-system.svc.k8s.corp:4222',
    ],
    ['are left out without NATS', { nats: { enabled: false } }, 'r', undefined],
    ['are left out when the operator is told to', operator({ nats: { enabled: false } }), 'r', undefined],
  ])('%s', (_what, values, release, expected) => {
    expect(address('natsAddr', values, release)).toBe(expected);
  });

  test('etcd has one only while it is there', () => {
    expect(address('etcdAddr', {}, 'etcd-x')).toBe('etcd-x.dynamo-system.svc.cluster.local:2379');
    expect(address('etcdAddr', { etcd: { enabled: false } })).toBeUndefined();
    expect(address('etcdAddr', { etcd: { enabled: false }, ...operator({ etcdAddr: 'e:1' }) })).toBe('e:1');
    expect(address('etcdAddr', { etcd: { service: { ports: { client: 1234 } } } })).toBe(
      'dynamo-platform-etcd.dynamo-system.svc.cluster.local:1234',
    );
  });
});

describe('names', () => {
  test.each([
    [{ release: 'dynamo-platform' }, 'dynamo-platform-dynamo-operator'],
    [{ release: 'my-dynamo-operator' }, 'my-dynamo-operator'],
    [{ release: 'a'.repeat(60) }, `${'a'.repeat(60)}-dy`],
    [{ release: 'x', fullnameOverride: 'foo-' }, 'foo'],
    [{ release: 'x', nameOverride: 'op' }, 'x-op'],
    [{ release: 'shop', nameOverride: 'op' }, 'shop'],
  ])('%j', (source, expected) => {
    expect(fullName({ chart: 'dynamo-operator', ...source })).toBe(expected);
  });
});

import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { ClusterRole, ConfigMap, Namespace, PersistentVolumeClaim, Secret, ServiceAccount } from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import {
  AdmissionWebhooks,
  DynamoCrds,
  DynamoPlatform,
  EtcdCluster,
  GroveOperator,
  InferenceGateway,
  KaiScheduler,
  Monitoring,
  NatsCluster,
  OperatorDeployment,
  OperatorRbac,
  renderPlatform,
  type PlatformValues,
} from '../../lib/platform/index.ts';

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
const chart = (namespace = 'dynamo-system') => new Chart(new App(), 'test', { namespace, disableResourceNameHashes: true });
const synth = (c: Chart) => Testing.synth(c) as readonly Item[];
const fails = (c: Chart): string => {
  try {
    App.of(c).synthYaml();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
};
const quiet = { warnings: 'ignore' } as const;

describe('DynamoPlatform', () => {
  test('refuses a graph of the app with a field that no operator of the app has', () => {
    const own: PlatformValues = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/o:1' } } };
    const problem = (...platforms: readonly PlatformValues[]): string => {
      const c = chart();
      platforms.forEach(
        (values, i) => new DynamoPlatform(c, `p${i}`, { values, namespace: `n${i}`, cluster: `c${i}`, ...quiet }),
      );
      const spec = { services: { Epp: { componentType: 'epp' } } };
      new ApiObject(c, 'graph', { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', spec });
      return fails(c);
    };
    expect(problem({})).toContain('release 0.9.1 of the operator does not have the component type epp');
    expect(problem(own)).toBe('');
    expect(problem({}, own)).toBe('');
  });

  test('adds exactly what the pure function renders', () => {
    const values: PlatformValues = { grove: { enabled: true }, nats: { config: { cluster: { enabled: true, replicas: 3 } } } };
    const c = chart();
    new DynamoPlatform(c, 'platform', { values, ...quiet });
    expect(synth(c)).toEqual(renderPlatform(values).objects);
  });

  test('takes the namespace of its chart, and puts none on cluster-scoped objects', () => {
    const c = chart('here');
    expect(new DynamoPlatform(c, 'platform', quiet).namespace).toBe('here');
    for (const { kind, metadata } of synth(c)) {
      const elsewhere = metadata.name.includes('leader-election') ? 'kube-system' : 'here';
      expect(metadata.namespace).toBe(/^(ClusterRole|Validating)/.test(kind) ? undefined : elsewhere);
    }
  });

  test('resolves names and addresses', () => {
    const platform = new DynamoPlatform(chart(), 'platform', { release: 'r', values: { etcd: { enabled: false } }, ...quiet });
    expect(platform).toMatchObject({
      release: 'r',
      operatorDeploymentName: 'r-dynamo-operator-controller-manager',
      operatorServiceAccountName: 'r-dynamo-operator-controller-manager',
      componentServiceAccountName: 'r-dynamo-operator-component',
      webhookConfigurationName: 'r-dynamo-operator-validating',
      natsAddress: 'nats://r-nats.dynamo-system.svc.cluster.local:4222',
      etcdAddress: undefined,
    });
  });

  test('hands on the addresses of NATS and etcd that the values name', () => {
    const values = { 'dynamo-operator': { natsAddr: 'nats://hub:4222', etcdAddr: 'hub:2379' }, nats: { enabled: false } };
    const platform = new DynamoPlatform(chart(), 'platform', { values, ...quiet });
    expect(platform).toMatchObject({ natsAddress: 'nats://hub:4222', etcdAddress: 'hub:2379' });
  });

  test.each<[string, ConstructorParameters<typeof DynamoPlatform>[2]]>([
    ['a cluster domain', { values: { 'dynamo-operator': { kubernetesClusterDomain: 'corp.example' } } }],
    ['an empty cluster domain', { values: { 'dynamo-operator': { kubernetesClusterDomain: '' } } }],
    ['an operator without NATS', { values: { 'dynamo-operator': { nats: { enabled: false } } } }],
    ['servers of other names', { values: { nats: { fullnameOverride: 'n' }, etcd: { fullnameOverride: 'e' } } }],
    ['addresses as the original guesses them', { profile: 'parity', values: { nats: { fullnameOverride: 'n' } } }],
  ])('has the addresses that the operator gives to graphs: %s', (_, props) => {
    const c = chart();
    const platform = new DynamoPlatform(c, 'platform', { ...props, ...quiet });
    const flags = [...JSON.stringify(synth(c)).matchAll(/--(nats|etcd)Addr=([^"]+)/g)].map(([, name, address]) => [
      name,
      address,
    ]);
    expect({ natsAddress: platform.natsAddress, etcdAddress: platform.etcdAddress }).toEqual({
      natsAddress: Object.fromEntries(flags)['nats'],
      etcdAddress: Object.fromEntries(flags)['etcd'],
    });
    expect(`${platform.natsAddress} ${platform.etcdAddress}`).not.toContain('.svc.:');
  });

  test('layers values and uses Secrets in hand', () => {
    const c = chart();
    const secret = (name: string) => Secret.fromSecretName(c, name, name);
    new DynamoPlatform(c, 'platform', {
      values: [{ etcd: { enabled: false } }, { nats: { config: { nats: { port: 4333 } } } }],
      mpiSecret: secret('mpi'),
      registrySecret: secret('registry'),
      imagePullSecrets: [secret('pull')],
      natsTlsSecret: secret('nats-tls'),
      webhookCertificate: { secret: secret('hook-tls'), caBundle: 'Q0E=' },
      ...quiet,
    });
    const text = JSON.stringify(synth(c));
    for (const expected of [
      '--mpi-run-ssh-secret-name=mpi"',
      '"imagePullSecrets":[{"name":"registry"}]',
      '"imagePullSecrets":[{"name":"pull"}]',
      '"secretName":"nats-tls"',
      '"secretName":"hook-tls"',
      '"caBundle":"Q0E="',
      'tls://dynamo-platform-nats.dynamo-system.svc.cluster.local:4333',
    ])
      expect(text).toContain(expected);
  });

  test('fails at synth with every problem in one error', () => {
    const c = chart();
    new DynamoPlatform(c, 'platform', {
      values: {
        'dynamo-operator': { controllerManager: { leaderElection: { id: 'x' } }, dynamo: { mpiRun: { secretName: '' } } },
      },
    });
    const message = fails(c);
    expect(message).toContain('dynamo-operator.controllerManager.leaderElection.id');
    expect(message).toContain('dynamo-operator.dynamo.mpiRun.secretName');
  });

  test('fails on warnings when asked to', () => {
    const c = chart();
    new DynamoPlatform(c, 'platform', {
      values: { 'dynamo-operator': { dynamo: { dockerRegistry: { secure: false } } } },
      warnings: 'fail',
    });
    expect(fails(c)).toContain('has no effect');
  });

  test('rejects a second cluster-wide release in one cluster', () => {
    const app = new App();
    new DynamoPlatform(new Chart(app, 'a', { namespace: 'a' }), 'platform', { release: 'one', ...quiet });
    const second = new Chart(app, 'b', { namespace: 'b' });
    new DynamoPlatform(second, 'platform', { release: 'two', ...quiet });
    expect(fails(second)).toContain(
      "release 'two' in namespace 'b' is a second cluster-wide operator beside release 'one' in namespace 'a'",
    );
  });

  test('rejects two operators in one namespace, whose objects with fixed names would collide', () => {
    const app = new App();
    const restricted = { values: { 'dynamo-operator': { namespaceRestriction: { enabled: true } } }, ...quiet };
    new DynamoPlatform(new Chart(app, 'a', { namespace: 'team' }), 'platform', { release: 'one', ...restricted });
    const second = new Chart(app, 'b', { namespace: 'team' });
    new DynamoPlatform(second, 'platform', { release: 'two', ...restricted });
    expect(fails(second)).toContain('would overwrite objects with fixed names');
  });

  test('accepts a second release that is restricted, in another cluster, or without an operator', () => {
    const app = new App();
    const add = (id: string, props: ConstructorParameters<typeof DynamoPlatform>[2]) =>
      new DynamoPlatform(new Chart(app, id, { namespace: id }), 'platform', { release: id, ...quiet, ...props });
    add('one', {});
    add('two', { values: { 'dynamo-operator': { namespaceRestriction: { enabled: true } } } });
    add('three', { cluster: 'other' });
    add('four', { values: { 'dynamo-operator': { enabled: false } } });
    expect(() => app.synthYaml()).not.toThrow();
  });

  test('brings the CRDs on request', () => {
    const c = chart();
    new DynamoPlatform(c, 'platform', { includeCrds: true, ...quiet });
    expect(synth(c).filter((o) => o.kind === 'CustomResourceDefinition')).toHaveLength(6);
  });
});

describe('parts', () => {
  test('together they are the operator of the whole', () => {
    const props = { values: { controllerManager: { replicas: 2 } }, ...quiet };
    const c = chart();
    new OperatorRbac(c, 'rbac', props);
    new OperatorDeployment(c, 'deployment', props);
    new AdmissionWebhooks(c, 'webhooks', props);
    const whole = renderPlatform(
      { 'dynamo-operator': props.values, nats: { enabled: false }, etcd: { enabled: false } },
      { switches: { 'derived-addresses': false } },
    );
    const names = (objects: readonly Item[]) => objects.map((o) => `${o.kind}/${o.metadata.name}`).sort();
    expect(names(synth(c))).toEqual(names(whole.objects));
  });

  test('expose their names', () => {
    const c = chart();
    expect(new OperatorRbac(c, 'rbac', quiet)).toMatchObject({
      serviceAccountName: 'dynamo-platform-dynamo-operator-controller-manager',
      componentServiceAccountName: 'dynamo-platform-dynamo-operator-component',
    });
    const deployment = new OperatorDeployment(c, 'deployment', quiet);
    expect(deployment.deploymentName).toBe('dynamo-platform-dynamo-operator-controller-manager');
    expect(deployment.arguments).toContain('--leader-elect');
    expect(new AdmissionWebhooks(c, 'webhooks', quiet)).toMatchObject({
      configurationName: 'dynamo-platform-dynamo-operator-validating',
      serviceName: 'dynamo-platform-dynamo-operator-webhook-service',
      certificateSecretName: 'webhook-server-cert',
    });
  });

  test('hand out accounts, Secrets, ConfigMaps and namespaces of cdk8s-plus, and write none of them again', () => {
    const c = chart('kv');
    const platform = new DynamoPlatform(c, 'platform', quiet);
    const written = synth(c).length;
    const account = (o: { readonly name: string; readonly kind: string }) => `${o.kind} ${o.name}`;
    expect(account(platform.operatorServiceAccount)).toBe('ServiceAccount dynamo-platform-dynamo-operator-controller-manager');
    expect(account(platform.componentServiceAccount)).toBe('ServiceAccount dynamo-platform-dynamo-operator-component');
    expect(platform.operatorServiceAccount).toBe(platform.operatorServiceAccount);
    expect(platform.kubernetesNamespace.name).toBe('kv');
    expect(synth(c)).toHaveLength(written);
    const parts = chart();
    const namespace = new Namespace(parts, 'bus', { metadata: { name: 'bus' } });
    const etcd = new EtcdCluster(parts, 'etcd', { namespace, ...quiet });
    const nats = new NatsCluster(parts, 'nats', { namespace, ...quiet });
    const rbac = new OperatorRbac(parts, 'rbac', { namespace, ...quiet });
    const deployment = new OperatorDeployment(parts, 'deployment', { namespace, ...quiet });
    const webhooks = new AdmissionWebhooks(parts, 'webhooks', { namespace, ...quiet });
    expect([etcd.namespace, nats.kubernetesNamespace.name, etcd.kubernetesNamespace.name]).toEqual(['bus', 'bus', 'bus']);
    const objects = synth(parts).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const handed = [etcd.serviceAccount, nats.configMap, rbac.serviceAccount, rbac.componentServiceAccount];
    for (const object of handed) expect(objects).toContain(account(object));
    expect(deployment.serviceAccount.name).toBe(rbac.serviceAccount.name);
    expect(webhooks.certificateSecret.name).toBe('webhook-server-cert');
    // A role can be bound to an account of ours as to any other.
    new ClusterRole(parts, 'reader').bindInNamespace('other', rbac.serviceAccount);
    expect(synth(parts).find(({ kind, metadata }) => kind === 'RoleBinding' && metadata.namespace === 'other')).toMatchObject({
      subjects: [{ kind: 'ServiceAccount', name: rbac.serviceAccountName, namespace: 'bus' }],
    });
  });

  test('NatsCluster grows, and takes Secrets in hand', () => {
    const c = chart('bus');
    const nats = new NatsCluster(c, 'nats', {
      replicas: 3,
      tlsSecret: new Secret(c, 'tls', { metadata: { name: 'tls' } }),
      ...quiet,
    });
    expect(nats).toMatchObject({
      serviceName: 'dynamo-platform-nats',
      namespace: 'bus',
      address: 'tls://dynamo-platform-nats.bus.svc.cluster.local:4222',
    });
    expect(synth(c).find((o) => o.kind === 'StatefulSet')).toMatchObject({ spec: { replicas: 3 } });
  });

  test('EtcdCluster takes ConfigMap, claim, account and Secrets in hand', () => {
    const c = chart('kv');
    const etcd = new EtcdCluster(c, 'etcd', {
      replicas: 3,
      configMap: ConfigMap.fromConfigMapName(c, 'cm', 'conf'),
      serviceAccount: ServiceAccount.fromServiceAccountName(c, 'sa', 'kv-account'),
      snapshot: { claim: PersistentVolumeClaim.fromClaimName(c, 'pvc', 'snapshots'), fileName: 'db' },
      rootPasswordSecret: Secret.fromSecretName(c, 'root', 'root-password'),
      ...quiet,
    });
    expect(etcd.address).toBe('dynamo-platform-etcd.kv.svc.cluster.local:2379');
    const set = JSON.stringify(synth(c).find((o) => o.kind === 'StatefulSet'));
    for (const name of ['"name":"conf"', '"serviceAccountName":"kv-account"', '"claimName":"snapshots"', 'root-password'])
      expect(set).toContain(name);
  });

  test('addresses of NATS and etcd are in the DNS domain of the cluster that the values name', () => {
    const c = chart('bus');
    const nats = new NatsCluster(c, 'nats', {
      values: { config: { cluster: { routeURLs: { k8sClusterDomain: 'corp.example' } } } },
      ...quiet,
    });
    const etcd = new EtcdCluster(c, 'etcd', { values: { clusterDomain: 'corp.example' }, ...quiet });
    expect(nats.address).toBe('nats://dynamo-platform-nats.bus.svc.corp.example:4222');
    expect(etcd.address).toBe('dynamo-platform-etcd.bus.svc.corp.example:2379');
    const unset = new EtcdCluster(chart('bus'), 'etcd', { values: { clusterDomain: '' }, ...quiet });
    expect(unset.address).toBe('dynamo-platform-etcd.bus.svc.cluster.local:2379');
  });

  test('schedulers, CRDs and monitors stand alone', () => {
    const c = chart();
    new GroveOperator(c, 'grove', quiet);
    expect(new KaiScheduler(c, 'kai', quiet).queueName).toBe('dynamo');
    new DynamoCrds(c, 'crds');
    new Monitoring(c, 'monitoring', { labels: { team: 'ml' }, dashboards: 'grafana', ...quiet });
    const kinds = new Set(synth(c).map((o) => o.kind));
    for (const kind of [
      'Queue',
      'Deployment',
      'CustomResourceDefinition',
      'ServiceMonitor',
      'PodMonitor',
      'PrometheusRule',
      'ConfigMap',
    ])
      expect(kinds).toContain(kind);
  });

  test('InferenceGateway needs a graph and an image', () => {
    const bad = chart();
    new InferenceGateway(bad, 'gateway', { values: {}, ...quiet });
    expect(fails(bad)).not.toBe('');
    const good = chart('models');
    new InferenceGateway(good, 'gateway', {
      values: { dynamoGraphDeploymentName: 'g', extension: { image: 'epp:1' } },
      ...quiet,
    });
    expect(synth(good).map((o) => o.kind)).toContain('InferencePool');
  });

  test.each<[string, NonNullable<ConstructorParameters<typeof NatsCluster>[2]>['values'], string]>([
    ['a size', { config: { jetstream: { fileStore: { pvc: { size: '10Gigs' } } } } }, 'the API server refuses StatefulSet'],
    ['a cluster of two', { config: { cluster: { enabled: true, replicas: 2 } } }, 'must be at least 3'],
    ['millions of servers', { config: { cluster: { enabled: true, replicas: 2147483648 } } }, 'must be at most 1000'],
  ])('reject %s that a whole release rejects', (_what, values, message) => {
    const c = chart();
    new NatsCluster(c, 'nats', { values: values ?? {}, ...quiet });
    expect(fails(c)).toContain(message);
  });

  test('check their values as the whole does', () => {
    const c = chart();
    new NatsCluster(c, 'nats', { values: { config: { cluster: { replicas: [] as unknown as number } } }, ...quiet });
    expect(fails(c)).toContain('nats.config.cluster.replicas: must be a whole number');
  });
});

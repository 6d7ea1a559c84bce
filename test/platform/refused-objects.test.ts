import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { applySet } from '../../lib/platform/set-values.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';

function set(...options: readonly string[]): JsonObject {
  return options.reduce<JsonObject>((values, option) => applySet(values, { kind: 'set', text: option }), {});
}

// Each was accepted once, and refused by the API server half-way through an install.
test.each([
  ['nats.config.jetstream.fileStore.pvc.size', ['nats.config.jetstream.fileStore.pvc.size=10Gigs']],
  ['etcd.persistence.size', ['etcd.enabled=true', 'etcd.persistence.size=ten']],
  [
    'dynamo-operator.controllerManager.manager.resources.limits.memory',
    ['dynamo-operator.controllerManager.manager.resources.limits.memory=2GB'],
  ],
  ['dynamo-operator.webhook.timeoutSeconds', ['dynamo-operator.webhook.timeoutSeconds=60']],
  ['dynamo-operator.controllerManager.tolerations', ['dynamo-operator.controllerManager.tolerations[0].operator=Equals']],
  ['nats.config.jetstream.fileStore.pvc.storageClassName', ['nats.config.jetstream.fileStore.pvc.storageClassName=Fast_SSD']],
  [
    'dynamo-operator.webhook.caBundle',
    ['dynamo-operator.webhook.certificateSecret.external=true', 'dynamo-operator.webhook.caBundle=<base64-encoded-ca-cert>'],
  ],
  ['nats.service.name', ['nats.service.name=1-nats']],
  ['etcd.serviceAccount.name', ['etcd.serviceAccount.name=Etcd']],
  ['etcd.defrag.cronjob.schedule', ['etcd.enabled=true', 'etcd.defrag.enabled=true', 'etcd.defrag.cronjob.schedule=daily']],
])('%s is refused where the API server refuses what it renders', (path, options) => {
  const { issues, objects } = renderPlatform(set(...options));
  expect(objects).toEqual([]);
  expect(issues.map((issue) => formatPath(issue.path))).toEqual([path]);
  expect(issues[0]?.message).toMatch(/^the API server refuses \w+ /);
});

test('the profile parity renders them as the original does, and warns', () => {
  const { issues, warnings, objects } = renderPlatform(set('nats.config.jetstream.fileStore.pvc.size=10Gigs'), {
    profile: 'parity',
  });
  expect(issues).toEqual([]);
  expect(objects.length).toBeGreaterThan(0);
  expect(warnings.map(({ code }) => code)).toContain('refused_by_api_server');
});

test('a quantity that is none is shown', () => {
  const { issues } = renderPlatform(set('nats.config.jetstream.fileStore.pvc.size=10Gigs'));
  expect(issues[0]?.message).toContain('Invalid value: "10Gigs": must be a quantity such as 10Gi');
});

test('several keys of one map are told one by one, among many that are right', () => {
  const right = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`right-${i}`, 'x']));
  const commonAnnotations = { ...right, 'a b': 'x', 'right-40': 'x', 'c d': 'x' };
  const { issues } = renderPlatform({ etcd: { enabled: true, commonAnnotations } });
  expect(issues.map((issue) => issue.path)).toEqual(['a b', 'c d'].map((key) => ['etcd', 'commonAnnotations', key]));
});

test('a value that the message does not show is found among many', () => {
  const commonAnnotations = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a-${i}`, 'x']));
  const { issues } = renderPlatform({ etcd: { enabled: true, persistence: { accessModes: [] }, commonAnnotations } });
  expect(issues.map((issue) => formatPath(issue.path))).toEqual(['etcd.persistence.accessModes']);
});

test('a request above its limit is told of the request', () => {
  const memory = 'dynamo-operator.controllerManager.manager.resources';
  const { issues } = renderPlatform(set(`${memory}.requests.memory=9Gi`, `${memory}.limits.memory=1Gi`));
  expect(issues.map((issue) => formatPath(issue.path))).toEqual([`${memory}.requests.memory`]);
});

test.each([
  'dynamo-operator.dynamo.groveTerminationDelay=4hours',
  'dynamo-operator.webhook.certManager.certificate.duration=1y',
  'dynamo-operator.controllerManager.replicas=0',
  'dynamo-operator.webhook.certificateSecret.name=My_Secret',
  'dynamo-operator.dynamo.mpiRun.secretName=mpi secret',
  'nats.security.tls.secretName=NatsTls',
  'etcd.auth.rbac.existingSecret=-root',
  'platform.certificates.issuerRef.name=Company CA',
  'etcd.replicaCount=0',
  'etcd.replicaCount=2',
  'nats.config.cluster.replicas=0',
  'nats.config.cluster.replicas=2',
  'nats.config.cluster.replicas=2147483648',
  'etcd.replicaCount=100000',
])('%s is refused although the API server takes it', (option) => {
  const { issues, objects } = renderPlatform(set('nats.config.cluster.enabled=true', 'etcd.enabled=true', option));
  expect(objects).toEqual([]);
  expect(issues.map((issue) => formatPath(issue.path))).toEqual([option.split('=')[0]]);
});

test('numbers that rendering would never end with are refused in the profile parity too', () => {
  const { issues } = renderPlatform(set('nats.config.cluster.replicas=2147483648'), { profile: 'parity' });
  expect(issues.map(({ code }) => code)).toEqual(['too_many']);
});

test.each(['1.20', '1.20.15', 'v1.23.0', '0.34.0', '1', 'latest', ''])(
  'Kubernetes %j is refused, and a warning in the profile parity',
  (kubeVersion) => {
    expect(renderPlatform({}, { kubeVersion }).issues).toMatchObject([{ path: ['--kube-version'], code: 'kube_version' }]);
    const parity = renderPlatform({}, { kubeVersion, profile: 'parity' });
    expect(parity.issues).toEqual([]);
    expect(parity.warnings.map(({ code }) => code)).toContain('kube_version');
  },
);

test.each(['1.24', 'v1.24.0', '1.34.4', '1.33.0-gke.1', '1.32+', '2.0.0'])('Kubernetes %j is taken', (kubeVersion) => {
  expect(renderPlatform({}, { kubeVersion }).issues).toEqual([]);
});

test('a name of etcd that is a template is taken', () => {
  const client = { secureTransport: true, existingSecret: '{{ .Release.Name }}-tls' };
  const { issues } = renderPlatform({ etcd: { enabled: true, auth: { client } } });
  expect(issues).toEqual([]);
});

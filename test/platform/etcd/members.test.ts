import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { etcd } from '../../../lib/platform/etcd/index.ts';
import { dig, environmentOf, objectOf, podOf, renderPart, type RenderOptions } from '../render-part.ts';

function memberOf(block: JsonObject, options: RenderOptions = {}): JsonObject {
  const rendered = renderPart(etcd, { auth: { token: { enabled: false } }, ...block }, options);
  expect(rendered.issues).toEqual([]);
  return podOf(objectOf(rendered, 'StatefulSet'));
}

const container = (block: JsonObject, options?: RenderOptions) => dig(memberOf(block, options), 'containers', 'etcd');
const environment = (block: JsonObject) => environmentOf(container(block));

describe('TLS', () => {
  const files = '/opt/bitnami/etcd/certs';

  test.each<[string, JsonObject, JsonObject]>([
    ['made by etcd itself', { secureTransport: true, useAutoTLS: true }, { AUTO_TLS: 'true' }],
    [
      'from a Secret',
      { secureTransport: true, existingSecret: 's' },
      { CERT_FILE: `${files}/client/cert.pem`, KEY_FILE: `${files}/client/key.pem` },
    ],
    [
      'with an authority',
      { secureTransport: true, existingSecret: 's', caFilename: 'x.crt', certFilename: 'c', certKeyFilename: 'k' },
      { CERT_FILE: `${files}/client/c`, KEY_FILE: `${files}/client/k`, TRUSTED_CA_FILE: `${files}/client/x.crt` },
    ],
    [
      'with certificates of clients',
      { secureTransport: true, existingSecret: 's', enableAuthentication: true },
      {
        CERT_FILE: `${files}/client/cert.pem`,
        KEY_FILE: `${files}/client/key.pem`,
        CLIENT_CERT_AUTH: 'true',
        TRUSTED_CA_FILE: `${files}/client/ca.crt`,
      },
    ],
  ])('of both channels %s', (_name, settings, variables) => {
    const seen = environment({ auth: { token: { enabled: false }, client: settings, peer: settings } });
    const tls = Object.keys(seen).filter((name) => /TLS|CERT|KEY_FILE|TRUSTED/.test(name));
    const own = Object.entries(variables).map(([name, value]) => [`ETCD_${name}`, value]);
    const peer = Object.entries(variables).map(([name, value]) => [
      `ETCD_PEER_${name}`,
      typeof value === 'string' ? value.replace('/client/', '/peer/') : value,
    ]);
    expect(Object.fromEntries(tls.map((name) => [name, seen[name]]))).toEqual(Object.fromEntries([...own, ...peer]));
    expect(seen['ETCD_LISTEN_CLIENT_URLS']).toBe('https://0.0.0.0:2379');
    expect(seen['ETCD_INITIAL_CLUSTER']).toBe('r-etcd-0=https://r-etcd-0.r-etcd-headless.ns.svc.cluster.local:2380');
  });

  test('mounts the Secret of a channel, also for authentication alone', () => {
    const pod = memberOf({ auth: { token: { enabled: false }, peer: { enableAuthentication: true, existingSecret: 'peers' } } });
    expect(dig(pod, 'volumes', 'etcd-peer-certs')).toEqual({
      name: 'etcd-peer-certs',
      secret: { secretName: 'peers', defaultMode: 256 },
    });
    expect(dig(pod, 'containers', 'etcd', 'volumeMounts', 'etcd-peer-certs')).toMatchObject({ mountPath: `${files}/peer/` });
  });

  test.each(['client', 'peer'])('rejects TLS and authentication of the %s channel without a Secret', (channel) => {
    for (const settings of [
      { secureTransport: true },
      { enableAuthentication: true },
      { useAutoTLS: true, enableAuthentication: true },
    ]) {
      const { issues } = renderPart(etcd, { auth: { [channel]: settings } });
      expect(issues).toMatchObject([{ path: ['etcd', 'auth', channel, 'existingSecret'], code: 'required' }]);
    }
  });
});

describe('authentication', () => {
  test('takes the password from an existing Secret, as a file or from the environment', () => {
    const rbac = { create: true, existingSecret: 'root', existingSecretPasswordKey: 'pw' };
    const auth = { rbac, token: { enabled: false } };
    expect(environment({ auth })).toMatchObject({
      ALLOW_NONE_AUTHENTICATION: 'no',
      ETCD_ROOT_PASSWORD_FILE: '/opt/bitnami/etcd/secrets/pw',
    });
    expect(environment({ auth, usePasswordFiles: false })).toMatchObject({
      ETCD_ROOT_PASSWORD: { secretKeyRef: { name: 'root', key: 'pw' } },
    });
    expect(dig(memberOf({ auth, usePasswordFiles: false }), 'volumes', 'etcd-secrets')).toBeUndefined();
    expect(renderPart(etcd, { auth }).objects.some((object) => object.kind === 'Secret')).toBe(false);
  });

  test('a key of a name without a Secret is not read', () => {
    const auth = { rbac: { create: true, rootPassword: 'x', existingSecretPasswordKey: 'pw' }, token: { enabled: false } };
    expect(environment({ auth })).toMatchObject({ ETCD_ROOT_PASSWORD_FILE: '/opt/bitnami/etcd/secrets/etcd-root-password' });
  });

  test('tokens are signed with a key of the user where one is named', () => {
    const token = { privateKey: { existingSecret: 'keys', filename: 'k.pem' }, ttl: '5m', signMethod: 'ES256' };
    const rendered = renderPart(etcd, { auth: { token } });
    expect(rendered.warnings).toEqual([]);
    const pod = podOf(objectOf(rendered, 'StatefulSet'));
    expect(environmentOf(dig(pod, 'containers', 'etcd'))).toMatchObject({
      ETCD_AUTH_TOKEN: 'jwt,priv-key=/opt/bitnami/etcd/certs/token/k.pem,sign-method=ES256,ttl=5m',
    });
    expect(dig(pod, 'volumes', 'etcd-jwt-token')).toMatchObject({ secret: { secretName: 'keys' } });
  });

  test('what Helm makes up is left empty, with a warning', () => {
    const rendered = renderPart(etcd, { auth: { rbac: { create: true } } });
    expect(dig(objectOf(rendered, 'Secret', 'r-etcd'), 'data')).toEqual({ 'etcd-root-password': '' });
    expect(dig(objectOf(rendered, 'Secret', 'r-etcd-jwt-token'), 'data')).toEqual({ 'jwt-token.pem': '' });
    expect(rendered.warnings.map((warning) => warning.code)).toEqual(['random_data', 'random_data']);
  });

  test('none at all must be allowed', () => {
    expect(environment({ auth: { rbac: { allowNoneAuthentication: false }, token: { enabled: false } } })).toMatchObject({
      ALLOW_NONE_AUTHENTICATION: 'no',
    });
  });
});

describe('resources', () => {
  test.each([
    ['nano', '100m', '192Mi'],
    ['small', '500m', '768Mi'],
    ['medium', '500m', '1536Mi'],
    ['large', '1.0', '3072Mi'],
    ['xlarge', '1.0', '6144Mi'],
    ['2xlarge', '1.0', '12288Mi'],
  ])('the preset %s', (resourcesPreset, cpu, memory) => {
    expect(dig(container({ resourcesPreset }), 'resources')).toMatchObject({
      requests: { cpu, 'ephemeral-storage': '50Mi' },
      limits: { memory, 'ephemeral-storage': '2Gi' },
    });
  });

  test('resources win over any preset', () => {
    expect(dig(container({ resourcesPreset: 'huge', resources: { requests: { cpu: 1 } } }), 'resources')).toEqual({
      requests: { cpu: 1 },
    });
  });

  test.each<[JsonObject, readonly string[]]>([
    [{ resourcesPreset: 'huge' }, ['resourcesPreset']],
    [{ resourcesPreset: null }, ['resourcesPreset']],
    [{ resourcesPreset: '' }, ['resourcesPreset']],
    [{ defrag: { enabled: true, cronjob: { resourcesPreset: 'x' } } }, ['defrag', 'cronjob', 'resourcesPreset']],
    [{ volumePermissions: { enabled: true, resourcesPreset: 'x' } }, ['volumePermissions', 'resourcesPreset']],
  ])('rejects %j', (block, path) => {
    expect(renderPart(etcd, block).issues).toMatchObject([{ path: ['etcd', ...path], code: 'not_allowed' }]);
  });

  test('a preset that nothing uses may be wrong', () => {
    expect(renderPart(etcd, { defrag: { cronjob: { resourcesPreset: 'x' } } }).issues).toEqual([]);
  });
});

describe('placement', () => {
  const labels = { 'app.kubernetes.io/name': 'etcd', 'app.kubernetes.io/instance': 'r', 'app.kubernetes.io/component': 'etcd' };
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };

  test.each<[string, JsonObject, JsonObject | undefined]>([
    [
      'hard presets',
      { podAffinityPreset: 'hard', podAntiAffinityPreset: '' },
      { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    ],
    ['no preset', { podAntiAffinityPreset: '' }, {}],
    [
      'a node preset',
      { podAntiAffinityPreset: '', nodeAffinityPreset: { type: 'hard', key: 'pool', values: ['a', 1] } },
      {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['a', '1'] }] }],
          },
        },
      },
    ],
    ['an affinity of its own', { affinity: { podAffinity: { a: 1 } }, podAntiAffinityPreset: 'hard' }, { podAffinity: { a: 1 } }],
  ])('%s', (_name, block, affinity) => {
    expect(memberOf(block)['affinity'] ?? {}).toEqual(affinity ?? {});
  });

  test('texts become numbers where Kubernetes wants them', () => {
    const rendered = renderPart(etcd, {
      replicaCount: '3',
      terminationGracePeriodSeconds: '60',
      pdb: { create: true, minAvailable: '2' },
    });
    expect(dig(objectOf(rendered, 'StatefulSet'), 'spec', 'replicas')).toBe(3);
    expect(podOf(objectOf(rendered, 'StatefulSet'))['terminationGracePeriodSeconds']).toBe(60);
    expect(dig(objectOf(rendered, 'PodDisruptionBudget'), 'spec', 'minAvailable')).toBe(2);
  });
});

describe('security contexts', () => {
  test('users and groups are left to OpenShift when its API is known, or by force', () => {
    const pods = [
      memberOf({}, { context: { apiVersions: new Set(['security.openshift.io/v1']) } }),
      memberOf({ global: { compatibility: { openshift: { adaptSecurityContext: 'force' } } } }),
    ];
    for (const pod of pods) {
      expect(pod['securityContext']).not.toHaveProperty('fsGroup');
      expect(dig(pod, 'containers', 'etcd', 'securityContext')).not.toHaveProperty('runAsUser');
    }
    const disabled = { compatibility: { openshift: { adaptSecurityContext: 'disabled' } } };
    const pod = memberOf({ global: disabled }, { context: { apiVersions: new Set(['security.openshift.io/v1']) } });
    expect(pod['securityContext']).toMatchObject({ fsGroup: 1001 });
  });

  test('can be turned off, and a privileged container has no capabilities', () => {
    expect(memberOf({ podSecurityContext: { enabled: false } })).not.toHaveProperty('securityContext');
    const context = dig(container({ containerSecurityContext: { privileged: true } }), 'securityContext');
    expect(context).toMatchObject({ privileged: true });
    expect(context).not.toHaveProperty('capabilities');
  });
});

test('diagnostic mode sleeps, talks and is not probed', () => {
  const block = { diagnosticMode: { enabled: true }, livenessProbe: { enabled: true }, command: ['x'] };
  expect(container(block)).toMatchObject({ command: ['sleep'], args: ['infinity'] });
  expect(container(block)).not.toHaveProperty('livenessProbe');
  expect(environment(block)).toMatchObject({ BITNAMI_DEBUG: 'true', ETCD_LOG_LEVEL: 'info' });
});

test.each<[string, JsonObject, string | undefined]>([
  ['the global class wins', { global: { storageClass: 'g', defaultStorageClass: 'd' }, persistence: { storageClass: 'p' } }, 'g'],
  ['then the given one', { global: { defaultStorageClass: 'd' }, persistence: { storageClass: 'p' } }, 'p'],
  ['then the global default', { global: { defaultStorageClass: 'd' } }, 'd'],
  ['a hyphen is no class', { persistence: { storageClass: '-' } }, ''],
  ['nothing is the default of the cluster', {}, undefined],
])('storage class: %s', (_name, block, expected) => {
  const claim = dig(objectOf(renderPart(etcd, block), 'StatefulSet'), 'spec', 'volumeClaimTemplates', 0);
  expect(dig(claim, 'spec', 'storageClassName')).toBe(expected);
});

test('templates in values are printed, and rejected where they do more than name values', () => {
  const podAnnotations = {
    who: '{{ .Release.Name }}/{{ .Release.Namespace }}',
    port: '{{ .Values.containerPorts.client }}',
    braces: '{{ "{{" }} $labels.pod {{`}}`}}',
    chart: '{{ .Chart.Name }}-{{ .Chart.Version }}',
    name: '{{ include "common.names.fullname" $ }}',
    trimmed: 'a  {{- "b" -}}  c',
  };
  const rendered = renderPart(etcd, { podAnnotations, metrics: { enabled: true } });
  expect(dig(objectOf(rendered, 'StatefulSet'), 'spec', 'template', 'metadata', 'annotations')).toMatchObject({
    who: 'r/ns',
    port: '2379',
    braces: '{{ $labels.pod }}',
    chart: 'etcd-12.0.18',
    name: 'r-etcd',
    trimmed: 'abc',
    'prometheus.io/port': '2379',
  });
  const { issues } = renderPart(etcd, { podAnnotations: { x: '{{ include "a" . }}' } });
  expect(issues).toMatchObject([{ path: ['etcd', 'podAnnotations', 'x'], code: 'unsupported' }]);
});

import { describe, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../../lib/json/index.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const operator = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });
const registry = (fields: JsonObject): JsonObject =>
  operator({ dynamo: { dockerRegistry: { useKubernetesSecret: true, ...fields } } });

interface Refusal {
  readonly what: string;
  readonly values: JsonObject;
  readonly path: string;
  readonly says: string;
  readonly namespace?: string;
}

/** What both profiles refuse. */
const always: readonly Refusal[] = [
  {
    what: 'another election id',
    values: operator({ controllerManager: { leaderElection: { id: 'x' } } }),
    path: 'controllerManager.leaderElection.id',
    says: "got 'x'",
  },
  {
    what: 'the lease in the release namespace',
    values: operator({ controllerManager: { leaderElection: { namespace: 'dynamo-system' } } }),
    path: 'controllerManager.leaderElection.namespace',
    says: 'use kube-system',
  },
  {
    what: 'an explicit kube-system when that is the release namespace',
    values: operator({ controllerManager: { leaderElection: { namespace: 'kube-system' } } }),
    namespace: 'kube-system',
    path: 'controllerManager.leaderElection.namespace',
    says: 'kube-system',
  },
  {
    what: 'an unknown discovery backend',
    values: operator({ discoveryBackend: 'consul' }),
    path: 'discoveryBackend',
    says: 'consul',
  },
  {
    what: 'an empty discovery backend',
    values: operator({ discoveryBackend: null }),
    path: 'discoveryBackend',
    says: 'kubernetes',
  },
  {
    what: 'a metrics Service without ports',
    values: operator({ metricsService: { ports: [] } }),
    path: 'metricsService.ports',
    says: 'at least one port',
  },
  {
    what: 'a proxy without arguments',
    values: operator({ controllerManager: { kubeRbacProxy: { args: null } } }),
    path: 'controllerManager.kubeRbacProxy.args',
    says: 'must not be empty',
  },
  { what: 'a null metricsService', values: operator({ metricsService: null }), path: 'metricsService', says: 'must be a map' },
  {
    what: 'a null dynamo.ingress',
    values: operator({ dynamo: { ingress: null } }),
    path: 'dynamo.ingress',
    says: 'must be a map',
  },
  { what: 'a null nats', values: operator({ nats: null }), path: 'nats', says: 'must be a map' },
  { what: 'a null webhook', values: operator({ webhook: null }), path: 'webhook', says: 'must be a map' },
];

/** What only the profile parity refuses, as helm template does. */
const parityOnly: readonly Refusal[] = [
  {
    what: 'registry credentials without a server',
    values: registry({ username: 'u', password: 'p' }),
    path: 'dynamo.dockerRegistry.server',
    says: 'is required',
  },
  {
    what: 'registry credentials without a user',
    values: registry({ server: 's', password: 'p' }),
    path: 'dynamo.dockerRegistry.username',
    says: 'is required',
  },
  {
    what: 'registry credentials without a password',
    values: registry({ server: 's', username: 'u' }),
    path: 'dynamo.dockerRegistry.password',
    says: 'is required',
  },
  {
    what: 'an existing registry Secret, which cannot be looked up',
    values: registry({ server: 's', existingSecretName: 'e' }),
    path: 'dynamo.dockerRegistry.existingSecretName',
    says: 'profile secure',
  },
];

/** What only the profile secure refuses; parity warns. */
const secureOnly: readonly Refusal[] = [
  {
    what: 'no MPI Secret',
    values: operator({ dynamo: { mpiRun: { secretName: '' } } }),
    path: 'dynamo.mpiRun.secretName',
    says: 'does not start',
  },
  {
    what: 'a lease that is renewed too late',
    values: operator({ namespaceRestriction: { enabled: true, lease: { duration: '30s', renewInterval: '1m' } } }),
    path: 'namespaceRestriction.lease.renewInterval',
    says: "got '1m'",
  },
  {
    what: 'an external certificate without its CA',
    values: operator({ webhook: { certificateSecret: { external: true } } }),
    path: 'webhook.caBundle',
    says: 'is required',
  },
  {
    what: 'both certificate modes at once',
    values: operator({ webhook: { certManager: { enabled: true }, certificateSecret: { external: true }, caBundle: 'x' } }),
    path: 'webhook.certManager.enabled',
    says: 'either',
  },
  {
    what: 'a name that is too long',
    values: operator({ fullnameOverride: 'a-very-long-name-for-an-operator-that-nobody-would-give' }),
    path: 'fullnameOverride',
    says: 'at most 63',
  },
];

const refusals = (values: JsonObject, profile: 'secure' | 'parity', namespace = 'dynamo-system') =>
  renderPlatform(values, { profile, namespace }).issues.map((i) => `${formatPath(i.path)}: ${i.message}`);

describe('rules of the operator', () => {
  test.each(always)('both profiles reject $what', ({ values, path, says, namespace }) => {
    for (const profile of ['secure', 'parity'] as const) {
      const found = refusals(values, profile, namespace);
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(`dynamo-operator.${path}: `);
      expect(found[0]).toContain(says);
    }
  });

  test.each(parityOnly)('parity rejects $what', ({ values, path, says }) => {
    const found = refusals(values, 'parity');
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`dynamo-operator.${path}: `);
    expect(found[0]).toContain(says);
  });

  test.each(secureOnly)('secure rejects $what, parity warns', ({ values, path, says }) => {
    const found = refusals(values, 'secure');
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`dynamo-operator.${path}: `);
    expect(found[0]).toContain(says);
    const parity = renderPlatform(values, { profile: 'parity' });
    expect(parity.issues).toEqual([]);
    expect(parity.warnings.map((w) => formatPath(w.path))).toContain(`dynamo-operator.${path}`);
  });

  test('secure rejects credentials in values and trusts a Secret that is named', () => {
    const given = refusals(registry({ server: 's', username: 'u', password: 'p' }), 'secure');
    expect(given).toHaveLength(1);
    expect(given[0]).toContain('dynamo.dockerRegistry.existingSecretName: is required');
    const named = renderPlatform(registry({ existingSecretName: 'pull' }), { profile: 'secure' });
    expect(named.issues).toEqual([]);
    const account = named.objects.find((o) => o.kind === 'ServiceAccount' && o.metadata.name.endsWith('-component'));
    expect(account).toMatchObject({ imagePullSecrets: [{ name: 'pull' }] });
  });

  test('secure rejects etcd discovery without an etcd', () => {
    expect(refusals({ ...operator({ discoveryBackend: 'etcd' }), etcd: { enabled: false } }, 'secure')).toHaveLength(1);
    expect(
      refusals({ ...operator({ discoveryBackend: 'etcd', etcdAddr: 'e:2379' }), etcd: { enabled: false } }, 'secure'),
    ).toEqual([]);
  });

  test('a name under which the operator may not scale its own graphs is warned about', () => {
    const codes = (values: JsonObject, release: string) => renderPlatform(values, { release }).warnings.map((w) => w.code);
    expect(codes({}, 'dynamo-platform')).not.toContain('account_name');
    expect(codes({}, 'dynamo-operator')).toContain('account_name');
    expect(codes(operator({ fullnameOverride: 'mine' }), 'r')).toContain('account_name');
  });

  test('secure rejects certificate Jobs, which are hooks', () => {
    expect(renderPlatform({ platform: { certificates: { mode: 'jobs' } } }).issues).toMatchObject([{ code: 'jobs_are_hooks' }]);
    expect(renderPlatform({ platform: { certificates: { mode: 'jobs' } } }, { switches: { 'no-hooks': false } }).issues).toEqual(
      [],
    );
  });

  test('an election id of its own is allowed when restricted to a namespace', () => {
    expect(
      refusals(
        operator({ namespaceRestriction: { enabled: true }, controllerManager: { leaderElection: { id: 'mine' } } }),
        'parity',
      ),
    ).toEqual([]);
  });

  test.each(['A', 'a_b', '-a', 'a-', '', 'a'.repeat(54)])('rejects the release name %j', (release) => {
    expect(renderPlatform({}, { release, profile: 'parity' }).issues).not.toEqual([]);
  });

  test('rejects a namespace that Kubernetes would refuse', () => {
    expect(renderPlatform({}, { namespace: 'Dynamo.System' }).issues).toHaveLength(1);
  });
});

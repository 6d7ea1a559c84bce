import type { KubernetesObject } from '../../../lib/api/index.ts';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, listAt } from '../../../lib/json/index.ts';
import { atPath, templateString } from '../../../lib/platform/go-values.ts';
import { renderPlatform } from '../../../lib/platform/platform.ts';

const only = { nats: { enabled: false }, etcd: { enabled: false } };
const operator = (values: JsonObject, more: JsonObject = {}): JsonObject => ({ ...only, 'dynamo-operator': values, ...more });
const render = (values: JsonObject, options = {}): readonly KubernetesObject[] => {
  const { objects, issues } = renderPlatform(values, options);
  expect(issues).toEqual([]);
  return objects;
};
const find = (objects: readonly KubernetesObject[], kind: string, name = ''): KubernetesObject | undefined =>
  objects.find((o) => o.kind === kind && o.metadata.name.includes(name));
const kinds = (objects: readonly KubernetesObject[]) => new Set(objects.map((o) => o.kind));
const pod = (objects: readonly KubernetesObject[]): Json | undefined => atPath(find(objects, 'Deployment'), 'spec.template.spec');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
const rules = (object: KubernetesObject | undefined) => listAt(object?.['rules']) as unknown as readonly Rule[];

describe('rights of the operator', () => {
  test('hold no wildcard anywhere', () => {
    for (const values of [{}, { namespaceRestriction: { enabled: true } }]) {
      const roles = render(operator(values)).filter((o) => o.kind.endsWith('Role'));
      expect(roles.filter((role) => rules(role).length === 0)).toEqual([]);
      expect(roles.length).toBeGreaterThan(5);
      for (const { apiGroups = [], resources = [], nonResourceURLs = [], verbs } of roles.flatMap(rules))
        expect([...apiGroups, ...resources, ...nonResourceURLs, ...verbs]).not.toContain('*');
    }
  });

  test('let it read and create Secrets, and change none but the copies of its SSH key', () => {
    const manager = find(render(operator({})), 'ClusterRole', 'manager-role');
    expect(rules(manager).filter((r) => r.resources.includes('secrets'))).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['mpi-run-ssh-secret'], verbs: ['patch'] },
    ]);
  });

  test('let it bind the roles of graphs and no others', () => {
    const objects = render(operator({}));
    const bind = rules(find(objects, 'ClusterRole', 'manager-role')).filter((r) => r.verbs.includes('bind'));
    const clusterRoles = objects.filter((o) => o.kind === 'ClusterRole').map((o) => o.metadata.name);
    expect(bind).toHaveLength(1);
    expect(bind[0]?.resourceNames).toHaveLength(3);
    for (const name of bind[0]?.resourceNames ?? []) expect(clusterRoles).toContain(name);
  });

  test('hold what the Roles it creates for graphs hold, since nobody may grant more than they have', () => {
    const manager = rules(find(render(operator({})), 'ClusterRole', 'manager-role'));
    const granted: readonly (readonly [string, string, readonly string[]])[] = [
      ['', 'endpoints', ['get', 'list', 'watch']],
      ['discovery.k8s.io', 'endpointslices', ['get', 'list', 'watch']],
      ['nvidia.com', 'dynamoworkermetadatas', ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete']],
    ];
    for (const [group, resource, verbs] of granted)
      for (const verb of verbs)
        expect(manager.some((r) => r.apiGroups.includes(group) && r.resources.includes(resource) && r.verbs.includes(verb))).toBe(
          true,
        );
  });

  test('cover one Lease for leader election, and let profiling Jobs see nodes only outside of their namespace', () => {
    const objects = render(operator({ controllerManager: { leaderElection: { namespace: 'leases' } } }));
    const leases = rules(find(objects, 'Role', 'leader-election')).filter((r) => r.resources.includes('leases'));
    expect(leases).toMatchObject([{ verbs: ['create'] }, { resourceNames: ['dynamo.nvidia.com'] }]);
    const bound = objects.filter((o) => o.kind === 'ClusterRoleBinding' && JSON.stringify(o).includes('dgdr-profiling-job'));
    expect(bound.map((o) => atPath(o, 'roleRef.name'))).toEqual(['dynamo-platform-dynamo-operator-dgdr-profiling-nodes']);
    const nodes = objects.find((o) => o.kind === 'ClusterRole' && o.metadata.name.endsWith('profiling-nodes'));
    expect(rules(nodes).flatMap((r) => r.resources)).toEqual(['nodes']);
  });

  test('of people over the six kinds come with view and edit', () => {
    const objects = render(operator({}));
    const [view, edit] = ['view', 'edit'].map((to) =>
      objects.find((o) => o.kind === 'ClusterRole' && o.metadata.name.endsWith(`-${to}`)),
    );
    expect(view?.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-view']).toBe('true');
    expect(rules(view).flatMap((r) => r.resources)).toHaveLength(6);
    expect(rules(view).flatMap((r) => r.verbs)).toEqual(['get', 'list', 'watch']);
    expect(edit?.metadata.labels).toMatchObject({ 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' });
    expect(edit?.metadata.labels).not.toHaveProperty(['rbac.authorization.k8s.io/aggregate-to-view']);
    expect(JSON.stringify(render(operator({}), { profile: 'parity' }))).not.toContain('aggregate-to');
    // an operator of one namespace changes nothing for the others
    expect(JSON.stringify(render(operator({ namespaceRestriction: { enabled: true } })))).not.toContain('aggregate-to');
  });

  test('end at the namespace for leader election', () => {
    const objects = render(operator({ controllerManager: { leaderElection: { namespace: 'leases' } } }));
    expect(find(objects, 'Role', 'leader-election')).toMatchObject({ metadata: { namespace: 'leases' } });
    expect(find(objects, 'ClusterRole', 'leader-election')).toBeUndefined();
  });

  test('cover VirtualServices only while Istio is used', () => {
    const groups = (values: JsonObject) =>
      rules(find(render(operator(values)), 'ClusterRole', 'manager-role')).flatMap((r) => r.apiGroups);
    expect(groups({})).not.toContain('networking.istio.io');
    expect(groups({ dynamo: { istio: { enabled: true, gateway: 'g' } } })).toContain('networking.istio.io');
  });

  test('cover reviews where the operator serves its metrics over TLS itself, without a proxy', () => {
    const args = (...more: readonly string[]): JsonObject => ({
      controllerManager: { manager: { args: ['--health-probe-bind-address=:8081', ...more] } },
    });
    const secure = render(operator(args('--metrics-secure')));
    expect(rules(find(secure, 'ClusterRole', 'proxy-role')).flatMap((r) => r.resources)).toEqual([
      'tokenreviews',
      'subjectaccessreviews',
    ]);
    expect(listAt(atPath(pod(secure), 'containers')).map((container) => atPath(container, 'name'))).toEqual(['manager']);
    const [manager] = listAt(atPath(pod(secure), 'containers'));
    expect(atPath(manager, 'ports')).toEqual([
      { containerPort: 8443, name: 'https', protocol: 'TCP' },
      { containerPort: 9443, name: 'webhook-server', protocol: 'TCP' },
    ]);
    for (const values of [args(), args('--metrics-secure', '--metrics-secure=false')])
      expect(listAt(atPath(pod(render(operator(values))), 'containers'))).toHaveLength(2);
    const parity = render(operator(args('--metrics-secure')), { profile: 'parity' });
    expect(listAt(atPath(pod(parity), 'containers'))).toHaveLength(2);
  });

  test('cover reviews only while the metrics proxy authenticates', () => {
    const args = ['--secure-listen-address=0.0.0.0:8443', '--upstream=http://127.0.0.1:8080/', '--ignore-paths=/metrics'];
    const open = render(operator({ controllerManager: { kubeRbacProxy: { args } } }));
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) expect(find(open, kind, 'proxy-role')).toBeUndefined();
    const objects = render(operator({ namespaceRestriction: { enabled: true } }));
    const binding = find(objects, 'ClusterRoleBinding', 'proxy-role');
    expect(objects.map((o) => o.metadata.name)).toContain(atPath(binding, 'roleRef.name'));
  });

  test('every binding names a role that is rendered', () => {
    for (const values of [{}, { namespaceRestriction: { enabled: true, targetNamespace: 'team' } }]) {
      const objects = render(operator(values));
      const roles = new Set(
        objects.filter((o) => o.kind.endsWith('Role')).map((o) => `${o.kind}/${o.metadata.namespace ?? ''}/${o.metadata.name}`),
      );
      const bindings = objects.filter((o) => o.kind.endsWith('Binding'));
      expect(bindings.length).toBeGreaterThan(4);
      for (const binding of bindings) {
        const kind = templateString(atPath(binding, 'roleRef.kind'));
        expect(roles).toContain(
          `${kind}/${kind === 'Role' ? binding.metadata.namespace : ''}/${templateString(atPath(binding, 'roleRef.name'))}`,
        );
      }
    }
  });
});

describe('certificates', () => {
  const webhook = (objects: readonly KubernetesObject[]) => find(objects, 'ValidatingWebhookConfiguration');

  test('come from cert-manager by default, without a common name', () => {
    const objects = render(operator({}));
    expect(
      objects
        .filter((o) => o.apiVersion === 'cert-manager.io/v1')
        .map((o) => o.kind)
        .sort(),
    ).toEqual(['Certificate', 'Certificate', 'Issuer', 'Issuer']);
    const serving = find(objects, 'Certificate', 'serving-cert');
    expect(atPath(serving, 'spec.commonName')).toBeUndefined();
    expect(atPath(serving, 'spec.secretName')).toBe('webhook-server-cert');
    expect(webhook(objects)?.metadata.annotations).toEqual({
      'cert-manager.io/inject-ca-from': 'dynamo-system/dynamo-platform-dynamo-operator-serving-cert',
    });
    expect(templateString(atPath(find(objects, 'Certificate', 'root-ca'), 'spec.commonName')).length).toBeLessThanOrEqual(64);
  });

  test('say what they are for, and get a new key with every renewal', () => {
    const specOf = (name: string, options = {}) =>
      atPath(
        find(render(operator({ webhook: { certManager: { enabled: true } } }), options), 'Certificate', name),
        'spec',
      ) as JsonObject;
    expect(specOf('serving-cert')).toMatchObject({
      usages: ['digital signature', 'key encipherment', 'server auth'],
      privateKey: { rotationPolicy: 'Always' },
    });
    expect(specOf('root-ca')).toMatchObject({
      usages: ['digital signature', 'cert sign', 'crl sign'],
      privateKey: { algorithm: 'RSA', size: 4096, rotationPolicy: 'Always' },
    });
    for (const name of ['serving-cert', 'root-ca']) expect(specOf(name, { profile: 'parity' })).not.toHaveProperty('usages');
  });

  test('come from an issuer of the cluster when one is named', () => {
    const objects = render(operator({}, { platform: { certificates: { issuerRef: { name: 'corp', kind: 'ClusterIssuer' } } } }));
    expect(objects.filter((o) => o.apiVersion === 'cert-manager.io/v1')).toHaveLength(1);
    expect(atPath(find(objects, 'Certificate'), 'spec.issuerRef')).toEqual({
      group: 'cert-manager.io',
      kind: 'ClusterIssuer',
      name: 'corp',
    });
  });

  test('may be external, with their CA', () => {
    const objects = render(operator({ webhook: { certificateSecret: { external: true, name: 'tls' }, caBundle: 'Q0E=' } }));
    expect(kinds(objects)).not.toContain('Certificate');
    const bundles = listAt(webhook(objects)?.['webhooks']).map((hook) => atPath(hook, 'clientConfig.caBundle'));
    expect(bundles).toEqual(Array<string>(4).fill('Q0E='));
    expect(JSON.stringify(pod(objects))).toContain('"secretName":"tls"');
  });

  test('may be managed by an operator that can, which gets flags and rights for it and nothing else', () => {
    const objects = render(operator({}, { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/o:1' } } }));
    expect(kinds(objects)).not.toContain('Certificate');
    expect(atPath(pod(objects), 'volumes')).toBeUndefined();
    expect(JSON.stringify(pod(objects))).toContain('--webhook-certificates=self-managed');
    expect(rules(find(objects, 'ClusterRole', 'webhook-certificates'))).toEqual([
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['validatingwebhookconfigurations'],
        verbs: ['get', 'list', 'patch', 'watch'],
        resourceNames: ['dynamo-platform-dynamo-operator-validating'],
      },
    ]);
    const original = { certificates: { mode: 'self-managed' } };
    expect(renderPlatform(operator({}, { platform: original })).issues).toMatchObject([{ code: 'self_managed_image' }]);
  });

  test('are not needed without webhooks', () => {
    const objects = render(operator({ webhook: { enabled: false } }));
    for (const kind of ['Certificate', 'Issuer', 'ValidatingWebhookConfiguration']) expect(kinds(objects)).not.toContain(kind);
    expect(find(objects, 'Service', 'webhook')).toBeUndefined();
  });
});

describe('availability', () => {
  test('one replica is replaced, and guarded by nothing', () => {
    const objects = render(operator({}));
    expect(atPath(find(objects, 'Deployment'), 'spec.strategy')).toEqual({ type: 'Recreate' });
    expect(kinds(objects)).not.toContain('PodDisruptionBudget');
  });

  test('more replicas are rolled, spread and guarded', () => {
    const objects = render(operator({ controllerManager: { replicas: 2 } }));
    expect(atPath(find(objects, 'Deployment'), 'spec.strategy.type')).toBe('RollingUpdate');
    expect(listAt(atPath(pod(objects), 'topologySpreadConstraints')).map((c) => atPath(c, 'topologyKey'))).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    expect(find(objects, 'PodDisruptionBudget')).toMatchObject({ spec: { maxUnavailable: 1 } });
  });

  test('a changed environment restarts the pod', () => {
    const checksum = (values: JsonObject) =>
      atPath(
        find(render(operator(values)), 'Deployment'),
        'spec',
        'template',
        'metadata',
        'annotations',
        'checksum/dynamo-deployment-env',
      );
    expect(checksum({})).toMatch(/^[0-9a-f]{64}$/);
    expect(checksum({ dynamo: { internalImages: { debugger: 'x:1' } } })).not.toBe(checksum({}));
  });
});

test('the managed namespace gets everything that graphs need', () => {
  const objects = render(operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }), {
    apiVersions: ['monitoring.coreos.com/v1'],
  });
  for (const name of ['planner-serviceaccount', 'epp-serviceaccount', 'dgdr-profiling-job'])
    expect(find(objects, 'ServiceAccount', name)?.metadata.namespace).toBe('team');
  expect(find(objects, 'ServiceAccount', '-component')?.metadata.namespace).toBe('team');
  expect(find(objects, 'PodMonitor')).toMatchObject({ spec: { namespaceSelector: { matchNames: ['team'] } } });
  const hooks = listAt(find(objects, 'ValidatingWebhookConfiguration')?.['webhooks']);
  expect(hooks).toHaveLength(4);
  for (const hook of hooks)
    expect(atPath(hook, 'namespaceSelector')).toEqual({ matchLabels: { 'kubernetes.io/metadata.name': 'team' } });
});

test('OpenShift chooses the user ids', () => {
  for (const [values, options] of [
    [{ global: { compatibility: { openshift: { adaptSecurityContext: 'force' } } } }, {}],
    [{}, { apiVersions: ['security.openshift.io/v1'] }],
  ] as const) {
    const printed = JSON.stringify(render({ ...values, grove: { enabled: true }, 'kai-scheduler': { enabled: true } }, options));
    expect(printed).not.toMatch(/"(runAsUser|runAsGroup|fsGroup)"/);
    expect(printed).toContain('"runAsNonRoot":true');
  }
});

test('monitors carry the labels of the values and follow the explicit switch', () => {
  const objects = render(operator({}, { platform: { monitoring: { enabled: true, labels: { team: 'ml' } } } }));
  const monitors = objects.filter((o) => o.kind.endsWith('Monitor'));
  expect(monitors).toHaveLength(4);
  for (const monitor of monitors) expect(monitor.metadata.labels).toMatchObject({ team: 'ml' });
  expect(
    kinds(render(operator({}, { platform: { monitoring: { enabled: false } } }), { apiVersions: ['monitoring.coreos.com/v1'] })),
  ).not.toContain('ServiceMonitor');
});

test('a tag with a digest is pulled by it and reported without', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const objects = render(operator({ controllerManager: { manager: { image: { tag: `1.2@${digest}` } } } }));
  const printed = JSON.stringify(pod(objects));
  expect(printed).toContain(`kubernetes-operator:1.2@${digest}"`);
  expect(printed).toContain('--operator-version=1.2"');
  const versions = objects.flatMap(({ metadata }) => metadata.labels?.['app.kubernetes.io/version'] ?? []);
  expect(new Set(versions)).toEqual(new Set(['1.2']));
});

test('the pull policy is rendered', () => {
  const image = { controllerManager: { manager: { image: { pullPolicy: 'Always' } } } };
  expect(JSON.stringify(pod(render(operator(image))))).toContain('"imagePullPolicy":"Always"');
});

test('a namespace is rendered on request, labelled for Pod Security', () => {
  const [first] = render(operator({}, { platform: { namespace: { create: true } } }));
  expect(first).toMatchObject({
    kind: 'Namespace',
    metadata: { name: 'dynamo-system', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
});

describe('the NetworkPolicy of the operator', () => {
  const egress = (values: JsonObject, more: JsonObject = {}) =>
    listAt(atPath(find(render(operator(values, more)), 'NetworkPolicy', 'controller-manager'), 'spec.egress')).flatMap((rule) =>
      listAt(atPath(rule, 'ports')).map((port) => atPath(port, 'port')),
    );

  test('lets it reach the API server where the cluster serves it', () => {
    expect(egress({})).toEqual(expect.arrayContaining([443, 6443, 8443, 16443]));
    const ports = egress({}, { platform: { networkPolicy: { apiServerPorts: [7443] } } });
    expect(ports).toContain(7443);
    expect(ports).not.toContain(6443);
  });

  test('lets it reach etcd only while graphs find each other through it', () => {
    expect(egress({})).not.toContain(2379);
    expect(egress({ discoveryBackend: 'etcd', etcdAddr: 'https://etcd.corp:3379' })).toContain(3379);
    expect(egress({ discoveryBackend: 'etcd', etcdAddr: 'etcd.corp' })).toContain(2379);
  });
});

test('what must exist beforehand is told', () => {
  const notes = (values: JsonObject, profile: 'secure' | 'parity' = 'secure') =>
    renderPlatform(values, { profile }).notes.join('\n');
  expect(notes({})).toContain('Secret dynamo-system/mpi-run-ssh-secret');
  expect(notes({})).toContain('cert-manager must be installed');
  expect(notes(operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }))).toContain(
    'Secret team/mpi-run-ssh-secret',
  );
  expect(notes(operator({ dynamo: { dockerRegistry: { useKubernetesSecret: true, existingSecretName: 'pull' } } }))).toContain(
    'dynamo-system/pull',
  );
  expect(notes(operator({ webhook: { certificateSecret: { external: true }, caBundle: 'Q0E=' } }))).toContain(
    'dynamo-system/webhook-server-cert',
  );
  expect(notes({ grove: { enabled: true } })).toContain('the CRDs of Grove must be installed');
  expect(notes({}, 'parity')).toBe('');
});

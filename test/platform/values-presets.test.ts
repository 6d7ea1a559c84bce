import type { KubernetesObject } from '../../lib/api/index.ts';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { atPath } from '../../lib/platform/go-values.ts';
import { listAt } from '../../lib/json/index.ts';

const folder = join(import.meta.dirname, '../../examples/platform');
const files = readdirSync(folder).filter((f) => f !== 'print-when-run.ts' && f.endsWith('.ts'));
const synthesized = new Map<string, readonly KubernetesObject[]>();

beforeAll(async () => {
  for (const file of files) {
    const module = (await import(join(folder, file))) as Readonly<Record<string, (app: App) => void>>;
    const app = new App();
    for (const build of Object.values(module)) build(app);
    synthesized.set(
      file.replace('.ts', ''),
      app.charts.flatMap((chart) => chart.toJson() as KubernetesObject[]),
    );
  }
});

const objects = (name: string): readonly KubernetesObject[] => synthesized.get(name) ?? [];
const of = (name: string, kind: string, part = ''): readonly KubernetesObject[] =>
  objects(name).filter((o) => o.kind === kind && o.metadata.name.includes(part));
const args = (name: string): readonly string[] =>
  of(name, 'Deployment', 'controller-manager').flatMap((d) =>
    listAt(atPath(listAt(atPath(d, 'spec.template.spec.containers'))[1], 'args')).map(String),
  );

describe('presets', () => {
  test('there is an example of each environment, and each renders something', () => {
    expect(files.map((f) => f.replace('.ts', '')).sort()).toEqual([
      'aks',
      'dev',
      'eks',
      'gke',
      'multi-tenant',
      'openshift',
      'production',
      'shared-test',
    ]);
    for (const name of synthesized.keys()) expect(objects(name).length).toBeGreaterThan(15);
  });

  test('no example repeats an object', () => {
    for (const name of synthesized.keys()) {
      const keys = objects(name).map((o) => `${o.kind}/${o.metadata.namespace ?? ''}/${o.metadata.name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('dev needs neither etcd nor certificates', () => {
    expect(of('dev', 'StatefulSet').map((o) => o.metadata.name)).toEqual(['dynamo-platform-nats']);
    for (const kind of ['Certificate', 'ValidatingWebhookConfiguration', 'Job']) expect(of('dev', kind)).toEqual([]);
    expect(args('dev').some((a) => a.startsWith('--etcdAddr'))).toBe(false);
  });

  test('a shared test keeps to its namespace but for the webhook, and for rights to ask about queues and readers of metrics', () => {
    expect(args('shared-test')).toContain('--restrictedNamespace=alice-test');
    const clusterScoped = objects('shared-test').filter((o) => o.metadata.namespace === undefined);
    expect(clusterScoped.map((o) => `${o.kind} ${o.metadata.name.replace(/^.*alice-test-?/, '')}`).sort()).toEqual([
      'ClusterRole metrics-reader',
      'ClusterRole proxy-role',
      'ClusterRole queue-reader',
      'ClusterRoleBinding proxy-rolebinding',
      'ClusterRoleBinding queue-reader-binding',
      'ValidatingWebhookConfiguration ',
    ]);
    expect(atPath(of('shared-test', 'Deployment')[0], 'spec.template.spec.imagePullSecrets')).toEqual([
      { name: 'docker-imagepullsecret' },
    ]);
  });

  test('production has no single point of failure and is watched', () => {
    expect(atPath(of('production', 'Deployment', 'controller-manager')[0], 'spec.replicas')).toBe(2);
    expect(atPath(of('production', 'StatefulSet', 'nats')[0], 'spec.replicas')).toBe(3);
    const guarded = of('production', 'PodDisruptionBudget').map((o) => o.metadata.name);
    expect(guarded).toEqual(
      expect.arrayContaining(['dynamo-platform-dynamo-operator-controller-manager', 'dynamo-platform-nats']),
    );
    expect(of('production', 'CustomResourceDefinition')).toHaveLength(6);
    for (const monitor of [...of('production', 'ServiceMonitor'), ...of('production', 'PodMonitor')])
      expect(monitor.metadata.labels).toMatchObject({ release: 'prometheus' });
    expect(of('production', 'Queue')).toHaveLength(2);
  });

  test('tenants share the NATS of the hub, whose webhook leaves them alone', () => {
    expect(args('multi-tenant').filter((a) => a.startsWith('--natsAddr'))).toEqual(
      Array.from({ length: 2 }, () => '--natsAddr=nats://dynamo-platform-nats.dynamo-system.svc.cluster.local:4222'),
    );
    expect(of('multi-tenant', 'StatefulSet', 'nats')).toHaveLength(1);
    const hub = of('multi-tenant', 'ValidatingWebhookConfiguration').find(
      (o) => o.metadata.name === 'dynamo-platform-dynamo-operator-validating',
    );
    for (const webhook of listAt(hub?.['webhooks']))
      expect(atPath(webhook, 'namespaceSelector.matchExpressions')).toEqual([
        { key: 'dynamo-operator', operator: 'NotIn', values: ['namespace-restricted'] },
      ]);
  });

  test.each([
    ['eks', 'eks.amazonaws.com/role-arn', 'gp3'],
    ['gke', 'iam.gke.io/gcp-service-account', 'standard-rwo'],
    ['aks', 'azure.workload.identity/client-id', 'managed-csi-premium'],
  ])('%s annotates the account of graphs and names a block storage class', (name, annotation, storageClass) => {
    expect(Object.keys(of(name, 'ServiceAccount', '-component')[0]?.metadata.annotations ?? {})).toEqual([annotation]);
    const claims = of(name, 'StatefulSet').flatMap((o) => listAt(atPath(o, 'spec.volumeClaimTemplates')));
    expect(claims.length).toBeGreaterThan(0);
    for (const claim of claims) expect(atPath(claim, 'spec.storageClassName')).toBe(storageClass);
  });

  test('OpenShift chooses user ids', () => {
    expect(JSON.stringify(objects('openshift'))).not.toMatch(/"(runAsUser|runAsGroup|fsGroup)":/);
  });

  test('an example prints its manifests when it is run', () => {
    const out = execFileSync(process.execPath, ['--import', 'tsx', join(folder, 'dev.ts')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(parseAllDocuments(out).map((d) => d.toJSON() as unknown)).toEqual(objects('dev'));
  });
});

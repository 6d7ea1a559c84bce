import type { KubernetesObject } from '../../lib/api/index.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { etcd } from '../../lib/platform/etcd/index.ts';
import { renderGaie } from '../../lib/platform/gaie/index.ts';
import { grove } from '../../lib/platform/grove/index.ts';
import { kai } from '../../lib/platform/kai/index.ts';
import { nats } from '../../lib/platform/nats/index.ts';
import type { Part } from '../../lib/platform/part.ts';
import { isClusterScoped } from '../../lib/platform/scope-of-kinds.ts';
import { effectiveBlock } from '../../lib/platform/values.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { contextOf } from '../platform/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'dependencies-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Profile = 'parity' | 'secure';

/** Groups a bare API server knows. */
const builtIn =
  /^(v1|(apps|batch|policy|networking\.k8s\.io|rbac\.authorization\.k8s\.io|scheduling\.k8s\.io|admissionregistration\.k8s\.io)\/v1)$/;

const allOfNats: JsonObject = {
  config: {
    cluster: { enabled: true },
    leafnodes: { enabled: true },
    websocket: { enabled: true, ingress: { enabled: true, hosts: ['ws.example.com'] } },
    mqtt: { enabled: true },
    gateway: { enabled: true },
    profiling: { enabled: true },
    resolver: { enabled: true },
  },
  promExporter: { enabled: true },
  natsBox: { enabled: true, serviceAccount: { enabled: true } },
  serviceAccount: { enabled: true },
};

const allOfEtcd: JsonObject = {
  replicaCount: 3,
  metrics: { enabled: true, useSeparateEndpoint: true },
  disasterRecovery: { enabled: true },
  defrag: { enabled: true },
  preUpgradeJob: { enabled: true },
  configuration: 'name: default',
  service: { type: 'LoadBalancer' },
  auth: { rbac: { create: true, existingSecret: 'etcd-root' } },
  startupProbe: { enabled: true },
};

const secured: JsonObject = {
  nats: {
    config: { cluster: { enabled: true } },
    security: { auth: { enabled: true, secretName: 'nats-auth' }, tls: { enabled: true, secretName: 'nats-tls' } },
  },
  etcd: {
    replicaCount: 3,
    security: { auth: { enabled: true, secretName: 'etcd-root' }, tls: { enabled: true, secretName: 'etcd-tls' } },
  },
};

const groveOn: JsonObject = {
  enabled: true,
  replicaCount: 2,
  priorityClass: { enabled: true },
  config: { authorizer: { enabled: true } },
};

const cases: readonly { readonly name: string; readonly parts: readonly Part[]; readonly values: JsonObject }[] = [
  { name: 'NATS and etcd by default', parts: [nats, etcd], values: {} },
  { name: 'everything of NATS', parts: [nats], values: { nats: allOfNats } },
  { name: 'everything of etcd', parts: [etcd], values: { etcd: allOfEtcd } },
  { name: 'NATS and etcd with authentication and TLS', parts: [nats, etcd], values: secured },
  { name: 'Grove', parts: [grove], values: { grove: groveOn } },
  { name: 'KAI', parts: [kai], values: { 'kai-scheduler': { enabled: true, operator: { replicaCount: 2 } } } },
];

function rendered(parts: readonly Part[], values: JsonObject, namespace: string, profile: Profile): readonly KubernetesObject[] {
  return parts.flatMap((part) => {
    const result = part.render(effectiveBlock(part, values).values, contextOf('dynamo-platform', namespace, profile));
    expect(result.issues).toEqual([]);
    return result.objects;
  });
}

/** Sends objects to the API server without keeping them; returns what it warned of. */
async function dryRun(objects: readonly KubernetesObject[], namespace: string): Promise<readonly string[]> {
  const known = objects.filter(
    ({ apiVersion, metadata }) => builtIn.test(apiVersion) && (metadata.namespace ?? namespace) === namespace,
  );
  const items = known.map((object) =>
    isClusterScoped(object.apiVersion, object.kind) ? object : { ...object, metadata: { ...object.metadata, namespace } },
  );
  const file = join(folder, `${namespace}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const { exitCode, stderr } = await cluster().kubectl(['apply', '--server-side', '--dry-run=server', '-f', file]);
  expect(exitCode, stderr).toBe(0);
  return stderr.split('\n').filter((line) => line.includes('PodSecurity'));
}

const restricted = Object.fromEntries(['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']));

describeCluster('a real API server', () => {
  test.each(cases)('accepts $name', async ({ parts, values }) => {
    for (const profile of ['parity', 'secure'] as const) {
      const namespace = await newNamespace();
      await dryRun(rendered(parts, values, namespace, profile), namespace);
    }
  });

  test.each(cases)(
    'finds nothing against Pod Security restricted in $name, and does in what the original renders',
    async ({ parts, values }) => {
      const namespace = await newNamespace(restricted);
      expect(await dryRun(rendered(parts, values, namespace, 'secure'), namespace)).toEqual([]);
      if (parts.includes(etcd)) return;
      expect(await dryRun(rendered(parts, values, namespace, 'parity'), namespace)).not.toEqual([]);
    },
  );

  test('accepts the inference gateway and finds nothing against Pod Security restricted', async () => {
    const namespace = await newNamespace(restricted);
    const { objects, issues } = renderGaie(
      { extension: { image: 'example.com/epp:1.2.3' } },
      contextOf('gateway', namespace, 'secure'),
    );
    expect(issues).toEqual([]);
    expect(await dryRun(objects, namespace)).toEqual([]);
  });
});

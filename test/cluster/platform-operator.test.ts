import type { KubernetesObject } from '../../lib/api/index.ts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import * as platformPresets from '../../lib/platform/values-presets.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { cluster, describeCluster, holdApiGroups, newNamespace } from '../control-plane/cluster-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-'));
afterAll(() => rmSync(folder, { recursive: true }));

const restricted = Object.fromEntries(['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']));

const environments: Readonly<Record<string, JsonObject>> = {
  defaults: {},
  'no webhooks': { 'dynamo-operator': { webhook: { enabled: false } } },
  'an external certificate': { 'dynamo-operator': { webhook: { certificateSecret: { external: true }, caBundle: 'Q0E=' } } },
  'the operator of this package': { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/o:1' } } },
  dev: platformPresets.dev(),
  'a shared test': platformPresets.sharedTest({ tag: 'x', pullSecrets: ['pull'] }),
  'production with etcd': platformPresets.production({
    storageClass: 'fast',
    etcd: true,
    monitorLabels: { release: 'prometheus' },
  }),
  'a tenant hub': platformPresets.tenantHub(),
  'a tenant': platformPresets.tenant({ natsAddress: 'nats://elsewhere:4222' }),
  EKS: mergeLayers([
    platformPresets.production(),
    platformPresets.eks({ operator: 'arn:aws:iam::1:role/o', graphs: 'arn:aws:iam::1:role/g' }),
  ]),
  OpenShift: mergeLayers([platformPresets.production(), platformPresets.openShift()]),
};

function rendered(values: JsonObject, namespace: string, release = 'dynamo-platform'): readonly KubernetesObject[] {
  const { objects, issues } = renderPlatform(values, { namespace, release });
  expect(issues).toEqual([]);
  return objects;
}

function written(name: string, objects: readonly KubernetesObject[]): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return file;
}

async function kubectl(...argv: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
  const { exitCode, stdout, stderr } = await cluster().kubectl([...argv]);
  expect(exitCode, stderr).toBe(0);
  return { out: stdout, err: stderr };
}

describeCluster('a real API server', () => {
  let release: () => Promise<void>;
  beforeAll(async () => {
    release = await holdApiGroups(['cert-manager.io', 'monitoring.coreos.com', 'scheduling.run.ai', 'kai.scheduler']);
  });
  afterAll(async () => await release());

  test.each(Object.entries(environments))(
    'accepts every object of %s, and no pod violates Pod Security restricted',
    async (_name, values) => {
      const namespace = await newNamespace(restricted);
      // A dry run does not keep the namespace that KAI brings for its reservations.
      const nearby = { 'kai-scheduler': { global: { resourceReservation: { namespace } } } };
      const file = written(namespace, rendered(mergeLayers([values, nearby]), namespace));
      const { err } = await kubectl('apply', '--server-side', '--dry-run=server', '-f', file);
      expect(err.split('\n').filter((line) => /PodSecurity|unknown field|deprecated/.test(line))).toEqual([]);
    },
  );

  // The restricted operator's webhook looks at its own namespace only, so that other tests are left in peace.
  test.each([['client-side'], ['server-side']])('has nothing to change when the platform is applied again, %s', async (side) => {
    const namespace = await newNamespace();
    const values = mergeLayers([
      platformPresets.sharedTest(),
      { etcd: { enabled: true }, platform: { monitoring: { enabled: true } } },
    ]);
    const file = written(namespace, rendered(values, namespace, namespace));
    onTestFinished(async () => void (await cluster().kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', file])));
    const apply = side === 'server-side' ? ['apply', '--server-side', '-f', file] : ['apply', '-f', file];
    const versions = async () => {
      const { out } = await kubectl('get', '-f', file, '-o', 'json');
      const { items } = JSON.parse(out) as { readonly items: readonly KubernetesObject[] };
      return items.map(
        (o) => `${o.kind}/${o.metadata.name} ${JSON.stringify(o.metadata['generation'] ?? o.metadata['resourceVersion'])}`,
      );
    };
    await kubectl(...apply);
    const before = await versions();
    await kubectl(...apply);
    expect(await versions()).toEqual(before);
    expect((await kubectl('diff', ...apply.slice(1))).out).toBe('');
  });

  test('lets the operator give graphs their rights, and nobody more', async () => {
    const namespace = await newNamespace();
    const graphs = await newNamespace();
    const access = rendered({}, namespace, namespace).filter((o) => /Role|ServiceAccount/.test(o.kind));
    const file = written(`access-${namespace}`, access);
    onTestFinished(async () => void (await cluster().kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', file])));
    await kubectl('apply', '--server-side', '-f', file);
    const account = `system:serviceaccount:${namespace}:${namespace}-dynamo-operator-controller-manager`;
    const asOperator = (...argv: readonly string[]) => cluster().kubectl([`--as=${account}`, '-n', graphs, ...argv]);
    const prefix = `${namespace}-dynamo-operator`;

    for (const role of ['planner', 'epp', 'dgdr-profiling'])
      expect(
        await asOperator('create', 'rolebinding', role, `--clusterrole=${prefix}-${role}`, `--serviceaccount=${graphs}:x`),
      ).toMatchObject({ exitCode: 0 });
    const discovery = written(`discovery-${graphs}`, [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'discovery', namespace: graphs },
        rules: [
          { apiGroups: [''], resources: ['endpoints'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] },
          {
            apiGroups: ['nvidia.com'],
            resources: ['dynamoworkermetadatas'],
            verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete'],
          },
        ],
      },
    ]);
    expect(await asOperator('create', '-f', discovery)).toMatchObject({ exitCode: 0 });

    const refused = await asOperator(
      'create',
      'rolebinding',
      'too-much',
      '--clusterrole=cluster-admin',
      `--serviceaccount=${graphs}:x`,
    );
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toMatch(/forbidden|attempting to grant RBAC permissions/);
    const answers = await Promise.all(
      ['delete secrets', 'create pods', 'create clusterrolebindings', 'get nodes', 'update customresourcedefinitions'].map(
        async (action) => (await asOperator('auth', 'can-i', ...action.split(' '))).stdout.trim(),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['no']));
  });
});

interface Explained {
  readonly check: string;
  readonly objects: RegExp;
  readonly why: string;
}

/** Findings of kube-score that stand, each with its reason. */
const explained: readonly Explained[] = [
  {
    check: 'container-image-pull-policy',
    objects: /./,
    why: 'images have fixed tags or digests; pulling at every start makes a start depend on the registry',
  },
  { check: 'deployment-replicas', objects: /./, why: 'one replica is what the values ask for' },
  {
    check: 'deployment-strategy',
    objects: /controller-manager$|scheduler$|binder$/,
    why: 'a single replica is replaced, as the original does; more replicas of the operator are rolled',
  },
  {
    check: 'deployment-has-host-podantiaffinity',
    objects: /./,
    why: 'replicas are spread by topologySpreadConstraints, which kube-score does not read',
  },
  {
    check: 'statefulset-has-host-podantiaffinity',
    objects: /nats$/,
    why: 'replicas are spread by topologySpreadConstraints, which kube-score does not read',
  },
  {
    check: 'container-resources',
    objects: /nats$|etcd$|grove-operator$|kai-operator$|scheduler$|binder$/,
    why: 'no CPU limit: throttling a message bus, a store or a scheduler stalls every graph',
  },
  {
    check: 'container-ephemeral-storage-request-and-limit',
    objects: /controller-manager$|grove-operator$|kai-operator$|scheduler$|binder$/,
    why: 'they write logs only; limits are for the values to decide, and the production preset sets them for the operator',
  },
  {
    check: 'container-security-context-user-group-id',
    objects: /etcd$/,
    why: 'the image runs as 1001, which owns its files',
  },
  {
    check: 'pod-networkpolicy',
    objects: /grove-operator$|kai-operator$|scheduler$|binder$/,
    why: 'they call the API server only, whose address a NetworkPolicy cannot name',
  },
  { check: 'pod-probes', objects: /scheduler$|binder$/, why: 'those of v0.9.4 serve no readiness' },
];

describe.skipIf(missingTools(['kube-score']).length > 0)('kube-score', () => {
  test.each([
    ['the defaults', {}],
    ['production', platformPresets.production({ etcd: true })],
  ])('finds nothing unexplained in %s', async (_name, values) => {
    const tool = await findTool('kube-score');
    const documents = rendered(values, 'dynamo-system')
      .map((o) => JSON.stringify(o))
      .join('\n---\n');
    const file = join(folder, 'score.yaml');
    writeFileSync(file, documents);
    // It exits with 1 when it finds anything at all.
    const out = execFileSync('sh', ['-c', '"$1" score "$2" -o json || true', 'sh', tool, file], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    const scored = JSON.parse(out) as readonly {
      readonly object_name: string;
      readonly checks: readonly { readonly check: { readonly id: string }; readonly grade: number; readonly skipped: boolean }[];
    }[];
    expect(scored.length).toBeGreaterThan(10);
    const found = scored.flatMap((o) =>
      o.checks.filter((c) => !c.skipped && c.grade < 7).map((c) => `${c.check.id} in ${o.object_name}`),
    );
    expect(found.filter((line) => !explained.some((e) => line.startsWith(`${e.check} in `) && e.objects.test(line)))).toEqual([]);
  });
});

/** The cluster that the operations pages assume. cert-manager, the operator's leader, Argo CD and Flux are simulated. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crds } from '../../lib/api/index.ts';
import { type KubernetesObject, succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { installCrds } from '../control-plane/crds.ts';
import { standInCrds, standInGroups } from '../control-plane/stand-in-crds.ts';
import { recordings } from '../platform/recorded.ts';
import { ofRelease, writeRecordedChart } from './helm-release.ts';

const kept = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);
const volumes = 40;
const patienceMs = 300_000;

async function list(cluster: Cluster, apiVersion: string, kind: string): Promise<readonly KubernetesObject[]> {
  const { status, body } = await cluster.client.list({ apiVersion, kind });
  if (status === 404) return [];
  return succeeded({ status, body, warnings: [] }).items.map((item) => ({ ...item, apiVersion, kind }));
}

/** What every cluster has before Dynamo: other products' APIs, and a default StorageClass with volumes to bind. */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  await installCrds(cluster.client, standInCrds(standInGroups));
  succeeded(
    await cluster.client.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'Immediate',
    }),
  );
}

/** Takes away everything a page left behind and puts free volumes in place. */
export async function emptyCluster(cluster: Cluster): Promise<void> {
  const { client } = cluster;
  const remove = async (objects: readonly KubernetesObject[]): Promise<void> => {
    for (const object of objects) await client.delete(object);
  };
  await remove(await list(cluster, 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'));
  const ours = ({ metadata }: KubernetesObject): boolean =>
    metadata.labels?.['app.kubernetes.io/part-of'] === 'dynamo-operator' || /dynamo|nats|etcd|team-/.test(metadata.name);
  for (const kind of ['ClusterRole', 'ClusterRoleBinding'])
    await remove((await list(cluster, 'rbac.authorization.k8s.io/v1', kind)).filter(ours));
  for (const kind of ['Role', 'RoleBinding'])
    await remove((await list(cluster, 'rbac.authorization.k8s.io/v1', kind)).filter(ours));
  await remove((await list(cluster, 'v1', 'Namespace')).filter(({ metadata }) => !kept.has(metadata.name)));
  const deadline = Date.now() + patienceMs;
  while ((await list(cluster, 'v1', 'Namespace')).length > kept.size) {
    if (Date.now() > deadline) throw new Error('namespaces of the page before are still there');
    await setTimeout(100);
  }
  const definitions = await list(cluster, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  await remove(definitions.filter(({ metadata }) => metadata.name.endsWith('.nvidia.com')));
  await remove(await list(cluster, 'v1', 'PersistentVolume'));
  while ((await list(cluster, 'v1', 'PersistentVolume')).length > 0) await setTimeout(50);
  for (let index = 0; index < volumes; index += 1)
    succeeded(
      await client.create({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `volume-${index}` },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '100Gi' },
          storageClassName: 'standard',
          persistentVolumeReclaimPolicy: 'Retain',
          hostPath: { path: `/volumes/${index}` },
        },
      }),
    );
}

interface Certificate extends KubernetesObject {
  readonly spec: { readonly secretName: string; readonly dnsNames?: readonly string[]; readonly isCA?: boolean };
}

interface Authority {
  readonly certificate: string;
  readonly issue: (names: readonly string[], days: number) => { readonly certificate: string; readonly key: string };
}

/** A certificate authority of openssl's, in a folder that is gone before this returns what it issued. */
function withAuthority<T>(use: (authority: Authority) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '30', '-subj', '/CN=dynamo-webhook-root-ca');
    const issue = (names: readonly string[], days: number) => {
      writeFileSync(join(folder, 'names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
      openssl('req', ...key, '-keyout', 'tls.key', '-out', 'request', '-subj', '/O=dynamo');
      openssl(
        'x509',
        '-req',
        '-in',
        'request',
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-days',
        String(days),
        '-extfile',
        'names',
        '-out',
        'tls.crt',
      );
      return { certificate: read('tls.crt'), key: read('tls.key') };
    };
    return use({ certificate: read('ca.crt'), issue });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Issues every Certificate, marks it ready, and gives webhooks that ask for it the authority. */
async function playCertManager(cluster: Cluster): Promise<void> {
  const { client } = cluster;
  const certificates = (await list(cluster, 'cert-manager.io/v1', 'Certificate')) as readonly Certificate[];
  const made = withAuthority(({ certificate, issue }) => ({
    authority: certificate,
    leaves: certificates.map(({ spec }) => issue(spec.dnsNames ?? ['root'], 20)),
  }));
  for (const [index, { metadata, spec }] of certificates.entries()) {
    const leaf = made.leaves[index];
    const data = {
      'tls.crt': base64(leaf?.certificate ?? ''),
      'tls.key': base64(leaf?.key ?? ''),
      'ca.crt': base64(made.authority),
    };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: spec.secretName, namespace: metadata.namespace ?? '' } };
    succeeded(await client.apply({ ...secret, type: 'kubernetes.io/tls', data }, { fieldManager: 'cert-manager' }));
    const condition = {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: 'Certificate is up to date and has not expired',
    };
    succeeded(
      await client.merge(
        {
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: { name: metadata.name, namespace: metadata.namespace ?? '' },
        },
        { status: { conditions: [condition] } },
        'status',
      ),
    );
  }
  for (const configuration of await list(cluster, 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')) {
    if (configuration.metadata.annotations?.['cert-manager.io/inject-ca-from'] === undefined) continue;
    const webhooks = configuration['webhooks'] as readonly { readonly name: string; readonly clientConfig: object }[];
    const bundled = webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle: base64(made.authority) },
    }));
    succeeded(await client.merge(configuration, { webhooks: bundled }));
  }
}

/** The lease that the operator's leader holds. */
async function playLeader(cluster: Cluster): Promise<void> {
  const metadata = { name: 'dynamo.nvidia.com', namespace: 'kube-system' };
  succeeded(
    await cluster.client.apply({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: { holderIdentity: 'dynamo-platform-dynamo-operator-controller-manager-0', leaseDurationSeconds: 15 },
    }),
  );
}

async function namespaces(cluster: Cluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) succeeded(await cluster.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

/** The namespaces of both controllers, and the ConfigMap that Argo CD reads its settings from. */
async function playControllers(cluster: Cluster): Promise<void> {
  await namespaces(cluster, 'argocd', 'flux-system');
  const settings = { metadata: { name: 'argocd-cm', namespace: 'argocd' }, data: { 'timeout.reconciliation': '180s' } };
  succeeded(await cluster.client.apply({ apiVersion: 'v1', kind: 'ConfigMap', ...settings }));
}

/** Where somebody is played. */
export interface Stage {
  readonly cluster: Cluster;
  /** Folder of the reader's shell. */
  readonly folder: string;
  /** Runs commands in that shell. */
  readonly shell: (commands: string) => Promise<void>;
}

/** A release of the original with what its hooks leave behind: a certificate, the bundle in the webhooks, finished Jobs. */
async function playHelmRelease({ cluster, folder, shell }: Stage): Promise<void> {
  const recording = recordings().find(({ id }) => id === 'p001-defaults');
  if (recording === undefined) throw new Error('the recording of the default values is missing');
  writeRecordedChart(join(folder, 'dynamo-platform'), ofRelease(recording, '0.9.1'));
  await shell('helm install dynamo-platform ./dynamo-platform -n dynamo-system --create-namespace --no-hooks');
  const authority = withAuthority(({ certificate, issue }) => ({ certificate, leaf: issue(['webhook'], 365) }));
  const data = {
    'tls.crt': base64(authority.leaf.certificate),
    'tls.key': base64(authority.leaf.key),
    'ca.crt': base64(authority.certificate),
  };
  const metadata = { name: 'webhook-server-cert', namespace: 'dynamo-system' };
  succeeded(await cluster.client.create({ apiVersion: 'v1', kind: 'Secret', metadata, data }));
  const name = 'dynamo-platform-dynamo-operator-validating';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
  };
  const webhooks = succeeded(await cluster.client.get(configuration))['webhooks'] as readonly { readonly clientConfig: object }[];
  const bundled = webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle: base64(authority.certificate) },
  }));
  succeeded(await cluster.client.merge(configuration, { webhooks: bundled }));
  for (const object of recording.objects ?? [])
    if (JSON.stringify(object).includes('"helm.sh/hook"'))
      succeeded(
        await cluster.client.apply(
          { ...object, metadata: { namespace: 'dynamo-system', ...object.metadata } },
          { fieldManager: 'helm' },
        ),
      );
}

/** The same, back from the profile secure: the release adopted with the profile parity. */
async function playAdoptedRelease(stage: Stage): Promise<void> {
  await emptyCluster(stage.cluster);
  await playHelmRelease(stage);
  await stage.shell(`dynamo-cdk8s platform -f values.yaml -f adopt.yaml -o platform/
kubectl apply --server-side --force-conflicts -f platform/
kubectl -n dynamo-system delete secret -l owner=helm,name=dynamo-platform
kubectl annotate -f platform/ meta.helm.sh/release-name- meta.helm.sh/release-namespace-`);
}

const stuckGraph = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'qwen', namespace: 'models', finalizers: ['nvidia.com/finalizer'] },
  spec: {
    services: { Frontend: { componentType: 'frontend', extraPodSpec: { mainContainer: { image: 'example.com/frontend:1' } } } },
  },
};

/** An installed platform, and a graph whose finalizer nobody takes off. */
async function playInstalled({ cluster, folder, shell }: Stage): Promise<void> {
  await namespaces(cluster, 'dynamo-system', 'models');
  await installCrds(cluster.client, crds());
  writeFileSync(join(folder, 'graph.yaml'), JSON.stringify(stuckGraph));
  succeeded(await cluster.client.apply(stuckGraph));
  await shell(`kubectl -n dynamo-system create secret generic mpi-run-ssh-secret --from-literal=private.key=x
dynamo-cdk8s platform -o platform/
kubectl apply --server-side -f platform/`);
  await playCertManager(cluster);
}

/** What no operator would answer: the webhooks, as a cluster without the operator has none. */
async function playNoWebhooks({ cluster }: Stage): Promise<void> {
  for (const object of await list(cluster, 'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'))
    await cluster.client.delete(object);
}

/** Who can be played, by the name a page calls them. */
export const players: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'cert-manager': ({ cluster }) => playCertManager(cluster),
  leader: ({ cluster }) => playLeader(cluster),
  'argocd and flux': ({ cluster }) => playControllers(cluster),
  'monitoring namespace': ({ cluster }) => namespaces(cluster, 'monitoring'),
  'empty cluster': ({ cluster }) => emptyCluster(cluster),
  'helm release': playHelmRelease,
  'adopted helm release': playAdoptedRelease,
  'installed platform with a stuck graph': playInstalled,
  'no webhooks': playNoWebhooks,
};

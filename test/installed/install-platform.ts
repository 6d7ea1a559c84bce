/**
 * Installs the platform as its users do: what `dynamo-cdk8s platform` prints, applied with kubectl to a real control plane with nodes.
 *
 * What Helm does for the original is played here: hooks run first or last, as their own accounts.
 */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { crds } from '../../lib/api/index.ts';
import { isObject, listAt, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/index.ts';
import { findTool } from '../../tools/find.ts';
import { runCommand } from '../command-line.ts';
import { succeeded } from '../control-plane/client.ts';
import { Cluster } from '../control-plane/connect.ts';
import { installCrds, untilApiGroups } from '../control-plane/crds.ts';
import { standInCrds, type StandInGroup } from '../control-plane/stand-in-crds.ts';
import { startControlPlane } from '../control-plane/start.ts';
import { readSecret } from './secret-files.ts';

/** What to install where. */
export interface InstallOptions {
  readonly profile: 'secure' | 'parity';
  /** Values over those that every installation of these tests has. */
  readonly values?: JsonObject;
  /** API groups of other projects that the cluster serves. */
  readonly groups?: readonly StandInGroup[];
  /**
   * Name of the release, and its namespace.
   * @default - dynamo-platform in dynamo-system
   */
  readonly release?: { readonly name: string; readonly namespace: string };
  /**
   * Where another release is installed already.
   * @default - a control plane of its own
   */
  readonly beside?: Installation;
}

/** A platform on a control plane. */
export interface Installation {
  readonly cluster: Cluster;
  /** Namespace of the release. */
  readonly namespace: string;
  /** Everything that was printed. */
  readonly objects: readonly JsonObject[];
}

/** Namespace of the platform. */
export const home = 'dynamo-system';
const defaultRelease = { name: 'dynamo-platform', namespace: home };
const run = promisify(execFile);

/** Installs the platform on a control plane that ends with the test. */
export async function installPlatform(options: InstallOptions): Promise<Installation> {
  const { profile, release: { namespace } = defaultRelease, beside, groups = [] } = options;
  const cluster = beside?.cluster ?? (await startCluster(groups));
  const objects = await printPlatform(options);
  const namespaces = new Set([namespace, ...objects.map((object) => stringAt(object, 'metadata', 'namespace')).filter(Boolean)]);
  for (const name of namespaces)
    succeeded(await cluster.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const installation = { cluster, namespace, objects };
  const isHook = (event: string) => (object: JsonObject) => hookEvents(object).includes(event);
  await applyAndRun(installation, objects.filter(isHook('pre-install')));
  await applyAndRun(
    installation,
    objects.filter((object) => hookEvents(object).length === 0),
  );
  await applyAndRun(installation, objects.filter(isHook('post-install')));
  if (profile === 'secure') await createSshKey(installation);
  return installation;
}

/** A control plane with the CRDs that ends with the test. */
async function startCluster(groups: readonly StandInGroup[]): Promise<Cluster> {
  // The plugin is what OpenShift has on: owners may be set only by those who may update their finalizers.
  const plane = await startControlPlane({
    scheduler: true,
    kwok: true,
    admissionPlugins: ['OwnerReferencesPermissionEnforcement'],
  });
  onTestFinished(() => plane.stop());
  const cluster = new Cluster(plane.connection);
  onTestFinished(() => cluster.close());
  await installCrds(cluster.client, [...crds(), ...standInCrds(groups)]);
  await untilApiGroups(cluster.client, (served) => groups.every((group) => served.includes(group)));
  return cluster;
}

/** What the command prints. */
async function printPlatform({
  profile,
  values: more = {},
  release = defaultRelease,
}: InstallOptions): Promise<readonly JsonObject[]> {
  // In parity only the image of the original's chart is changed, as somebody does who tries the operator of this package in its place.
  const operator: JsonObject =
    profile === 'secure'
      ? { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/operator:1' } } }
      : {
          'dynamo-operator': {
            controllerManager: { manager: { image: { repository: 'registry.example.com/operator', tag: '1' } } },
          },
        };
  const values = JSON.stringify(mergeLayers([operator, more]));
  const names = ['--release', release.name, '-n', release.namespace];
  const { code, out, err } = await runCommand('.', ['platform', '-f', '-', '--profile', profile, '-o', 'json', ...names], values);
  if (code !== 0) throw new Error(`platform ended with ${code}: ${err}`);
  return objectsAt(JSON.parse(out), 'items');
}

function hookEvents(object: JsonObject): readonly string[] {
  return stringAt(object, 'metadata', 'annotations', 'helm.sh/hook').split(',').filter(Boolean);
}

/** Applies objects; what a Job of the hooks would do is done here, as the account of the Job. */
async function applyAndRun(installation: Installation, objects: readonly JsonObject[]): Promise<void> {
  const { cluster } = installation;
  const isScript = (object: JsonObject): boolean => stringAt(object, 'kind') === 'Job' && hookEvents(object).length > 0;
  const items = objects.filter((object) => !isScript(object));
  if (items.length > 0) {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { exitCode, stderr } = await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input });
    if (exitCode !== 0) throw new Error(`kubectl apply: ${stderr}`);
  }
  for (const job of objects.filter(isScript)) await runJob(installation, job);
}

/** Runs the containers of a Job one after the other with kubectl, openssl and ssh-keygen of this machine; its volume is a folder. */
async function runJob({ cluster, namespace }: Installation, job: JsonObject): Promise<void> {
  const pod = objectAt(job, 'spec', 'template', 'spec');
  const folder = await mkdtemp(join(cluster.connection.folder, 'job-'));
  const { kubeconfig } = await cluster.serviceAccount(namespace, stringAt(pod, 'serviceAccountName'));
  const PATH = `${dirname(await findTool('kubectl'))}${delimiter}${process.env['PATH'] ?? ''}`;
  for (const container of [...objectsAt(pod, 'initContainers'), ...objectsAt(pod, 'containers')]) {
    const [command = '', ...words] = listAt(container, 'command').map((word) => stringAt(word));
    const env = Object.fromEntries(objectsAt(container, 'env').map((one) => [stringAt(one, 'name'), stringAt(one, 'value')]));
    const here = (text: string): string =>
      text.replaceAll('/shared', folder).replaceAll('/tmp/openssl.cnf', `${folder}/openssl.cnf`);
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]));
    await run(command, words.map(here), { env: { ...own, PATH, HOME: folder, TMPDIR: folder, KUBECONFIG: kubeconfig } });
  }
}

/** The note of the secure profile asks for this Secret. */
async function createSshKey({ cluster: { client }, namespace }: Installation): Promise<void> {
  const stringData = { 'private.key': 'a key', 'private.key.pub': 'its other half' };
  const metadata = { name: 'mpi-run-ssh-secret', namespace };
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData }));
}

/** The pod of the operator that was rendered, with its container `manager`. */
export function renderedManager({ objects }: Installation): { readonly pod: JsonObject; readonly manager: JsonObject } {
  const [pod] = objects
    .filter((object) => stringAt(object, 'kind') === 'Deployment')
    .map((object) => objectAt(object, 'spec', 'template', 'spec'))
    .filter((spec) => objectsAt(spec, 'containers').some(({ name }) => name === 'manager'));
  const manager = objectsAt(pod, 'containers').find(({ name }) => name === 'manager');
  if (!isObject(pod) || manager === undefined) throw new Error('no operator is rendered');
  return { pod, manager };
}

/** Variables of a container as the kubelet would set them: its own, and those of the Secrets it names. */
export async function containerEnvironment(
  { cluster, namespace }: Installation,
  container: JsonObject,
): Promise<Readonly<Record<string, string>>> {
  const secrets = objectsAt(container, 'envFrom').map((from) => stringAt(from, 'secretRef', 'name'));
  const found = (await Promise.all(secrets.map((name) => readSecret(cluster, namespace, name)))).flatMap((content) => [
    ...content,
  ]);
  const own = objectsAt(container, 'env').map((one) => [stringAt(one, 'name'), stringAt(one, 'value')]);
  return Object.fromEntries([...found.map(([key, bytes]) => [key, bytes.toString('utf8')]), ...own]);
}

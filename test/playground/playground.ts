/**
 * A cluster to play in, on loopback and without GPUs: a real control plane and scheduler, nodes played by kwok, the platform as rendered, the operator
 * as a process with the rights of its own account, and the example graph of this repository.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { crds } from '../../lib/api/index.ts';
import { isObject, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';
import { mergeLayers, platformPresets, renderPlatform } from '../../lib/platform/index.ts';
import { succeeded, type KubernetesObject } from '../control-plane/client.ts';
import { Cluster } from '../control-plane/connect.ts';
import type { ConnectedUser } from '../control-plane/connection.ts';
import { installCrds } from '../control-plane/crds.ts';
import { addNode } from '../control-plane/nodes.ts';
import { Processes } from '../control-plane/processes.ts';
import { findTools, neededTools, startControlPlane } from '../control-plane/start.ts';

/** A playground that runs. */
export interface Playground {
  /** Kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Path of kubectl. */
  readonly kubectl: string;
  /** Where the logs are. */
  readonly logs: readonly string[];
  /** Aborted, with the reason, when a part of it dies. */
  readonly failed: AbortSignal;
}

/** What a playground tells while it starts, and where it notes how to end what it started. */
export interface Starting {
  readonly say: (text: string) => void;
  readonly onStop: (stop: () => Promise<void>) => void;
}

const home = 'dynamo-system';
const gpuNodes = ['gpu-0', 'gpu-1', 'gpu-2'];
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts everything; resolves when the graph is ready. */
export async function startPlayground({ say, onStop }: Starting): Promise<Playground> {
  const options = { scheduler: true, kwok: true, kwokStages: at('stages.yaml') };
  const programs = await findTools([...neededTools(options), 'kubectl']);
  say('starting the control plane ...');
  const plane = await startControlPlane(options);
  onStop(plane.stop);
  const cluster = new Cluster(plane.connection);
  onStop(() => cluster.close());
  const { client } = cluster;
  say(`adding ${gpuNodes.length} nodes with 8 GPUs each ...`);
  for (const name of gpuNodes) await addNode(client, { name, labels: { 'nvidia.com/gpu.product': 'H100' } });

  say('installing CRDs and platform ...');
  await installCrds(client, crds());
  // No webhooks: nothing routes from the API server to a Service here. The controllers check graphs all the same. And nothing provides volumes.
  const withoutVolumes = { nats: { config: { jetstream: { fileStore: { pvc: { enabled: false } } } } } };
  const values = mergeLayers([platformPresets.dev(), withoutVolumes]);
  const { objects, issues } = renderPlatform(values, { namespace: home, release: 'dynamo-platform' });
  if (issues.length > 0) throw new Error(issues.map(({ message }) => message).join('\n'));
  const graphs = await exampleGraphs();
  const namespaces = new Set([home, ...graphs.map(({ metadata }) => metadata.namespace ?? 'default')]);
  for (const name of namespaces) succeeded(await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  for (const object of objects) succeeded(await client.apply(object as unknown as KubernetesObject));

  say('starting the operator ...');
  const operator = new Processes('dynamo-cdk8s-playground-');
  onStop(() => operator.stop());
  const { account, flags } = managerOf(objects);
  const user = await cluster.serviceAccount(home, account);
  await operator.start({ name: 'operator', command: process.execPath, args: operatorArguments(flags, user) });

  for (const graph of graphs) {
    say(`waiting for graph ${graph.metadata.name} ...`);
    succeeded(await client.apply(graph));
    const failed = AbortSignal.any([operator.failed, plane.failed]);
    while (stringAt(succeeded(await client.get<JsonObject>(graph)), 'status', 'state') !== 'successful') {
      failed.throwIfAborted();
      await setTimeout(200);
    }
  }
  return {
    kubeconfig: plane.connection.kubeconfig,
    kubectl: programs.get('kubectl') ?? '',
    logs: [plane.connection.folder, operator.folder],
    failed: AbortSignal.any([operator.failed, plane.failed]),
  };
}

/** The graph that `npm run synth` writes. */
async function exampleGraphs(): Promise<readonly KubernetesObject[]> {
  const folder = at('../../dist');
  const found = await readdir(folder).catch(() => []);
  const files = found.filter((file) => file.endsWith('.yaml')).map((file) => join(folder, file));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const graphs = texts
    .filter((text) => text.includes('kind: DynamoGraphDeployment\n'))
    .flatMap((text) => readManifests(text, 'dist').documents.map(({ value }) => value))
    .filter((value) => isObject(value) && value['kind'] === 'DynamoGraphDeployment');
  if (graphs.length === 0) throw new Error('dist/ has no graph: run `npm run synth` first');
  return graphs as unknown as readonly KubernetesObject[];
}

/** The account and the flags of the operator's rendered Deployment. */
function managerOf(objects: readonly JsonObject[]): { readonly account: string; readonly flags: readonly string[] } {
  const pods = objects.filter(({ kind }) => kind === 'Deployment').map((object) => objectAt(object, 'spec', 'template', 'spec'));
  for (const pod of pods)
    for (const { name, args } of objectsAt(pod, 'containers'))
      if (name === 'manager') return { account: stringAt(pod, 'serviceAccountName'), flags: args as readonly string[] };
  throw new Error('the platform has no operator');
}

/** From source, with the rendered flags; its ports are free ones, since several playgrounds may run at once. */
function operatorArguments(flags: readonly string[], { kubeconfig }: ConnectedUser): readonly string[] {
  const own = ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0', `--kubeconfig=${kubeconfig}`];
  return ['--import', import.meta.resolve('tsx'), at('../../lib/cli/bin.ts'), 'operator', ...flags, ...own];
}

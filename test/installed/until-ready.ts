/** Waits until graphs are ready, and simulates the volume provisioner that this control plane lacks. */
import { setTimeout } from 'node:timers/promises';
import { objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { type Client, succeeded } from '../control-plane/client.ts';

/** Graphs may take long on a busy machine, but not without one becoming ready now and then. */
const patienceMs = 3 * 60_000;

/** How many graphs outside some namespaces there are, once all are ready; throws what the others say when nothing moves for three minutes. */
export async function untilGraphsReady(client: Client, except: readonly string[] = []): Promise<number> {
  for (let fewest = Infinity, since = Date.now(); ; await setTimeout(500)) {
    await provisionVolumes(client);
    const all = await items(client, 'nvidia.com/v1alpha1', 'DynamoGraphDeployment');
    const graphs = all.filter((graph) => !except.includes(stringAt(graph, 'metadata', 'namespace')));
    const waiting = graphs.filter((graph) => stringAt(graph, 'status', 'state') !== 'successful');
    if (waiting.length === 0) return graphs.length;
    if (waiting.length < fewest) [fewest, since] = [waiting.length, Date.now()];
    if (Date.now() - since > patienceMs)
      throw new Error(['not ready:', ...waiting.map(describe), ...(await pendingPods(client, waiting))].join('\n'));
  }
}

function describe(graph: JsonObject): string {
  const conditions = objectsAt(graph, 'status', 'conditions').map((condition) => stringAt(condition, 'message'));
  const where = `${stringAt(graph, 'metadata', 'namespace')}/${stringAt(graph, 'metadata', 'name')}`;
  return `${where}: ${stringAt(graph, 'status', 'state')}: ${conditions.join('; ')}`;
}

/** What is said of the pods of graphs that are not ready. */
async function pendingPods(client: Client, graphs: readonly JsonObject[]): Promise<readonly string[]> {
  const namespaces = new Set(graphs.map((graph) => stringAt(graph, 'metadata', 'namespace')));
  const pods = (await items(client, 'v1', 'Pod')).filter((pod) => namespaces.has(stringAt(pod, 'metadata', 'namespace')));
  return pods.flatMap((pod) =>
    objectsAt(pod, 'status', 'conditions')
      .filter((condition) => stringAt(condition, 'status') !== 'True')
      .map(
        (condition) =>
          `pod ${stringAt(pod, 'metadata', 'name')}: ${stringAt(condition, 'type')}: ${stringAt(condition, 'message')}`,
      ),
  );
}

/** Makes a volume for each claim that has none; the binder of the control plane joins the two. */
export async function provisionVolumes(client: Client): Promise<void> {
  for (const claim of await items(client, 'v1', 'PersistentVolumeClaim')) {
    if (stringAt(claim, 'status', 'phase') !== 'Pending') continue;
    const [namespace, name, uid] = ['namespace', 'name', 'uid'].map((key) => stringAt(claim, 'metadata', key));
    const { accessModes = [], resources = {}, storageClassName = '' } = objectAt(claim, 'spec');
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${uid}` },
      spec: {
        accessModes,
        capacity: objectAt(resources, 'requests'),
        storageClassName,
        hostPath: { path: '/nowhere' },
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      },
    };
    const answer = await client.create(volume);
    if (answer.status !== 409) succeeded(answer);
  }
}

/** All objects of a kind, or those of one namespace. */
export async function items(
  client: Client,
  apiVersion: string,
  kind: string,
  namespace?: string,
): Promise<readonly JsonObject[]> {
  const list = succeeded(await client.list<JsonObject>({ apiVersion, kind, ...(namespace !== undefined && { namespace }) }));
  return list.items;
}

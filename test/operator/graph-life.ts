/** The life cycle of a graph, step by step, and the resulting objects in a form that is the same in every run. */
import { setTimeout } from 'node:timers/promises';
import { findObject, isList, isObject, objectAt, objectsAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { type ApiResponse, type Client, succeeded } from '../control-plane/client.ts';

const dynamo = 'nvidia.com/v1alpha1';
const image = 'nvcr.io/x/vllm-runtime:0.9.0';

const worker = (role: string) => ({
  componentType: 'worker',
  subComponentType: role,
  replicas: 1,
  resources: { limits: { gpu: '1' } },
  extraPodSpec: { mainContainer: { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] } },
});

/** The graph of a namespace. */
export const graphIn = (namespace: string) => ({
  apiVersion: dynamo,
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'g', namespace },
  spec: {
    services: {
      Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image } } },
      decode: { ...worker('decode'), scalingAdapter: { enabled: true } },
      prefill: worker('prefill'),
    },
  },
});

/** One step of a life: what its user does, and when it has been done. */
export interface Step {
  readonly name: string;
  readonly act: (client: Client, namespace: string) => Promise<ApiResponse>;
  readonly isDone: (graph: JsonObject) => boolean;
}

const isReady = (graph: JsonObject): boolean => stringAt(graph, 'status', 'state') === 'successful';

/** Create, edit and restart, take a service away. */
export const steps: readonly Step[] = [
  {
    name: 'create',
    act: (client, namespace) => client.create(graphIn(namespace)),
    isDone: isReady,
  },
  {
    name: 'edit and restart',
    act: (client, namespace) =>
      client.merge(graphIn(namespace), {
        spec: { restart: { id: 'r1' }, services: { Frontend: { replicas: 2, envs: [{ name: 'A', value: 'b' }] } } },
      }),
    isDone: (graph) =>
      isReady(graph) &&
      stringAt(graph, 'status', 'restart', 'phase') === 'Completed' &&
      objectAt(graph, 'status', 'services', 'Frontend')['updatedReplicas'] === 2,
  },
  {
    name: 'take a service away',
    act: (client, namespace) => client.merge(graphIn(namespace), { spec: { services: { prefill: null } } }),
    isDone: (graph) => isReady(graph) && findObject(graph, 'status', 'services', 'prefill') === undefined,
  },
];

/** Does a step and waits until the operator has done its part. */
export async function take(step: Step, client: Client, namespace: string): Promise<void> {
  await until(async () => {
    const answer = await step.act(client, namespace);
    // The API server may have gone away between an earlier try and its answer.
    return answer.body.reason === 'AlreadyExists' || succeeded(answer) !== undefined;
  }, `${step.name}: accepted`);
  await until(async () => step.isDone(succeeded<JsonObject>(await client.get<JsonObject>(graphIn(namespace)))), step.name);
}

/** Far above what anything takes, on a busy machine too: only what never happens ends by it. */
const patienceMs = 600_000;

/** Resolves when something holds, looked at again and again. */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let cause: unknown;
  // The API server may be away for a moment, as when a test restarts it.
  const look = (): Promise<boolean> =>
    holds().catch((error: unknown) => {
      cause = error;
      return false;
    });
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`not done after ${patienceMs / 1000} s: ${what}`, { cause });
    await setTimeout(50);
  }
}

/** A kind by its apiVersion and name. */
export type ChildKind = readonly [apiVersion: string, kind: string];

const kept: readonly ChildKind[] = [
  [dynamo, 'DynamoGraphDeployment'],
  [dynamo, 'DynamoComponentDeployment'],
  [dynamo, 'DynamoGraphDeploymentScalingAdapter'],
  ['apps/v1', 'Deployment'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['rbac.authorization.k8s.io/v1', 'Role'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
  ['networking.k8s.io/v1', 'Ingress'],
];

/** A child of a resource of ours. */
export interface Child {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly uid: string;
}

/** The children of a namespace, of some kinds. */
export async function childrenIn(client: Client, namespace: string, kinds = kept): Promise<readonly Child[]> {
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) => {
      const { items } = succeeded(await client.list<JsonObject>({ apiVersion, kind, namespace }));
      return items
        .filter((item) => objectsAt(item, 'metadata', 'ownerReferences').some((owner) => owner['apiVersion'] === dynamo))
        .map(({ metadata }) => ({ namespace, name: stringAt(metadata, 'name'), uid: stringAt(metadata, 'uid') }))
        .map(({ uid, ...metadata }) => ({ apiVersion, kind, metadata, uid }));
    }),
  );
  return lists.flat();
}

/** Everything of a namespace that a graph's life leaves there: specs, statuses, hashes, finalizers, owners, generations. */
export async function leftIn(client: Client, namespace: string, kinds = kept): Promise<Readonly<Record<string, Json>>> {
  const found: Record<string, Json> = {};
  for (const [apiVersion, kind] of kinds) {
    const { items } = succeeded(await client.list<JsonObject>({ apiVersion, kind, namespace }));
    for (const item of items) found[`${kind}/${stringAt(item, 'metadata', 'name')}`] = normalized(item, namespace);
  }
  return found;
}

/** An object without what is different each time: ids, versions, moments, the namespace's name and hashes over it. */
function normalized(object: JsonObject, namespace: string): Json {
  const { name, labels, annotations, finalizers, generation, deletionTimestamp } = objectAt(object, 'metadata');
  const owners = objectsAt(object, 'metadata', 'ownerReferences').map(({ uid: _uid, ...owner }) => owner);
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = objectAt(object, 'spec');
  const content: unknown = {
    metadata: { name, labels, annotations, finalizers, generation, deletionTimestamp, owners },
    spec,
    status: object['status'],
    rules: object['rules'],
    subjects: object['subjects'],
    roleRef: object['roleRef'],
    data: object['data'],
  };
  return masked(JSON.parse(JSON.stringify(content)), namespace);
}

function masked(value: Json | undefined, namespace: string): Json {
  if (value === undefined) return null;
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      ? '<time>'
      : /^[0-9a-f]{64}$/.test(value)
        ? '<hash>'
        : value.replaceAll(namespace, '<namespace>');
  if (isList(value)) return value.map((item) => masked(item, namespace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, namespace)]));
}

/**
 * The events on objects of a namespace that the operator told, each as often as it was told; one about several objects counts for each, a
 * warning stands with its message.
 */
export async function toldIn(client: Client, namespace: string): Promise<readonly string[]> {
  const { items } = succeeded(await client.list<JsonObject>({ apiVersion: 'v1', kind: 'Event', namespace }));
  return items
    .filter((event) => stringAt(event, 'involvedObject', 'apiVersion') === dynamo)
    .flatMap((event) => {
      const subject = `${stringAt(event, 'involvedObject', 'kind')}/${stringAt(event, 'involvedObject', 'name')}`;
      const message = stringAt(event, 'message');
      const [first = '', ...others] = message.split(', ');
      const objects = stringAt(event, 'type') === 'Warning' ? [message] : [first.split(' ').at(-1) ?? '', ...others];
      const each = objects.map((object) => `${stringAt(event, 'type')} ${subject}: ${stringAt(event, 'reason')} ${object}`);
      return Array.from({ length: Number(event['count']) }, () => each).flat();
    })
    .sort();
}

/** How often events told that each of some objects was created, updated or deleted. */
export async function timesTold(
  client: Client,
  verb: 'Create' | 'Update' | 'Delete',
  objects: readonly Omit<Child, 'uid'>[],
): Promise<readonly number[]> {
  const told = await toldIn(client, objects[0]?.metadata.namespace ?? '');
  return objects.map(({ kind, metadata }) => told.filter((event) => event.endsWith(`: ${verb}${kind} ${metadata.name}`)).length);
}

/** Plays the controller of Deployments: whatever is asked for is ready at once. */
export async function playDeployments(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The API server may be away for a moment, as when a test restarts it.
    await readyAll(client).catch(() => undefined);
    await setTimeout(50);
  }
}

async function readyAll(client: Client): Promise<void> {
  const { items } = succeeded(await client.list<JsonObject>({ apiVersion: 'apps/v1', kind: 'Deployment' }));
  for (const item of items) {
    const { generation } = objectAt(item, 'metadata');
    const [name, namespace] = [stringAt(item, 'metadata', 'name'), stringAt(item, 'metadata', 'namespace')];
    if (objectAt(item, 'status')['observedGeneration'] === generation) continue;
    const replicas = objectAt(item, 'spec')['replicas'] ?? 1;
    const conditions = ['Available', 'Progressing'].map((type) => ({ type, status: 'True' }));
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace } };
    await client.merge(key, { status: { observedGeneration: generation ?? 0, ...counts, conditions } }, 'status');
  }
}

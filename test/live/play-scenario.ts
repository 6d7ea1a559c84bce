/** Runs a scenario against a live operator: sends the requests of each step, waits until nothing more is written, and records the objects. */
import { setTimeout } from 'node:timers/promises';
import { isObject, objectAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { AuditEvent } from '../control-plane/audit-log.ts';
import type { Cluster } from '../control-plane/connect.ts';

/** One thing to do: a request with its path and body, a pause, or the operator's end and start. */
export type Action = readonly [method: string, target?: string | number, body?: JsonObject];

/** A scenario as its file has it. */
export interface Scenario {
  readonly name: string;
  readonly modes?: readonly string[];
  readonly steps: readonly { readonly step: string; readonly do: readonly Action[]; readonly modes?: readonly string[] }[];
}

/** How a resource was seen at one moment. */
export interface Seen {
  readonly object: string;
  readonly generation?: number;
  readonly status: Json;
}

/** Where things stand. */
export interface Standing {
  readonly statuses: Readonly<Record<string, { readonly generation: number; readonly status: Json }>>;
  readonly objects: Readonly<Record<string, JsonObject>>;
}

/** What was done in a step, and where it ended. */
export interface PlayedStep {
  readonly step: string;
  readonly writes: readonly string[];
  readonly events: number;
  readonly statuses: readonly Seen[];
  readonly end: Standing;
}

/** Starts and stops the operator under test. */
export interface OperatorSwitch {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const namespace = 'demo';
const ours = `/apis/nvidia.com/v1alpha1/namespaces/${namespace}`;
const resources = [
  'dynamographdeployments',
  'dynamocomponentdeployments',
  'dynamographdeploymentscalingadapters',
  'dynamographdeploymentrequests',
  'dynamomodels',
];
const core = `/api/v1/namespaces/${namespace}`;
const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
const lists = [
  ...resources.slice(0, 3).map((plural) => `${ours}/${plural}`),
  `/apis/apps/v1/namespaces/${namespace}/deployments`,
  ...['services', 'serviceaccounts', 'persistentvolumeclaims', 'secrets', 'configmaps'].map((plural) => `${core}/${plural}`),
  ...['roles', 'rolebindings'].map((plural) => `${rbac}/${plural}`),
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`,
  `/apis/batch/v1/namespaces/${namespace}/jobs`,
  `/apis/grove.io/v1alpha1/namespaces/${namespace}/podcliquesets`,
];
const alwaysThere = new Set(['serviceaccounts/default', 'configmaps/kube-root-ca.crt']);
const times = new Set(['lastTransitionTime', 'lastScaleTime', 'lastUpdateTime', 'creationTimestamp', 'startTime']);
const contentTypes: Readonly<Record<string, string>> = {
  MERGE: 'application/merge-patch+json',
  JSON: 'application/json-patch+json',
};

/** How a scenario is played. */
export interface Play {
  readonly mode: string;
  /** Milliseconds without a write after which a step may be over. */
  readonly quietMs: number;
  /** Whether a step ended where it should; one that did not has a few minutes more, as on a machine with much else to do. */
  readonly isRight: (step: PlayedStep) => boolean;
}

const patienceMs = 180_000;

/** Plays the steps of a scenario that are for a mode. */
export async function playScenario(
  scenario: Scenario,
  { mode, quietMs, isRight }: Play,
  cluster: Cluster,
  operator: OperatorSwitch,
): Promise<readonly PlayedStep[]> {
  const played: PlayedStep[] = [];
  for (const { step, do: actions, modes } of scenario.steps) {
    if (modes !== undefined && !modes.includes(mode)) continue;
    const since = await cluster.audit.now();
    const before = await storedStatuses(cluster);
    for (const action of actions) await act(action, cluster, operator);
    const look = async (): Promise<PlayedStep> => {
      const made = await untilQuiet(cluster, since, quietMs);
      await untilCollected(cluster);
      return {
        step,
        writes: made.filter((write) => !isEvent(write)).map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}`),
        events: made.filter(isEvent).length,
        statuses: [...before, ...made.flatMap(writtenStatus)],
        end: await standing(cluster),
      };
    };
    const deadline = Date.now() + patienceMs;
    let found = await look();
    while (!isRight(found) && Date.now() < deadline) found = await look();
    played.push(found);
  }
  return played;
}

function isEvent({ objectRef }: AuditEvent): boolean {
  return objectRef?.resource === 'events';
}

/** Does one thing to the cluster. */
export async function act([method, target = '', body]: Action, { client }: Cluster, operator: OperatorSwitch): Promise<void> {
  if (method === 'SLEEP') await setTimeout(Number(target));
  else if (method === 'STOP') await operator.stop();
  else if (method === 'START') await operator.start();
  else {
    const path = String(target);
    const contentType = contentTypes[method];
    await client.request(
      contentType === undefined ? (method as 'POST') : 'PATCH',
      path.startsWith('/') ? path : `${ours}/${path}`,
      {
        ...(body !== undefined && { body }),
        ...(contentType !== undefined && { contentType }),
      },
    );
  }
}

/** The operator's writes in the namespace, once neither it nor a status has moved for a while. */
async function untilQuiet(cluster: Cluster, since: number, quietMs: number): Promise<readonly AuditEvent[]> {
  const { username } = cluster.user('operator');
  const start = Date.now();
  for (let last = -1, quietSince = start; ; await setTimeout(200)) {
    const writes = (await cluster.audit.writes({ username, since })).filter(({ objectRef }) => objectRef?.resource !== 'leases');
    if (writes.length !== last) [last, quietSince] = [writes.length, Date.now()];
    else if (Date.now() - quietSince > quietMs) return writes.filter(({ objectRef }) => objectRef?.namespace === namespace);
  }
}

/** Waits for the garbage collector, which learns of a new kind up to half a minute late: nothing is left whose owner is gone. */
async function untilCollected(cluster: Cluster): Promise<void> {
  for (;;) {
    const found = (
      await Promise.all([...resources.map((plural) => `${ours}/${plural}`), ...lists].map((path) => items(cluster, path)))
    ).flat();
    const uids = new Set(found.map(({ metadata }) => metadata.uid));
    const orphans = found.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ apiVersion, uid }) => apiVersion.startsWith('nvidia.com/') && !uids.has(uid)),
    );
    if (orphans.length === 0) return;
    await setTimeout(500);
  }
}

/** The statuses of all resources at this moment. */
async function storedStatuses(cluster: Cluster): Promise<readonly Seen[]> {
  const found: Seen[] = [];
  for (const plural of resources)
    for (const { metadata, status } of await items(cluster, `${ours}/${plural}`))
      found.push({ object: `${plural}/${metadata.name}`, generation: metadata.generation, status: scrub(status) });
  return found;
}

/** The status that a request stored, by the audit log: a look at the resource now and then would miss those that last only a moment. */
function writtenStatus({ objectRef, requestObject, responseStatus }: AuditEvent): readonly Seen[] {
  const { resource = '', name = '', subresource } = objectRef ?? {};
  if (subresource !== 'status' || (responseStatus?.code ?? 500) >= 300) return [];
  return [{ object: `${resource}/${name}`, status: scrub(objectAt(requestObject as JsonObject)['status']) }];
}

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly ownerReferences?: readonly { readonly apiVersion: string; readonly uid: string }[];
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: { readonly replicas?: number };
  readonly status?: Json;
}

async function items({ client }: Cluster, path: string): Promise<readonly Item[]> {
  const { body } = await client.request<{ readonly items?: readonly Item[] }>('GET', path);
  return body.items ?? [];
}

function scrub(status: Json | undefined): Json {
  const text = JSON.stringify(status ?? null);
  const value: Json = JSON.parse(text, (key, member: unknown) => (times.has(key) ? '(time)' : member));
  return value;
}

async function standing(cluster: Cluster): Promise<Standing> {
  const statuses: Record<string, Standing['statuses'][string]> = {};
  for (const plural of resources)
    for (const { metadata, status } of await items(cluster, `${ours}/${plural}`))
      statuses[`${plural}/${metadata.name}`] = { generation: metadata.generation, status: scrub(status) };
  const objects: Record<string, JsonObject> = {};
  for (const list of lists)
    for (const { metadata, spec } of await items(cluster, list)) {
      const key = `${list.split('/').at(-1)}/${metadata.name}`;
      if (alwaysThere.has(key)) continue;
      objects[key] = {
        hash: metadata.annotations?.['nvidia.com/last-applied-hash'] ?? null,
        ...(isObject(spec) && spec.replicas !== undefined && { replicas: spec.replicas }),
        ...(metadata.deletionTimestamp !== undefined && { deleting: true }),
        ...(metadata.finalizers !== undefined && { finalizers: metadata.finalizers }),
      };
    }
  return { statuses, objects };
}

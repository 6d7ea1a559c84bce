import { readFileSync } from 'node:fs';
import { isEqual, isObject, objectAt, stringAt, valueAt, findNumber, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import type { WantedDifference } from '../live/compare-steps.ts';
import { readyStatus, settle, setStatus } from './cluster.ts';
import { config } from './shell.ts';
import { generationOf, keyOf, Store } from './store.ts';

const folder = `${import.meta.dirname}/../live`;

/** A recorded step: what the original left. */
interface Recorded {
  readonly step: string;
  readonly writes: readonly string[];
  readonly statuses: readonly { readonly object: string; readonly status: Json }[];
  readonly end: {
    readonly statuses: Readonly<Record<string, { readonly generation: number; readonly status: Json }>>;
    readonly objects: Readonly<Record<string, JsonObject>>;
  };
}

/** The wanted differences of a scenario in a mode. */
export function listedDifferences(scenario: string, mode: string): readonly WantedDifference[] {
  const all = JSON.parse(readFileSync(`${folder}/differences.json`, 'utf8')) as readonly WantedDifference[];
  return all.filter((entry) => entry.scenario === scenario && (entry.mode === undefined || entry.mode === mode));
}

/** Whether a difference is the one listed. */
export function isListed(difference: string, { step, what }: WantedDifference): boolean {
  return step === '*'
    ? difference.slice(difference.indexOf(': ') + 2).startsWith(what)
    : difference.startsWith(`${step}: ${what}`);
}

const scenarioConfig = {
  ...config,
  natsAddress: 'nats://n:4222',
  etcdAddress: 'e:2379',
  plannerClusterRole: 'dynamo-platform-dynamo-operator-planner',
  eppClusterRole: 'dynamo-platform-dynamo-operator-epp',
};

const plurals: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string }>> = {
  dynamographdeployments: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment' },
  dynamocomponentdeployments: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoComponentDeployment' },
  dynamographdeploymentscalingadapters: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeploymentScalingAdapter' },
  deployments: { apiVersion: 'apps/v1', kind: 'Deployment' },
  services: { apiVersion: 'v1', kind: 'Service' },
  serviceaccounts: { apiVersion: 'v1', kind: 'ServiceAccount' },
  roles: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
  rolebindings: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
  secrets: { apiVersion: 'v1', kind: 'Secret' },
};

/** Plays a scenario in component mode on the store and tells where it ends otherwise than the recording of the original. */
export function playScenario(name: string): {
  readonly differences: readonly string[];
  readonly writes: number;
  readonly recordedWrites: number;
} {
  const scenario = JSON.parse(readFileSync(`${folder}/scenarios/${name}.json`, 'utf8')) as {
    readonly steps: readonly { readonly step: string; readonly do: readonly Action[]; readonly modes?: readonly string[] }[];
  };
  const { steps } = JSON.parse(readFileSync(`${folder}/recorded/${name}.component.json`, 'utf8')) as {
    readonly steps: readonly Recorded[];
  };
  const store = scenarioStore();
  const differences: string[] = [];
  let writes = 0;
  for (const { step, do: actions, modes } of scenario.steps) {
    if (modes && !modes.includes('component')) continue;
    for (const action of actions) act(store, action);
    const { passes } = settle(store, { config: scenarioConfig }, runScheduledWorkloads);
    const made = passes.flatMap((one) => one.writes);
    writes += made.length;
    const recorded = steps.find((other) => other.step === step);
    if (recorded === undefined) throw new Error(`${step} is not recorded`);
    const restarts = made.flatMap((write) => (write.verb === 'status' ? [restartOf(write.object)] : []));
    differences.push(...compare(store, recorded, restarts).map((text) => `${step}: ${text}`));
  }
  return { differences, writes, recordedWrites: steps.reduce((sum, one) => sum + one.writes.length, 0) };
}

type Action = readonly [string, string, JsonObject?];

function scenarioStore(): Store {
  const store = new Store();
  for (const role of ['planner', 'epp'])
    store.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `dynamo-platform-dynamo-operator-${role}` },
    });
  const metadata = { name: 'mpi-run-ssh-secret', namespace: 'dynamo-system' };
  store.create({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: { 'private.key': 'eA==' } });
  return store;
}

function act(store: Store, [method, path, body = {}]: Action): void {
  if (method === 'POST') return void store.create(body);
  const [plural = '', name = '', subresource] = path.replace(/^.*\/namespaces\/demo\//, '').split('/');
  const key: ObjectKey = { ...(plurals[plural] ?? { apiVersion: '', kind: plural }), namespace: 'demo', name };
  if (method === 'DELETE') {
    store.delete(key);
    store.collect();
  } else if (method === 'MERGE' && (subresource === undefined || subresource === 'scale'))
    store.update(key, (object) => objectAt({ merged: merge(object, body) }, 'merged'));
  else throw new Error(`cannot play ${method} ${path}`);
}

/** A JSON merge patch (RFC 7396). */
function merge(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = {};
  if (isObject(target)) for (const [key, value] of Object.entries(target)) if (value !== undefined) result[key] = value;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merge(result[key], value);
  }
  return result;
}

/** Deployments reach their spec, but for pods that no node of eight GPUs can take: then one new pod waits beside the old ones. */
function runScheduledWorkloads(store: Store): boolean {
  let moved = false;
  for (const object of store.all()) {
    if (keyOf(object).kind !== 'Deployment') continue;
    const gpus = Number(stringAt(object, 'spec', 'template', 'spec', 'containers', 0, 'resources', 'limits', 'nvidia.com/gpu'));
    const replicas = findNumber(object, 'spec', 'replicas') ?? 1;
    const ready = readyStatus(object);
    const stuck = { ...ready, replicas: replicas + 1, updatedReplicas: 1, observedGeneration: generationOf(object) };
    moved = setStatus(store, object, gpus > 8 ? stuck : ready) || moved;
  }
  return moved;
}

function restartOf(object: JsonObject): readonly [string, string] {
  const restart = valueAt(object, 'status', 'restart');
  const { kind, name } = keyOf(object);
  const text = isObject(restart) ? JSON.stringify([restart['observedID'], restart['phase'], restart['inProgress'] ?? []]) : '';
  return [`${kind}/${name}`, text];
}

const times = new Set(['lastTransitionTime', 'lastScaleTime']);

function scrub(status: Json, generation: number): Json {
  const scrubbed = JSON.parse(JSON.stringify(status), (key, value: Json) => {
    if (times.has(key)) return '(time)';
    return key === 'observedGeneration' ? (value === generation ? '(current)' : '(behind)') : value;
  }) as Json;
  return isObject(scrubbed) && Array.isArray(scrubbed['conditions'])
    ? { ...scrubbed, conditions: Object.fromEntries(scrubbed['conditions'].map((c: JsonObject) => [stringAt(c, 'type'), c])) }
    : scrubbed;
}

function compare(store: Store, { end, statuses }: Recorded, restarts: readonly (readonly [string, string])[]): readonly string[] {
  const found: string[] = [];
  const live = new Map<string, JsonObject>();
  for (const [plural, { kind }] of Object.entries(plurals))
    for (const object of store.all())
      if (keyOf(object).kind === kind && keyOf(object).namespace === 'demo') live.set(`${plural}/${keyOf(object).name}`, object);
  for (const key of new Set([...Object.keys(end.objects), ...live.keys()])) {
    const object = live.get(key);
    const want = end.objects[key];
    const got = object && standing(object);
    if (!isEqual(want, got)) found.push(`${key}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
    const recorded = end.statuses[key];
    const status = recorded && scrub(recorded.status, recorded.generation);
    if (recorded !== undefined && object !== undefined && !isEqual(status, scrub(object['status'] ?? null, generationOf(object))))
      found.push(`status of ${key}: want ${JSON.stringify(recorded.status)}, got ${JSON.stringify(object['status'])}`);
  }
  for (const graph of new Set(
    statuses.map(({ object }) => object).filter((object) => object.startsWith('dynamographdeployments/')),
  )) {
    const want = distinct(
      statuses
        .filter(({ object }) => object === graph)
        .map(({ status }) => restartOf({ kind: 'DynamoGraphDeployment', metadata: { name: graph }, status })[1]),
    );
    const name = graph.split('/')[1];
    const got = distinct(restarts.filter(([object]) => object === `DynamoGraphDeployment/${name}`).map(([, text]) => text));
    const seen = want.filter((text, index) => index > 0 || got[0] === text);
    if (!isEqual(seen, got)) found.push(`restart of ${graph}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
  }
  return found;
}

function distinct(texts: readonly string[]): readonly string[] {
  const told = texts.filter((text) => text !== '');
  return told.filter((text, index) => text !== told[index - 1]);
}

function standing(object: JsonObject): JsonObject {
  const replicas = valueAt(object, 'spec', 'replicas');
  const finalizers = valueAt(object, 'metadata', 'finalizers');
  return {
    hash: valueAt(object, 'metadata', 'annotations', 'nvidia.com/last-applied-hash') ?? null,
    ...(replicas !== undefined && { replicas }),
    ...(finalizers !== undefined && { finalizers }),
  };
}

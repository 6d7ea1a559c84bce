import { findNumber, listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import { resourceKey, setStatus } from './cluster.ts';
import { groveGroups } from './grove.ts';
import { generationOf, keyOf, type Store } from './store.ts';

/** How far one service has come with what its graph last asked of it. */
export interface Progress {
  /** The restart token its pods are to carry; empty where they carry none. */
  readonly token: string;
  /** Whether it has observed the last change that was asked of it. */
  readonly seen: boolean;
  /** Whether it has observed that change and is available. */
  readonly done: boolean;
}

/** The children of a restarting graph `g`: which states its services may have next, one of which the test chooses. */
export interface Children {
  readonly apiGroups: readonly string[];
  /** Lets the objects between the graph and its services act, such as components; returns whether anything changed. */
  readonly relay: (store: Store) => boolean;
  /** Lets a service observe the last change, after which it is not available; returns whether it had not observed it before. */
  readonly observe: (store: Store, service: string) => boolean;
  /** Makes an up-to-date service available or unavailable; returns whether that changed. */
  readonly turn: (store: Store, service: string, available: boolean) => boolean;
  /** The progress of a service; undefined if it does not exist yet. */
  readonly progress: (store: Store, service: string) => Progress | undefined;
  /** Everything else about the services that determines which steps are possible. */
  readonly detail: (store: Store, services: readonly string[]) => string;
}

const componentKey = (service: string): ObjectKey => resourceKey('ComponentDeployment', `g-${service.toLowerCase()}`);

function isAvailable(component: JsonObject): boolean {
  return stringAt(listAt(component, 'status', 'conditions')[0], 'status') === 'True';
}

function setAvailable(store: Store, component: JsonObject, available: boolean): boolean {
  const conditions = [{ type: 'Available', status: available ? 'True' : 'False' }];
  return setStatus(store, component, { conditions, observedGeneration: generationOf(component) });
}

const components: Children = {
  apiGroups: [],
  // Components that go are let go by their own passes, which these tests do without.
  relay: (store) => {
    const going = store.all().filter((one) => stringAt(one, 'metadata', 'deletionTimestamp') !== '');
    for (const one of going)
      store.update(keyOf(one), (live) => ({ ...live, metadata: { ...objectAt(live, 'metadata'), finalizers: [] } }));
    return going.length > 0;
  },
  observe: (store, service) => {
    const live = store.get(componentKey(service));
    if (live === undefined || findNumber(live, 'status', 'observedGeneration') === generationOf(live)) return false;
    return setAvailable(store, live, false);
  },
  turn: (store, service, available) => {
    const live = store.get(componentKey(service));
    if (live === undefined || findNumber(live, 'status', 'observedGeneration') !== generationOf(live)) return false;
    return setAvailable(store, live, available);
  },
  progress: (store, service) => {
    const live = store.get(componentKey(service));
    if (live === undefined) return undefined;
    const seen = findNumber(live, 'status', 'observedGeneration') === generationOf(live);
    return { token: stringAt(live, 'spec', 'annotations', 'nvidia.com/restartAt'), seen, done: seen && isAvailable(live) };
  },
  detail: (store, services) =>
    services.map((service) => listAt(store.get(componentKey(service)), 'spec', 'envs').length).join(''),
};

const grove = 'grove.io/v1alpha1';
const setKey: ObjectKey = { apiVersion: grove, kind: 'PodCliqueSet', namespace: 'demo', name: 'g' };

function cliquesOf(set: JsonObject | undefined, service: string): readonly JsonObject[] {
  return listAt(set, 'spec', 'template', 'cliques').filter(
    (clique): clique is JsonObject => stringAt(clique, 'labels', 'nvidia.com/dynamo-component') === service,
  );
}

/** What a change of makes pods roll: all of a template that a restart or an edit of these tests touches. */
function templateOf(cliques: readonly JsonObject[]): string {
  return cliques
    .map((clique) => {
      const envs = listAt(listAt(clique, 'spec', 'podSpec', 'containers')[0], 'env');
      const own = envs.filter((env) => stringAt(env, 'name') === 'A').map((env) => stringAt(env, 'value'));
      return `${stringAt(clique, 'annotations', 'nvidia.com/restartAt')}/${own.join('')}`;
    })
    .join(' ');
}

function hashOf(set: JsonObject): string {
  const names = listAt(set, 'spec', 'template', 'cliques').map((clique) => stringAt(clique, 'name'));
  return `${names.join(' ')}: ${templateOf(listAt(set, 'spec', 'template', 'cliques') as readonly JsonObject[])}`;
}

/** The live clique of a service, or the group of its cliques where it spans nodes. */
function liveOf(store: Store, service: string): JsonObject | undefined {
  const name = `g-0-${service.toLowerCase()}`;
  const place = { apiVersion: grove, namespace: 'demo', name };
  return store.get({ ...place, kind: 'PodClique' }) ?? store.get({ ...place, kind: 'PodCliqueScalingGroup' });
}

function isUpToDate(live: JsonObject, set: JsonObject | undefined): boolean {
  return (
    findNumber(live, 'status', 'observedGeneration') === generationOf(live) &&
    valueAt(live, 'status', 'currentPodCliqueSetGenerationHash') === valueAt(set, 'status', 'currentGenerationHash')
  );
}

function countsOf(live: JsonObject, available: boolean): JsonObject {
  const replicas = findNumber(live, 'spec', 'replicas') ?? 0;
  const working = available ? replicas : 0;
  return { replicas, updatedReplicas: working, readyReplicas: working, availableReplicas: working };
}

function isWorking(live: JsonObject): boolean {
  const replicas = findNumber(live, 'spec', 'replicas');
  return findNumber(live, 'status', 'updatedReplicas') === replicas;
}

/** Grove makes cliques and groups once, and takes away those that are gone from the set. */
function makeCliques(store: Store, set: JsonObject): void {
  const { uid } = objectAt(set, 'metadata');
  const ownerReferences = [{ apiVersion: grove, kind: 'PodCliqueSet', name: 'g', uid: uid ?? '', controller: true }];
  const groups = listAt(set, 'spec', 'template', 'podCliqueScalingGroups');
  const grouped = new Set(groups.flatMap((group) => listAt(group, 'cliqueNames')));
  const singles = listAt(set, 'spec', 'template', 'cliques').filter((clique) => !grouped.has(stringAt(clique, 'name')));
  const wanted = [
    ...singles.map((clique) => ({ kind: 'PodClique', of: clique, replicas: findNumber(clique, 'spec', 'replicas') })),
    ...groups.map((group) => ({ kind: 'PodCliqueScalingGroup', of: group, replicas: findNumber(group, 'replicas') })),
  ].map(({ kind, of, replicas }) => ({ kind, name: `g-0-${stringAt(of, 'name')}`, spec: { replicas: replicas ?? 1 } }));
  for (const { kind, name, spec } of wanted)
    if (store.get({ apiVersion: grove, kind, namespace: 'demo', name }) === undefined)
      store.create({ apiVersion: grove, kind, metadata: { name, namespace: 'demo', ownerReferences }, spec });
  for (const object of store.all()) {
    const { kind, name } = keyOf(object);
    if (!['PodClique', 'PodCliqueScalingGroup'].includes(kind)) continue;
    if (!wanted.some((one) => one.kind === kind && one.name === name)) store.delete(keyOf(object));
  }
}

const cliques: Children = {
  apiGroups: groveGroups,
  relay: (store) => {
    const set = store.get(setKey);
    if (set === undefined) return false;
    makeCliques(store, set);
    return setStatus(store, set, { observedGeneration: generationOf(set), currentGenerationHash: hashOf(set) });
  },
  observe: (store, service) => {
    const [set, live] = [store.get(setKey), liveOf(store, service)];
    if (set === undefined || live === undefined || isUpToDate(live, set)) return false;
    const runs = templateOf(cliquesOf(set, service));
    const rolls = stringAt(live, 'metadata', 'annotations', 'runs') !== runs;
    const isScaled = findNumber(live, 'status', 'observedGeneration') !== generationOf(live);
    const metadata = objectAt(live, 'metadata');
    const marked = store.update(keyOf(live), (one) => ({ ...one, metadata: { ...metadata, annotations: { runs } } }));
    return setStatus(store, marked, {
      observedGeneration: generationOf(marked),
      currentPodCliqueSetGenerationHash: stringAt(set, 'status', 'currentGenerationHash'),
      ...countsOf(live, !rolls && !isScaled && isWorking(live)),
    });
  },
  turn: (store, service, available) => {
    const [set, live] = [store.get(setKey), liveOf(store, service)];
    if (set === undefined || live === undefined || !isUpToDate(live, set)) return false;
    return setStatus(store, live, { ...objectAt(live, 'status'), ...countsOf(live, available) });
  },
  progress: (store, service) => {
    const [set, live] = [store.get(setKey), liveOf(store, service)];
    const asked = cliquesOf(set, service);
    if (set === undefined || asked.length === 0) return undefined;
    const relayed = findNumber(set, 'status', 'observedGeneration') === generationOf(set);
    const seen = relayed && live !== undefined && isUpToDate(live, set);
    return { token: stringAt(asked[0], 'annotations', 'nvidia.com/restartAt'), seen, done: seen && isWorking(live) };
  },
  detail: (store, services) => {
    const set = store.get(setKey);
    const lives = services.map((service) => {
      const live = liveOf(store, service) ?? {};
      const hash = stringAt(live, 'status', 'currentPodCliqueSetGenerationHash');
      return [stringAt(live, 'metadata', 'annotations', 'runs'), hash, isUpToDate(live, set), isWorking(live)];
    });
    const relayed = findNumber(set, 'status', 'observedGeneration') === generationOf(set ?? {});
    return JSON.stringify([hashOf(set ?? {}), relayed, stringAt(set, 'status', 'currentGenerationHash'), lives]);
  },
};

/** The children of a graph by orchestrator. */
export const childrenOf = { component: components, grove: cliques } as const;

/** How a graph is run. */
export type Mode = keyof typeof childrenOf;

/**
 * What each change in the cluster queues, before anybody works on it: the tables of sources of the graph, component and adapter controllers,
 * with what they leave out (children other than workloads, scaling groups, annotations, pull secrets). A graph of another name in the same
 * namespace, and one of the same name in another namespace, are there all the time and must not be queued.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectAt, type Json, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKind } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { runGrove } from '../../reconcile/grove.ts';
import { request } from '../../reconcile/request/snapshots.ts';
import { keyOf, versionOf, type Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--epp-cluster-role-name=epp',
  '--dgdr-profiling-cluster-role-name=epp',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
  '--istio-virtual-service-gateway=istio-system/gateway',
];
const groups = [
  'grove.io',
  'leaderworkerset.x-k8s.io',
  'scheduling.volcano.sh',
  'networking.istio.io',
  'inference.networking.k8s.io',
];
const ingress = {
  enabled: true,
  host: 'x',
  ingressControllerClassName: 'nginx',
  useVirtualService: true,
  virtualServiceGateway: 'istio-system/gateway',
};
const container = {
  mainContainer: { image: 'nvcr.io/x/vllm-runtime:0.9.0', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] },
};
const worker = { componentType: 'worker', replicas: 1, resources: { limits: { gpu: '1' } }, extraPodSpec: container };
const services = {
  Frontend: { componentType: 'frontend', replicas: 1, ingress, extraPodSpec: container },
  Epp: { componentType: 'epp', replicas: 1, eppConfig: { config: { plugins: [{ type: 'a' }] } }, extraPodSpec: container },
  decode: { ...worker, scalingAdapter: { enabled: true }, modelRef: { name: 'm' } },
  prefill: { ...worker, scalingAdapter: { enabled: true } },
  wide: { ...worker, multinode: { nodeCount: 2 } },
};
const pvcs = [{ name: 'cache', create: true, size: '1Gi', storageClass: 's', volumeAccessMode: 'ReadWriteMany' }];
const offGrove = { annotations: { 'nvidia.com/enable-grove': 'false' } };

/** The label by which slices of the base models `m` and `n` are found. */
const hashes = { m: '62c66a7a', n: '1b16b1df' };

/** Graph `g` of components, `v` on Grove, a request, two models, and two graphs that nothing here is about. */
function cluster(): Store {
  const store = platformStore();
  const { spec = {} } = request();
  store.create({ ...kinds.request, metadata: { name: 'ask', namespace: 'demo' }, spec });
  for (const name of ['m', 'n'])
    store.create({ ...kinds.model, metadata: { name, namespace: 'demo' }, spec: { modelName: name, baseModelName: name } });
  store.create(graphOf('g', { services, pvcs }, offGrove));
  store.create(graphOf('v', { services }));
  store.create(graphOf('other', {}, offGrove));
  store.create(graphOf('g', {}, { ...offGrove, namespace: 'elsewhere' }));
  return store;
}

function move(store: Store): boolean {
  return [runWorkloads(store), runGrove(store), store.collect()].includes(true);
}

type Change = (store: Store) => JsonObject;

function find(store: Store, kind: ObjectKind, name: string): JsonObject {
  const found = store.get({ ...kind, namespace: 'demo', name });
  if (found === undefined)
    throw new Error(
      `no ${kind.kind} ${name} but ${store
        .all()
        .filter((object) => keyOf(object).kind === kind.kind)
        .map((object) => keyOf(object).name)
        .join(', ')}`,
    );
  return found;
}

const edit =
  (kind: ObjectKind, name: string, change: (object: JsonObject) => JsonObject): Change =>
  (store) =>
    store.update(keyOf(find(store, kind, name)), change);
const annotate = (kind: ObjectKind, name: string): Change =>
  edit(kind, name, (object) => {
    const metadata = objectAt(object, 'metadata');
    return { ...object, metadata: { ...metadata, annotations: { ...objectAt(metadata, 'annotations'), by: 'hand' } } };
  });
const finalize = (kind: ObjectKind, name: string, finalizer: string): Change =>
  edit(kind, name, (object) => ({ ...object, metadata: { ...objectAt(object, 'metadata'), finalizers: [finalizer] } }));
const specify = (kind: ObjectKind, name: string, fields: JsonObject): Change =>
  edit(kind, name, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), ...fields } }));
const service = (name: string, key: string, fields: JsonObject): Change =>
  edit(kinds.graph, name, (object) => {
    const all = objectAt(object, 'spec', 'services');
    return {
      ...object,
      spec: { ...objectAt(object, 'spec'), services: { ...all, [key]: { ...objectAt(all, key), ...fields } } },
    };
  });
const report =
  (kind: ObjectKind, name: string, fields: Readonly<Record<string, Json>>): Change =>
  (store) => {
    const object = find(store, kind, name);
    return store.status({ ...object, status: { ...objectAt(object, 'status'), ...fields } }, versionOf(object));
  };
const remove =
  (kind: ObjectKind, name: string): Change =>
  (store) => {
    const object = find(store, kind, name);
    store.delete(keyOf(object));
    return object;
  };
const adapterOf = (name: string): JsonObject => ({
  ...kinds.adapter,
  metadata: { name, namespace: 'demo' },
  spec: { replicas: 1, dgdRef: { name: 'absent', serviceName: 'decode' } },
});
const pullSecret = (auths: Readonly<Record<string, Json>>): JsonObject => ({
  ...kinds.secret,
  metadata: { name: 'pull', namespace: 'demo' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
});

/** A change, what it is done to, and what is queued: graphs, components and adapters of `demo`. */
type Row = readonly [what: string, change: Change, queued: string];

const graphSources: readonly Row[] = [
  ['the spec of a graph', service('g', 'Frontend', { replicas: 2 }), 'adapter g-decode, adapter g-prefill, graph g'],
  ['a graph that comes', (store) => store.create(graphOf('new', {}, offGrove)), 'graph new'],
  ['a graph that is to go', remove(kinds.graph, 'new'), 'graph new'],
  ['annotations of a graph', annotate(kinds.graph, 'g'), 'adapter g-decode, adapter g-prefill, graph g'],
  ['finalizers of a graph', finalize(kinds.graph, 'g', 'example.com/theirs'), 'adapter g-decode, adapter g-prefill, graph g'],
  ['the status of a component', report(kinds.component, 'g-decode', { by: 'hand' }), 'graph g'],
  ['the spec of a component', specify(kinds.component, 'g-decode', { replicas: 3 }), 'component g-decode, graph g'],
  ['annotations of a component', annotate(kinds.component, 'g-decode'), 'component g-decode, graph g'],
  ['a component that goes', remove(kinds.component, 'g-prefill'), 'component g-prefill, graph g'],
  ['an adapter that goes', remove(kinds.adapter, 'g-prefill'), 'adapter g-prefill, graph g'],
  ['a claim that changes', annotate(kinds.claim, 'cache'), 'graph g'],
  ['a claim that goes', remove(kinds.claim, 'cache'), 'graph g'],
  ['the status of a PodCliqueSet', report(kinds.podCliqueSet, 'v', { by: 'hand' }), 'graph v'],
  ['the spec of a PodCliqueSet', specify(kinds.podCliqueSet, 'v', { replicas: 2 }), 'graph v'],
  ['a PodCliqueSet that goes', remove(kinds.podCliqueSet, 'v'), 'graph v'],
  ['ready replicas of a PodClique', report(kinds.podClique, 'v-0-decode', { readyReplicas: 0 }), 'graph v'],
  ['replicas of a PodClique', specify(kinds.podClique, 'v-0-decode', { replicas: 4 }), 'graph v'],
];

const blindSpots: readonly Row[] = [
  ['updated replicas of a PodClique', report(kinds.podClique, 'v-0-decode', { updatedReplicas: 0 }), 'graph v'],
  ['the observed generation of a PodClique', report(kinds.podClique, 'v-0-decode', { observedGeneration: 0 }), 'graph v'],
  ['the status of a PodCliqueScalingGroup', report(kinds.podCliqueScalingGroup, 'v-0-wide', { availableReplicas: 0 }), 'graph v'],
  ['a Service on Grove that changes', annotate(kinds.service, 'v-frontend'), 'graph v'],
  ['a Service on Grove that goes', remove(kinds.service, 'v-frontend'), 'graph v'],
  ['an Ingress on Grove that changes', specify(kinds.ingress, 'v-frontend', { by: 'hand' }), 'graph v'],
  ['an Ingress on Grove that goes', remove(kinds.ingress, 'v-frontend'), 'graph v'],
  ['a VirtualService on Grove that changes', specify(kinds.virtualService, 'v-frontend', { by: 'hand' }), 'graph v'],
  ['a VirtualService on Grove that goes', remove(kinds.virtualService, 'v-frontend'), 'graph v'],
  ['an account that changes', annotate(kinds.serviceAccount, 'g-k8s-service-discovery'), 'graph g'],
  ['an account that goes', remove(kinds.serviceAccount, 'g-k8s-service-discovery'), 'graph g'],
  ['a Role that changes', edit(kinds.role, 'g-k8s-service-discovery-role', (role) => ({ ...role, rules: [] })), 'graph g'],
  ['a Role that goes', remove(kinds.role, 'g-k8s-service-discovery-role'), 'graph g'],
  [
    'a RoleBinding that changes',
    edit(kinds.roleBinding, 'g-k8s-service-discovery-binding', (binding) => ({ ...binding, subjects: [] })),
    'graph g',
  ],
  ['a RoleBinding that goes', remove(kinds.roleBinding, 'g-k8s-service-discovery-binding'), 'graph g'],
  ['a ConfigMap that changes', edit(kinds.configMap, 'g-epp-config', (map) => ({ ...map, data: {} })), 'graph g'],
  ['a ConfigMap that goes', remove(kinds.configMap, 'g-epp-config'), 'graph g'],
  ['an InferencePool that changes', specify(kinds.inferencePool, 'g-pool', { by: 'hand' }), 'graph g'],
  ['an InferencePool that goes', remove(kinds.inferencePool, 'g-pool'), 'graph g'],
];

const componentSources: readonly Row[] = [
  ['the status of a Deployment', report(kinds.deployment, 'g-decode', { readyReplicas: 0 }), 'component g-decode'],
  ['the spec of a Deployment', specify(kinds.deployment, 'g-decode', { replicas: 5 }), 'component g-decode'],
  ['a Deployment that goes', remove(kinds.deployment, 'g-decode'), 'component g-decode'],
  ['a Service that changes', annotate(kinds.service, 'g-decode'), 'component g-decode'],
  ['a Service that goes', remove(kinds.service, 'g-decode'), 'component g-decode'],
  ['an Ingress that changes', specify(kinds.ingress, 'g-frontend', { by: 'hand' }), 'component g-frontend'],
  ['an Ingress that goes', remove(kinds.ingress, 'g-frontend'), 'component g-frontend'],
  ['the status of a LeaderWorkerSet', report(kinds.leaderWorkerSet, 'g-wide-0', { readyReplicas: 0 }), 'component g-wide'],
  ['a LeaderWorkerSet that goes', remove(kinds.leaderWorkerSet, 'g-wide-0'), 'component g-wide'],
  ['a PodGroup that changes', specify(kinds.podGroup, 'g-wide-0', { minMember: 9 }), 'component g-wide'],
  ['a PodGroup that goes', remove(kinds.podGroup, 'g-wide-0'), 'component g-wide'],
  ['a VirtualService that changes', specify(kinds.virtualService, 'g-frontend', { by: 'hand' }), 'component g-frontend'],
  ['a VirtualService that goes', remove(kinds.virtualService, 'g-frontend'), 'component g-frontend'],
];

const adapterSources: readonly Row[] = [
  ['the spec of an adapter', specify(kinds.adapter, 'g-decode', { replicas: 2 }), 'adapter g-decode, graph g'],
  ['an adapter that comes', (store) => store.create(adapterOf('lonely')), 'adapter lonely'],
  ['the status of an adapter alone', report(kinds.adapter, 'g-decode', { replicas: 7 }), 'graph g'],
  ['the status of a graph alone', report(kinds.graph, 'g', { state: 'pending' }), 'adapter g-decode, adapter g-prefill'],
  ['replicas of a service', service('v', 'decode', { replicas: 3 }), 'adapter v-decode, adapter v-prefill, graph v'],
];

/** Whoever makes pods in the namespace. */
const podMakers = [
  ...['g-decode', 'g-epp', 'g-frontend', 'g-prefill', 'g-wide', 'other-decode', 'other-frontend', 'other-prefill'].map(
    (name) => `component ${name}`,
  ),
  'graph v',
].join(', ');
const pullSecrets: readonly Row[] = [
  ['that comes', (store) => store.create(pullSecret({ 'nvcr.io': {} })), podMakers],
  [
    'for other registries',
    edit(kinds.secret, 'pull', ({ metadata = {} }) => ({ ...pullSecret({ 'quay.io': {} }), metadata })),
    podMakers,
  ],
  ['that goes', remove(kinds.secret, 'pull'), podMakers],
];

const sliceOf = (hash: string): JsonObject => ({ 'nvidia.com/dynamo-base-model-hash': hash });
const otherSources: readonly Row[] = [
  ['a Job', edit(kinds.job, 'profile-ask', (job) => ({ ...job, status: { active: 1 } })), 'request ask'],
  ['a Job that goes', remove(kinds.job, 'profile-ask'), 'request ask'],
  [
    'endpoints of a base model',
    (store) =>
      store.create({
        ...kinds.endpointSlice,
        metadata: { name: 's', namespace: 'demo', labels: sliceOf(hashes.m) },
        endpoints: [],
      }),
    'model m',
  ],
  [
    'endpoints that go over to another base model',
    edit(kinds.endpointSlice, 's', (slice) => ({
      ...slice,
      metadata: { ...objectAt(slice, 'metadata'), labels: sliceOf(hashes.n) },
    })),
    'model m, model n',
  ],
  ['endpoints that go', remove(kinds.endpointSlice, 's'), 'model n'],
];

describe('a change queues exactly who depends on it', () => {
  let rig: ControllerRig;
  beforeAll(async () => {
    rig = await ControllerRig.start({ flags, groups, store: cluster(), move });
  });
  afterAll(() => rig.stop());

  const queues = async (_: string, change: Change, queued: string): Promise<void> => {
    const found = await rig.queuedBy(change);
    expect(found.map((one) => one.replace('demo/', '')).join(', ')).toBe(queued);
  };
  test.each(graphSources)('of the sources of a graph: %s', queues);
  test.each(blindSpots)('of what the original does not see: %s', queues);
  test.each(componentSources)('of the sources of a component: %s', queues);
  test.each(adapterSources)('of the sources of an adapter: %s', queues);
  test.each(otherSources)('of the sources of requests and models: %s', queues);
  test.each(pullSecrets)('of pull secrets: one %s', queues);
});

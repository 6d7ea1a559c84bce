import { describe, expect, test } from 'vitest';
import { listAt, objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { componentOf, graphOf, platformStore, resourcesIn, runWorkloads, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import { config, type PassOptions } from './shell.ts';
import { keyOf, type Store } from './store.ts';

const ingress = {
  enabled: true,
  host: 'x',
  ingressControllerClassName: 'nginx',
  useVirtualService: true,
  virtualServiceGateway: 'istio-system/gateway',
};
const container = { mainContainer: { image: 'i', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] } };
const worker = { componentType: 'worker', resources: { limits: { gpu: '1' } }, extraPodSpec: container };
/** A graph with a child of every kind. */
const spec: JsonObject = {
  services: {
    Frontend: { componentType: 'frontend', replicas: 1, ingress, extraPodSpec: container },
    Epp: { componentType: 'epp', replicas: 1, eppConfig: { config: { plugins: [{ type: 'a' }] } }, extraPodSpec: container },
    decode: { ...worker, replicas: 1, scalingAdapter: { enabled: true }, modelRef: { name: 'm' } },
  },
};
const debug = { 'nvidia.com/enable-stealing-traffic-debug-mode': 'true' };
const others = ['networking.istio.io', 'inference.networking.k8s.io'];
const lws = ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'];

interface Case {
  readonly what: string;
  readonly apiGroups: readonly string[];
  readonly resource: JsonObject;
  /** The kinds of children it has. */
  readonly kinds: string;
}

const cases: readonly Case[] = [
  {
    what: 'a graph of components',
    apiGroups: others,
    resource: graphOf('g', spec),
    kinds:
      'ConfigMap Deployment DynamoComponentDeployment DynamoGraphDeploymentScalingAdapter InferencePool Ingress Role RoleBinding Service ServiceAccount VirtualService',
  },
  {
    what: 'a graph on Grove',
    apiGroups: [...others, ...groveGroups],
    resource: graphOf('g', spec),
    kinds:
      'ConfigMap DynamoGraphDeploymentScalingAdapter InferencePool Ingress PodCliqueSet Role RoleBinding Service ServiceAccount VirtualService',
  },
  {
    what: 'a component',
    apiGroups: others,
    resource: componentOf('solo', { ingress, annotations: debug, modelRef: { name: 'm' } }),
    kinds: 'Deployment Ingress Service VirtualService',
  },
  {
    what: 'a component on several nodes',
    apiGroups: lws,
    resource: componentOf('solo', { multinode: { nodeCount: 2 } }),
    kinds: 'LeaderWorkerSet PodGroup Service',
  },
];

const move = (store: Store): boolean => [runGrove(store), runWorkloads(store)].includes(true);

function storeWith(resource: JsonObject): Store {
  const store = platformStore();
  store.create({ apiVersion: 'v1', kind: 'Shop', metadata: { name: 'theirs', namespace: 'demo' } });
  store.create(resource);
  return store;
}

/** Objects that resources of ours control. */
function childrenIn(store: Store): readonly JsonObject[] {
  const isOurs = (object: JsonObject): boolean =>
    listAt(object, 'metadata', 'ownerReferences').some((owner) => stringAt(owner, 'kind').startsWith('Dynamo'));
  return store.all().filter(isOurs);
}

/** Why resources are not as they should be, as their conditions say. */
function complaints(store: Store): string {
  const conditions = resourcesIn(store).flatMap((resource) => listAt(resource, 'status', 'conditions'));
  return conditions.map((condition) => stringAt(condition, 'message')).join('\n');
}

describe.each(cases)('$what', ({ apiGroups, resource, kinds }) => {
  const options: PassOptions = { apiGroups, config: { ...config, virtualServiceGateway: 'istio-system/gateway' } };
  const settled = storeWith(resource);
  settle(settled, options, move);
  const shop = objectAt(settled.get({ apiVersion: 'v1', kind: 'Shop', namespace: 'demo', name: 'theirs' }), 'metadata');
  const children = childrenIn(settled).map((child) => ({ child, name: `${keyOf(child).kind} ${keyOf(child).name}` }));

  test('has children of these kinds', () => {
    expect([...new Set(children.map(({ child }) => keyOf(child).kind))].toSorted().join(' ')).toBe(kinds);
  });

  test.each(children)('leaves the $name of somebody else alone, and says whose it is', ({ child, name }) => {
    const [kind = '', called = ''] = name.split(' ');
    const store = storeWith(resource);
    const { apiVersion } = keyOf(child);
    const owner = { apiVersion: 'v1', kind: 'Shop', name: 'theirs', uid: shop['uid'] ?? '', controller: true };
    const metadata = { name: called, namespace: 'demo', ownerReferences: [owner] };
    const theirs = store.create({ apiVersion, kind, metadata, spec: { theirs: true } });
    settle(store, options, move);
    const now = store.get(keyOf(theirs));
    expect(now?.['spec']).toEqual({ theirs: true });
    for (const field of ['ownerReferences', 'labels', 'annotations', 'uid'])
      expect(objectAt(now, 'metadata')[field]).toEqual(objectAt(theirs, 'metadata')[field]);
    expect(complaints(store)).toContain(`${kind} "${called}" is controlled by Shop "theirs"`);
  });
});

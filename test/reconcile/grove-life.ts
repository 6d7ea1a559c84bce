/** A graph `life` that runs on Grove. */
import { listAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { graphOf, platformStore, resourceKey, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import { GroveStore } from './grove-store.ts';
import type { Store } from './store.ts';

/** The graph. */
export const key = resourceKey('Deployment', 'life');
/** Its PodCliqueSet. */
export const set = { apiVersion: 'grove.io/v1alpha1', kind: 'PodCliqueSet', namespace: 'demo', name: 'life' };
/** The clique of a service. */
export const clique = (name: string) => ({ ...set, kind: 'PodClique', name: `life-0-${name}` });
/** APIs that the cluster serves. */
export const options = { apiGroups: groveGroups };

/** The cluster when the graph has come to rest. */
export function settled(spec: JsonObject = {}): Store {
  const store = platformStore(new GroveStore());
  store.create(graphOf('life', spec));
  settle(store, options, runGrove);
  return store;
}

/** What the status of the graph says. */
export function message(store: Store): string {
  return stringAt(listAt(store.get(key), 'status', 'conditions')[0], 'message');
}

/** A service on several nodes. */
export const aggregated = {
  componentType: 'worker',
  replicas: 2,
  multinode: { nodeCount: 2 },
  resources: { limits: { gpu: '1' } },
  extraPodSpec: { mainContainer: { image: 'i', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] } },
};

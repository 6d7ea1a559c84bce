import { findNumber, listAt, objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { setStatus } from './cluster.ts';
import { generationOf, keyOf, type Store } from './store.ts';

const grove = 'grove.io/v1alpha1';

/** API groups of a cluster with Grove. */
export const groveGroups = ['grove.io'];

/** What Grove's operator does, as far as the recordings show it: makes cliques and groups once, later rolls their template, and removes those of a service that is gone. */
export function runGrove(store: Store): boolean {
  let moved = false;
  for (const set of store.all().filter((object) => keyOf(object).kind === 'PodCliqueSet')) {
    const template = objectAt(set, 'spec', 'template');
    const groups = listAt(template, 'podCliqueScalingGroups');
    const grouped = new Set(groups.flatMap((group) => listAt(group, 'cliqueNames')));
    const cliques = listAt(template, 'cliques').filter((clique) => !grouped.has(stringAt(clique, 'name')));
    for (const clique of cliques)
      moved = runOne(store, set, 'PodClique', stringAt(clique, 'name'), findNumber(clique, 'spec', 'replicas') ?? 1) || moved;
    for (const group of groups)
      moved = runOne(store, set, 'PodCliqueScalingGroup', stringAt(group, 'name'), findNumber(group, 'replicas') ?? 1) || moved;
    const wanted = new Set([...cliques, ...groups].map((one) => `${keyOf(set).name}-0-${stringAt(one, 'name')}`));
    moved = removeOthers(store, wanted) || moved;
    const hash = JSON.stringify(template).length.toString();
    moved = setStatus(store, set, { observedGeneration: generationOf(set), currentGenerationHash: hash }) || moved;
  }
  return moved;
}

function runOne(store: Store, set: JsonObject, kind: string, name: string, replicas: number): boolean {
  const owner = {
    apiVersion: grove,
    kind: 'PodCliqueSet',
    name: keyOf(set).name,
    uid: stringAt(set, 'metadata', 'uid'),
    controller: true,
  };
  const metadata = { name: `${keyOf(set).name}-0-${name}`, namespace: 'demo', ownerReferences: [owner] };
  const key = { apiVersion: grove, kind, namespace: 'demo', name: metadata.name };
  const isNew = store.get(key) === undefined;
  if (isNew) store.create({ apiVersion: grove, kind, metadata, spec: { replicas } });
  const live = store.get(key) ?? {};
  const count = findNumber(live, 'spec', 'replicas') ?? 0;
  const working = kind === 'PodClique' ? { readyReplicas: count } : { availableReplicas: count };
  const hash = JSON.stringify(objectAt(set, 'spec', 'template')).length.toString();
  const status = { observedGeneration: generationOf(live), replicas: count, updatedReplicas: count, ...working };
  return setStatus(store, live, { ...status, currentPodCliqueSetGenerationHash: hash }) || isNew;
}

function removeOthers(store: Store, wanted: ReadonlySet<string>): boolean {
  const others = store
    .all()
    .map(keyOf)
    .filter(({ kind, name }) => ['PodClique', 'PodCliqueScalingGroup'].includes(kind) && !wanted.has(name));
  for (const key of others) store.delete(key);
  return others.length > 0;
}

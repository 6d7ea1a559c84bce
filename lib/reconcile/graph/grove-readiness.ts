import { findNumber, type JsonObject } from '../../json/index.ts';
import { statusOf } from '../condition.ts';
import { generationOf } from '../metadata.ts';

/** The kind that runs a service on Grove: a clique, or a group of cliques for a service that spans nodes. */
export type GroveKind = 'PodClique' | 'PodCliqueScalingGroup';

/** By kind: the status field that counts working replicas, the original's word for it, and the kind's name in messages. */
const working = {
  PodClique: { field: 'readyReplicas', word: 'ready', prefix: 'podclique' },
  PodCliqueScalingGroup: { field: 'availableReplicas', word: 'available', prefix: 'pcsg' },
} as const;

/** Why a service on Grove is not ready; undefined if it is ready. */
export function groveUnready(kind: GroveKind, live: JsonObject | undefined): string | undefined {
  if (live === undefined) return 'resource not found';
  const status = statusOf(live);
  const observed = findNumber(status, 'observedGeneration');
  const generation = generationOf(live);
  if (observed === undefined) return 'observedGeneration is nil';
  if (observed < generation) return `spec not yet processed: generation=${generation}, observedGeneration=${observed}`;
  const desired = findNumber(live, 'spec', 'replicas') ?? 0;
  if (desired === 0) return undefined;
  const count = (field: string): number => findNumber(status, field) ?? 0;
  const { field, word } = working[kind];
  if (count(field) !== desired) return `desired=${desired}, ${word}=${count(field)}`;
  if (count('updatedReplicas') !== desired) return `desired=${desired}, updated=${count('updatedReplicas')}`;
  if (count('replicas') !== desired) return `performing rolling update: desired=${desired}, replicas=${count('replicas')}`;
  return undefined;
}

/** A service on Grove as messages name it. */
export function groveLabel(kind: GroveKind, name: string): string {
  return `${working[kind].prefix}/${name}`;
}

/** Replica counts of a service on Grove; zeros until Grove has created it. */
export function groveReplicas(kind: GroveKind, name: string, live: JsonObject | undefined): JsonObject {
  const status = statusOf(live ?? {});
  const count = (field: string): number => findNumber(status, field) ?? 0;
  const { field } = working[kind];
  return {
    componentKind: kind,
    componentName: name,
    replicas: count('replicas'),
    updatedReplicas: count('updatedReplicas'),
    [field]: count(field),
  };
}

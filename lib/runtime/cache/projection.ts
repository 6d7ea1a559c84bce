/** Which part of an object the cache keeps. */
import type { KubernetesObject, NamedObjectMeta } from '../../api/index.ts';
import { isObject, type Json, type JsonObject, setKey } from '../../json/index.ts';

/** Returns a smaller object of the same identity; pure. */
export type Projection = (object: KubernetesObject) => KubernetesObject;

/** Keeps all but what only the API server and kubectl use. */
export const wholeObject: Projection = (object) => {
  const { metadata } = object;
  if (metadata['managedFields'] === undefined && metadata.annotations?.[lastApplied] === undefined) return object;
  return { ...object, metadata: withoutBallast(metadata) };
};

/** Keeps identity, labels, annotations, owners and what else is metadata. */
export const metadataOnly: Projection = ({ apiVersion, kind, metadata }) => ({
  apiVersion,
  kind,
  metadata: withoutBallast(metadata),
});

/** Keeps metadata and the fields at the given paths, such as `status.readyReplicas`. */
export function keepFields(...paths: readonly string[]): Projection {
  const tree = treeOf(paths);
  return (object) => ({ ...keep(object, tree), ...metadataOnly(object) });
}

type Tree = Map<string, Tree>;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutBallast(metadata: NamedObjectMeta): NamedObjectMeta {
  const { managedFields: _, annotations, ...rest } = metadata;
  if (annotations === undefined) return rest;
  const { [lastApplied]: __, ...kept } = annotations;
  return { ...rest, annotations: kept };
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const key of path.split('.')) {
      const next = node.get(key) ?? new Map<string, Tree>();
      node.set(key, next);
      node = next;
    }
  }
  return root;
}

function keep(value: JsonObject, tree: Tree): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, below] of tree) {
    const member = value[key];
    if (member === undefined) continue;
    setKey(kept, key, below.size > 0 && isObject(member) ? keep(member, below) : member);
  }
  return kept;
}

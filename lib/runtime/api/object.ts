import type { KubernetesObject } from '../../api/index.ts';

/** A kind, by the names in its manifests. */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object; the namespace is empty, or left out, where a kind has none. */
export interface ObjectKey extends ObjectKind {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object. */
export function keyOf(object: KubernetesObject): ObjectKey {
  const { namespace = '', name } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
}

/**
 * Whether the answer to a delete, or to the write that removed the last finalizer, shows the last state of an object that no longer exists. An object
 * that still waits for finalizers or its grace period has a deletion timestamp.
 */
export function isFinished({ metadata }: KubernetesObject, isDelete = false): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return isDelete;
  return finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

import type { JsonObject } from '../../json/index.ts';

/** A reference to an owner, as stored. */
export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** The metadata of an object the API server has, or is to have. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
}

/** An object of the API server as plain JSON. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

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

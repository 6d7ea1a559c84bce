import type { JsonObject } from '../json/index.ts';
import type { ObjectMeta } from './object-meta.ts';

/** The metadata of an object that has a name; objects of a cluster-scoped kind have no namespace. */
export type NamedObjectMeta = ObjectMeta & { readonly name: string } & JsonObject;

/** A Kubernetes object as plain JSON, as it is rendered, sent and stored: no class instances, no undefined keys. */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: NamedObjectMeta;
}

/** Writes whose answers enter the cache at once, so that the next pass sees what this one did. */
import type { ApiClient, ApplyOptions, DeleteOptions, PatchOperation, Scale } from '../api/client.ts';
import { isNotFound } from '../api/errors.ts';
import { keyOf, type KubernetesObject, type ObjectKey } from '../api/object.ts';
import type { JsonObject } from '../../json/index.ts';
import type { Cache } from './cache.ts';

/** A client for writes, before a cache. */
export class CachedWrites {
  readonly #client: ApiClient;
  readonly #cache: Cache;

  constructor(client: ApiClient, cache: Cache) {
    this.#client = client;
    this.#cache = cache;
  }

  /** Creates an object. */
  create(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#recorded(keyOf(object), this.#client.create(object, signal));
  }

  /** Replaces an object, if its version is still the one given. */
  update(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#recorded(keyOf(object), this.#client.update(object, signal));
  }

  /** Replaces the status of an object, if its version is still the one given. */
  updateStatus(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#recorded(keyOf(object), this.#client.updateStatus(object, signal));
  }

  /** Changes an object, or a subresource of it, by a JSON Patch. */
  patch(
    key: ObjectKey,
    operations: readonly PatchOperation[],
    subresource?: string,
    signal?: AbortSignal,
  ): Promise<KubernetesObject> {
    return this.#recorded(key, this.#client.patch(key, operations, subresource, signal));
  }

  /** Changes the fields given of an object or a subresource of it. */
  merge(key: ObjectKey, fields: JsonObject, subresource?: string, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#recorded(key, this.#client.merge(key, fields, subresource, signal));
  }

  /** Applies an object on the server's side. */
  apply(object: KubernetesObject, options: ApplyOptions, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#recorded(keyOf(object), this.#client.apply(object, options, signal));
  }

  /** Asks an object to have that many replicas; the answer is no object, so the cache learns of it by its watch. */
  updateScale(key: ObjectKey, scale: Scale, signal?: AbortSignal): Promise<void> {
    return this.#client.updateScale(key, scale, signal);
  }

  /** Deletes an object; one that is gone already is no failure. */
  async delete(key: ObjectKey, options: DeleteOptions & { readonly uid: string }, signal?: AbortSignal): Promise<void> {
    try {
      const left = await this.#client.delete(key, options, signal);
      // What still waits for finalizers or its grace period is there, with its deletion marked; else the answer is what was.
      if (left?.metadata.deletionTimestamp === undefined) this.#cache.recordDeleted(key, options.uid);
      else this.#cache.record(left);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#cache.recordDeleted(key, options.uid);
    }
  }

  async #recorded(key: ObjectKey, write: Promise<KubernetesObject>): Promise<KubernetesObject> {
    const object = await write;
    // Answers to subresources such as `eviction` are of another kind.
    if (object.kind === key.kind && object.apiVersion === key.apiVersion) this.#cache.record(object);
    return object;
  }
}

/** Reads and writes objects of the API server: one method per verb, no cache, no policy. */
import type { KubernetesObject } from '../../api/index.ts';
import { isObject, type JsonObject, type PatchOperation } from '../../json/index.ts';
import { findResource } from './discovery.ts';
import { ApiError, ConnectionError, isAbsent, isGone } from './errors.ts';
import { isFinished, keyOf, type ObjectKey, type ObjectKind } from './object.ts';
import { collectionPath, knownResource, objectPath, type Resource } from './resources.ts';
import type { ApiRequest, ApiResponse, Method, Transport } from './transport.ts';

/** Options of all requests of a client. */
export interface ClientOptions {
  /** Called right before each write is sent; if it throws, nothing is sent. */
  readonly beforeWrite?: () => void;
  /** Replaces the transport's user agent. */
  readonly userAgent?: string;
  /** Milliseconds for each try of a request. */
  readonly timeoutMs?: number;
  /** Whether to retry where the server asks for it with `Retry-After`. */
  readonly retry?: boolean;
  /** Whether other requests go first while no connection is free; writes of a status always wait for them. */
  readonly yields?: boolean;
  /** Whether requests never wait for others. */
  readonly urgent?: boolean;
  /**
   * Objects in one page of a list.
   * @default 500
   */
  readonly pageSize?: number;
}

/** Selects objects of a kind. */
export interface Selection {
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Ask for `metadata` alone. */
  readonly metadataOnly?: boolean;
}

/** A collection at one version. */
interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** Preconditions of a delete, and its propagation policy. */
interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** The replicas of a scalable object. */
interface Scale {
  readonly replicas: number;
  readonly resourceVersion: string;
}

/** Whether a string can be the name of an object. The API server would read other strings as part of the path, or reject the request. */
function isPathSegment(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name);
}

function impossibleName({ kind, name }: ObjectKey): ApiError {
  const message = `${kind} ${JSON.stringify(name)} not found`;
  return new ApiError({ status: 404, reason: 'NotFound', message, request: `GET ${kind}` });
}

const metadataFormat = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** A client of one API server. */
export class ApiClient {
  /** The transport through which requests are sent. */
  readonly transport: Transport;
  readonly #options: ClientOptions;
  readonly #found = new Map<string, Resource>();

  constructor(transport: Transport, options: ClientOptions = {}) {
    this.transport = transport;
    this.#options = options;
  }

  /** The same client with other options on top. */
  with(options: ClientOptions): ApiClient {
    return new ApiClient(this.transport, { ...this.#options, ...options });
  }

  /** Reads an object; throws where it does not exist. */
  async get(key: ObjectKey, signal?: AbortSignal): Promise<KubernetesObject> {
    if (!isPathSegment(key.name)) throw impossibleName(key);
    return this.#object('GET', objectPath(await this.resource(key), key), {}, signal);
  }

  /** Reads an object that may be absent. */
  async find(key: ObjectKey, signal?: AbortSignal): Promise<KubernetesObject | undefined> {
    try {
      return await this.get(key, signal);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** Reads a collection page by page, keeping of each object what `project` returns. */
  async list<T>(
    kind: ObjectKind,
    selection: Selection,
    project: (object: KubernetesObject) => T,
    signal?: AbortSignal,
  ): Promise<ObjectList<T>> {
    const path = collectionPath(await this.resource(kind), selection.namespace);
    let items: T[] = [];
    let next = '';
    let limit = String(this.#options.pageSize ?? 500);
    for (;;) {
      const query = {
        ...selectionQuery(selection),
        ...(limit === '' ? {} : { limit }),
        ...(next === '' ? {} : { continue: next }),
      };
      const accept = selection.metadataOnly === true ? metadataFormat('PartialObjectMetadataList') : 'application/json';
      const page = await this.#send('GET', path, { query, accept }, signal).catch((error: unknown) => {
        if (next !== '' && isGone(error)) return undefined;
        throw error;
      });
      if (page === undefined) {
        // The list took longer than the server keeps a version: list everything without pages, as client-go does.
        items = [];
        next = '';
        limit = '';
        continue;
      }
      const { metadata, items: found } = listOf(page);
      for (const item of found) items.push(project(objectOf(item, kind)));
      next = stringOf(metadata, 'continue');
      if (next === '') return { items, resourceVersion: stringOf(metadata, 'resourceVersion') };
    }
  }

  /** Creates an object. */
  async create(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    const path = collectionPath(await this.resource(object), object.metadata.namespace);
    return this.#object('POST', path, { body: object }, signal);
  }

  /** Replaces an object, if its version is still the one given. */
  async update(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#object('PUT', objectPath(await this.resource(object), keyOf(object)), { body: object }, signal);
  }

  /** Replaces the status of an object, if its version is still the one given. */
  async updateStatus(object: KubernetesObject, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#object(
      'PUT',
      objectPath(await this.resource(object), keyOf(object), 'status'),
      { body: object, yields: true },
      signal,
    );
  }

  /** Changes an object by a JSON Patch. A test of `/metadata/resourceVersion` that fails is a conflict, as with an update. */
  async patch(
    key: ObjectKey,
    operations: readonly PatchOperation[],
    subresource?: string,
    signal?: AbortSignal,
  ): Promise<KubernetesObject> {
    const body = operations.map(asPrecondition);
    return this.#patch(key, subresource, { body, contentType: 'application/json-patch+json' }, signal);
  }

  /** Changes the fields given, by a JSON merge patch. */
  async merge(key: ObjectKey, fields: JsonObject, subresource?: string, signal?: AbortSignal): Promise<KubernetesObject> {
    return this.#patch(key, subresource, { body: fields, contentType: 'application/merge-patch+json' }, signal);
  }

  /** Deletes an object; returns it where it still waits for finalizers or its grace period, `undefined` when it is gone. */
  async delete(key: ObjectKey, options: DeleteOptions = {}, signal?: AbortSignal): Promise<KubernetesObject | undefined> {
    const { uid, resourceVersion, propagationPolicy } = options;
    const preconditions = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions,
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    };
    const answer = await this.#send('DELETE', objectPath(await this.resource(key), key), { body }, signal);
    if (isObject(answer.body) && answer.body['kind'] === 'Status') return undefined;
    const left = objectOf(answer.body, key);
    return isFinished(left, true) ? undefined : left;
  }

  /** Asks an object to have that many replicas, if its version is still the one given. */
  async updateScale(key: ObjectKey, { replicas, resourceVersion }: Scale, signal?: AbortSignal): Promise<void> {
    const { name, namespace = '' } = key;
    const body = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name, namespace, resourceVersion },
      spec: { replicas },
    };
    await this.#object('PUT', objectPath(await this.resource(key), key, 'scale'), { body }, signal);
  }

  /** The REST resource of a kind; asks the API server about kinds the operator does not know. */
  async resource(kind: ObjectKind): Promise<Resource> {
    const id = `${kind.apiVersion}/${kind.kind}`;
    const resource = knownResource(kind) ?? this.#found.get(id) ?? (await findResource(this.transport, kind));
    this.#found.set(id, resource);
    return resource;
  }

  /** The request of a watch, for `openWatch`. */
  async watchRequest(kind: ObjectKind, selection: Selection, query: Readonly<Record<string, string>>): Promise<ApiRequest> {
    return {
      method: 'GET',
      path: collectionPath(await this.resource(kind), selection.namespace),
      query: { ...selectionQuery(selection), watch: 'true', allowWatchBookmarks: 'true', ...query },
      accept: selection.metadataOnly === true ? metadataFormat('PartialObjectMetadata') : 'application/json',
      ...this.#common('GET'),
    };
  }

  async #patch(
    key: ObjectKey,
    subresource: string | undefined,
    request: Partial<ApiRequest>,
    signal?: AbortSignal,
  ): Promise<KubernetesObject> {
    return this.#object('PATCH', objectPath(await this.resource(key), key, subresource), request, signal);
  }

  async #object(method: Method, path: string, request: Partial<ApiRequest>, signal?: AbortSignal): Promise<KubernetesObject> {
    const { body } = await this.#send(method, path, request, signal);
    return objectOf(body);
  }

  #send(method: Method, path: string, request: Partial<ApiRequest>, signal?: AbortSignal): Promise<ApiResponse> {
    return this.transport.request({ ...request, ...this.#common(method), method, path }, signal);
  }

  #common(method: Method): Partial<ApiRequest> {
    const { beforeWrite, userAgent, timeoutMs, retry, yields, urgent } = this.#options;
    return {
      ...(beforeWrite === undefined || method === 'GET' ? {} : { beforeSend: beforeWrite }),
      ...(userAgent === undefined ? {} : { headers: { 'user-agent': userAgent } }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(retry === undefined ? {} : { retry }),
      ...(yields === undefined ? {} : { yields }),
      ...(urgent === undefined ? {} : { urgent }),
    };
  }
}

/** An object in an answer. Items of lists and of metadata-only answers do not name their kind: it is filled in. */
export function objectOf(value: unknown, kind?: ObjectKind): KubernetesObject {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  if (!isObject(value) || !isObject(metadata)) throw new ConnectionError('cut_off', 'the answer is not a Kubernetes object');
  const isNamed = kind === undefined || (value['apiVersion'] === kind.apiVersion && value['kind'] === kind.kind);
  // Only what this layer relies on is checked; the API server has validated the rest.
  if (isNamed) return value as KubernetesObject;
  return { ...value, apiVersion: kind.apiVersion, kind: kind.kind } as unknown as KubernetesObject;
}

// The API server answers a failed JSON Patch test with 422, as it does for an invalid object, and an update of an outdated version with 409.
function asPrecondition(operation: PatchOperation): PatchOperation {
  return operation.op === 'test' && operation.path === '/metadata/resourceVersion' ? { ...operation, op: 'replace' } : operation;
}

function listOf({ body }: ApiResponse): { readonly metadata: JsonObject; readonly items: readonly unknown[] } {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  const { kind, items } = isObject(body) ? body : {};
  // An empty list may come without items.
  const isWhole = Array.isArray(items) || (typeof kind === 'string' && kind.endsWith('List'));
  if (!isObject(metadata) || !isWhole) throw new ConnectionError('cut_off', 'the answer is not a list');
  return { metadata, items: Array.isArray(items) ? items : [] };
}

function stringOf(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Readonly<Record<string, string>> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

/**
 * An API server in this process: the model that test/cluster/store.test.ts holds against the real one, behind the HTTP a client speaks. It
 * streams lists and watches, applies selectors, and waits or refuses where a test tells it to.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { isObject, objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { kinds, type ObjectKey, type PatchOperation } from '../../lib/reconcile/index.ts';
import { groupPath, knownResource, type Resource } from '../../lib/runtime/api/resources.ts';
import { keyOf, Refused, Store, versionOf } from '../reconcile/store.ts';

/** A request that came. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isWatch: boolean;
  /** Who asks, as its header says. */
  readonly authorization: string;
  /** With which program. */
  readonly userAgent: string;
}

/** How to start a server. */
interface ServerSetting {
  /** API groups of other projects beside those of Kubernetes. */
  readonly groups?: readonly string[];
  readonly store?: Store;
  /** Certificate and key, for a server that speaks TLS as `localhost`. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

interface OpenWatch {
  readonly selects: (object: JsonObject) => boolean;
  readonly resource: Resource;
  readonly isMetadataOnly: boolean;
  readonly response: ServerResponse;
}

const served: readonly Resource[] = [
  ...Object.values(kinds),
  { apiVersion: 'v1', kind: 'Event' },
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
].flatMap((kind) => knownResource(kind) ?? []);
const builtIn = new Set(['apps', 'batch', 'coordination.k8s.io', 'discovery.k8s.io', 'networking.k8s.io', 'nvidia.com']);
for (const group of ['admissionregistration.k8s.io', 'rbac.authorization.k8s.io']) builtIn.add(group);

/** The page of a proxy that answers for the server. */
export class ProxyPage extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`a page with status ${status}`);
    this.status = status;
  }
}

/** A running server. */
export class MemoryApiServer {
  readonly url: string;
  /** What is stored. Change it by `act`, so that watches are told. */
  readonly store: Store;
  /** All requests so far. */
  readonly requests: SeenRequest[] = [];
  /** Called before a request is answered; the answer waits for it, and what it throws is the answer. */
  intercept: (request: SeenRequest) => Promise<void> | undefined = () => undefined;
  /** Called when a write is stored, before watches are told of it; its answer waits for the promise. */
  delay: (request: SeenRequest) => Promise<void> | undefined = () => undefined;
  readonly #server: Server;
  readonly #groups: Set<string>;
  readonly #watches = new Set<OpenWatch>();
  readonly #waiting = new Set<() => void>();
  #shown = new Map<string, JsonObject>();
  #told = 0;

  private constructor(server: Server, { groups = [], store = new Store(), tls }: ServerSetting) {
    this.#server = server;
    this.store = store;
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    this.url = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
    this.#groups = new Set([...builtIn, ...groups]);
    server.on('request', (request, response) => {
      this.#receive(request, response).catch((error: unknown) => {
        if (error instanceof ProxyPage)
          response.writeHead(error.status, { 'content-type': 'text/html' }).end('<html>not here</html>');
        else if (!(error instanceof Refused)) response.destroy();
        else
          sendJson(response, error.status, { kind: 'Status', code: error.status, reason: error.reason, message: error.message });
      });
    });
  }

  /** Number of changes that watches were told of. */
  get told(): number {
    return this.#told;
  }

  /** Number of open watches. */
  get watches(): number {
    return this.#watches.size;
  }

  /** Starts a server. */
  static async start(setting: ServerSetting = {}): Promise<MemoryApiServer> {
    const server = (setting.tls === undefined ? createServer() : createTlsServer(setting.tls)).listen(0);
    await once(server, 'listening');
    return new MemoryApiServer(server, setting);
  }

  /** Ends it with all its connections. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** A kubeconfig for it, or for another server, in a file that is removed when the test ends. */
  async kubeconfig(server = this.url): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-memory-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'kubeconfig');
    const config = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server } }],
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }

  /** Changes what is stored, as others do, and tells the watches. */
  act<T>(change: (store: Store) => T): T {
    const result = change(this.store);
    this.#publish();
    return result;
  }

  /** Serves the API of another project from now on. */
  serve(group: string): void {
    this.#groups.add(group);
  }

  /** Sends a bookmark on all watches, as the API server does every minute; returns how many bytes that were. */
  bookmark(): number {
    return [...this.#watches].reduce((bytes, watch) => bytes + sendBookmark(watch, { resourceVersion: this.#version() }), 0);
  }

  /** Resolves when a request that a test waits for has come. */
  async until(isIt: (request: SeenRequest) => boolean): Promise<void> {
    while (!this.requests.some(isIt)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const isWatch = url.searchParams.get('watch') === 'true';
    const { authorization = '', 'user-agent': userAgent = '' } = incoming.headers;
    const { method = 'GET' } = incoming;
    const request = { method, path: url.pathname, query: url.searchParams, isWatch, authorization, userAgent };
    const body: unknown = JSON.parse((await text(incoming)) || 'null');
    this.requests.push(request);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    await this.intercept(request);
    if (request.path === '/readyz') sendJson(response, 200, {});
    else if (request.path === '/apis') sendUnlessKnown(response, this.#discovery(), incoming.headers['if-none-match']);
    else await this.#serve(request, body, incoming, response);
  }

  async #serve(request: SeenRequest, body: unknown, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resource, namespace, name, subresource } = parsePath(request.path);
    if (!this.#isServed(resource)) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
      return;
    }
    const isMetadataOnly = String(incoming.headers.accept).includes('as=PartialObjectMetadata');
    const key: ObjectKey = { apiVersion: resource.apiVersion, kind: resource.kind, namespace, name };
    if (request.isWatch) {
      this.#watch({ selects: selector(key, request.query), resource, isMetadataOnly, response });
      return;
    }
    if (name === '' && request.method === 'GET') {
      const items = this.store.all().filter(selector(key, request.query));
      sendJson(response, 200, { kind: 'List', metadata: { resourceVersion: this.#version() }, items });
      return;
    }
    const answer = this.#write(request, key, subresource, isObject(body) || Array.isArray(body) ? body : {});
    const delay = this.delay(request);
    if (delay !== undefined) {
      this.#publish();
      await delay;
    }
    sendJson(response, request.method === 'POST' ? 201 : 200, answer);
    this.#publish();
  }

  #write({ method }: SeenRequest, key: ObjectKey, subresource: string, body: JsonObject | readonly unknown[]): JsonObject {
    const { store } = this;
    if (method === 'POST' && isObject(body)) return store.create({ ...body, apiVersion: key.apiVersion, kind: key.kind });
    const found = store.get(key);
    if (found === undefined) throw new Refused(404, 'NotFound', `${key.kind} "${key.name}" not found`);
    if (method === 'GET') return found;
    if (method === 'DELETE') {
      const uid = isObject(body) ? stringAt(body, 'preconditions', 'uid') : '';
      store.delete(key, uid === '' ? undefined : uid);
      return store.get(key) ?? { kind: 'Status', status: 'Success' };
    }
    if (Array.isArray(body)) return store.patch(key, guard(found, body));
    if (!isObject(body)) throw new Refused(400, 'BadRequest', 'a body is missing');
    if (method === 'PATCH') return store.update(key, (object) => merge(object, body));
    if (subresource === 'status') return store.status(body, versionOf(body));
    if (subresource === 'scale') return store.scale(key, versionOf(body), Number(objectAt(body, 'spec')['replicas']));
    if (versionOf(body) !== versionOf(found)) throw new Refused(409, 'Conflict', 'the object has been modified');
    const { uid, generation, creationTimestamp } = objectAt(found, 'metadata');
    const metadata = { ...objectAt(body, 'metadata'), ...defined({ uid, generation, creationTimestamp }) };
    return store.update(key, () => ({ ...body, metadata }));
  }

  #watch(watch: OpenWatch): void {
    watch.response.writeHead(200, { 'content-type': 'application/json' });
    for (const object of this.store.all()) if (watch.selects(object)) send(watch, 'ADDED', object);
    sendBookmark(watch, { resourceVersion: this.#version(), annotations: { 'k8s.io/initial-events-end': 'true' } });
    this.#watches.add(watch);
    watch.response.on('close', () => this.#watches.delete(watch));
  }

  // Every difference to what was published last, to every watch that means the object or meant it.
  #publish(): void {
    const now = new Map(this.store.all().map((object) => [idOf(object), object]));
    for (const id of new Set([...this.#shown.keys(), ...now.keys()])) {
      const [before, after] = [this.#shown.get(id), now.get(id)];
      if (before === after) continue;
      for (const watch of this.#watches) if (tell(watch, before, after)) this.#told += 1;
    }
    this.#shown = now;
  }

  #version(): string {
    return String(Math.max(1, ...this.store.all().map((object) => Number(versionOf(object)))));
  }

  #isServed({ apiVersion }: Resource): boolean {
    const [group = '', version] = apiVersion.split('/');
    return version === undefined || this.#groups.has(group);
  }

  #discovery(): JsonObject {
    const items = [...this.#groups].map((group) => {
      const own = served.filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
      const versions = [...new Set(own.map(({ apiVersion }) => apiVersion.slice(group.length + 1)))].map((version) => ({
        version,
        resources: own
          .filter(({ apiVersion }) => apiVersion === `${group}/${version}`)
          .map(({ kind }) => ({ responseKind: { kind } })),
      }));
      return { metadata: { name: group }, versions };
    });
    return { kind: 'APIGroupDiscoveryList', items };
  }
}

function parsePath(path: string): {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
} {
  for (const resource of served) {
    const root = groupPath(resource.apiVersion);
    if (!path.startsWith(`${root}/`)) continue;
    const words = path
      .slice(root.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const namespace = words[0] === 'namespaces' && words.length > 2 ? (words[1] ?? '') : '';
    const [plural, name = '', subresource = ''] = namespace === '' ? words : words.slice(2);
    if (plural === resource.plural) return { resource, namespace, name, subresource };
  }
  throw new Refused(404, 'NotFound', `nothing is served at ${path}`);
}

function selector({ apiVersion, kind, namespace }: ObjectKey, query: URLSearchParams): (object: JsonObject) => boolean {
  const terms = (name: string): readonly string[] => (query.get(name) ?? '').split(',').filter((term) => term !== '');
  return (object) => {
    if (object['apiVersion'] !== apiVersion || object['kind'] !== kind) return false;
    if (namespace !== '' && stringAt(object, 'metadata', 'namespace') !== namespace) return false;
    const labels = objectAt(object, 'metadata', 'labels');
    return (
      terms('labelSelector').every((term) => {
        if (term.startsWith('!')) return labels[term.slice(1)] === undefined;
        const [key = '', value] = term.split('=');
        return value === undefined ? labels[key] !== undefined : labels[key] === value;
      }) &&
      terms('fieldSelector').every((term) => {
        const [field = '', value] = term.split('=');
        return stringAt(object, ...field.split('.')) === value;
      })
    );
  };
}

/** Tells a watch of a change; returns whether the change concerns it. */
function tell(watch: OpenWatch, before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  const was = before !== undefined && watch.selects(before);
  const is = after !== undefined && watch.selects(after);
  if (is) send(watch, was ? 'MODIFIED' : 'ADDED', after);
  else if (was) send(watch, 'DELETED', after ?? before);
  return was || is;
}

/** Sends an event; returns its length in bytes. */
function send({ response, isMetadataOnly }: OpenWatch, type: string, object: JsonObject): number {
  const { metadata = {} } = object;
  const shown = isMetadataOnly ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } : object;
  const line = Buffer.from(`${JSON.stringify({ type, object: shown })}\n`);
  response.write(line);
  return line.length;
}

function sendBookmark(watch: OpenWatch, metadata: JsonObject): number {
  const { apiVersion, kind } = watch.resource;
  return send(watch, 'BOOKMARK', { apiVersion, kind, metadata });
}

// A replaced version that is not the stored one is a conflict.
function guard(found: JsonObject, operations: readonly unknown[]): readonly PatchOperation[] {
  return operations.flatMap((operation) => {
    if (!isObject(operation)) return [];
    if (operation['path'] !== '/metadata/resourceVersion') return [operation as unknown as PatchOperation];
    if (operation['value'] !== versionOf(found)) throw new Refused(409, 'Conflict', 'the object has been modified');
    return [];
  });
}

function merge(object: JsonObject, fields: JsonObject): JsonObject {
  const merged = { ...object };
  for (const [key, value] of Object.entries(fields)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? merge(isObject(before) ? before : {}, value) : value;
  }
  return merged;
}

function defined(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function idOf(object: JsonObject): string {
  const { apiVersion, kind, namespace, name } = keyOf(object);
  return [apiVersion, kind, namespace, name, stringAt(object, 'metadata', 'uid')].join(' ');
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** As the API server answers about its APIs: 304 to whoever has the same answer already. */
function sendUnlessKnown(response: ServerResponse, body: JsonObject, known: string | undefined): void {
  const etag = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  if (known === etag) response.writeHead(304).end();
  else sendJson(response.setHeader('etag', etag), 200, body);
}

/** A small client of a Kubernetes API server for tests: kept-alive connections, and every answer as it came. */
import { Pool } from 'undici';
import { type CollectionIdentity, type ObjectIdentity, RestPaths, type WholeObject } from './rest-paths.ts';

/** An object as the API server gives it back. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** What a refusal says, see `metav1.Status`. */
export interface StatusFields {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[];
  };
}

/** An answer of the API server, whether it did what was asked or refused. */
export interface ApiResponse<T = KubernetesObject> {
  /** HTTP status. */
  readonly status: number;
  /** The object asked for, or a `Status`. */
  readonly body: T & StatusFields;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
}

/** A list as the API server gives it back. */
export interface ObjectList<T = KubernetesObject> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

/** Query parameters, such as `fieldValidation` or `labelSelector`. */
export type Query = Readonly<Record<string, string>>;

/** One request. */
export interface RequestOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly query?: Query;
}

/** How to apply. */
export interface ApplyOptions {
  /** @default test */
  readonly fieldManager?: string;
  /** @default - the object itself */
  readonly subresource?: string;
  readonly query?: Query;
}

/** Where and as whom to connect. */
export interface ClientOptions {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A client of one API server as one user. */
export class Client {
  /** Paths of kinds. */
  readonly paths: RestPaths;
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ server, ca, token }: ClientOptions) {
    this.#pool = new Pool(server, { connections: 16, pipelining: 1, keepAliveTimeout: 60_000, connect: { ca } });
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    this.paths = new RestPaths(async (path) => {
      const { status, body } = await this.request<{ readonly resources: [] }>('GET', path);
      return status === 200 ? body : undefined;
    });
  }

  /** Sends a request to a path and returns the answer whatever its status. */
  async request<T = KubernetesObject>(method: Method, path: string, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    const { body, contentType = 'application/json', query = {} } = options;
    const answer = await this.#pool.request({
      method,
      path,
      query,
      headers: body === undefined ? this.#headers : { ...this.#headers, 'content-type': contentType },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const content = isJson ? await answer.body.json() : { message: await answer.body.text() };
    return { status: answer.statusCode, body: content as T & StatusFields, warnings: warningTexts(answer.headers.warning) };
  }

  /** Reads an object. */
  async get<T = KubernetesObject>(object: ObjectIdentity, subresource?: string): Promise<ApiResponse<T>> {
    return this.request('GET', await this.paths.ofObject(object, subresource));
  }

  /** Reads a collection; of all namespaces when none is given. */
  async list<T = KubernetesObject>(collection: CollectionIdentity, query: Query = {}): Promise<ApiResponse<ObjectList<T>>> {
    return this.request('GET', await this.paths.ofCollection(collection), { query });
  }

  /** Creates an object. */
  async create(object: WholeObject, query: Query = {}): Promise<ApiResponse> {
    const { apiVersion, kind, metadata } = object;
    const path = await this.paths.ofCollection({ apiVersion, kind, namespace: metadata.namespace ?? 'default' });
    return this.request('POST', path, { body: object, query });
  }

  /** Asks whether an object could be created, and what it would look like; stores nothing. */
  async dryRunCreate(object: WholeObject, query: Query = {}): Promise<ApiResponse> {
    return this.create(object, { ...query, dryRun: 'All' });
  }

  /** Replaces an object, or a subresource of it. */
  async update(object: WholeObject, subresource?: string, query: Query = {}): Promise<ApiResponse> {
    return this.request('PUT', await this.paths.ofObject(object, subresource), { body: object, query });
  }

  /** Applies an object on the server side, taking over fields from other managers. */
  async apply(object: WholeObject, options: ApplyOptions = {}): Promise<ApiResponse> {
    const { fieldManager = 'test', subresource, query = {} } = options;
    return this.request('PATCH', await this.paths.ofObject(object, subresource), {
      body: object,
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager, force: 'true', ...query },
    });
  }

  /** Changes the given fields of an object, or of a subresource of it (JSON merge patch). */
  async merge(object: ObjectIdentity, patch: unknown, subresource?: string): Promise<ApiResponse> {
    const path = await this.paths.ofObject(object, subresource);
    return this.request('PATCH', path, { body: patch, contentType: 'application/merge-patch+json' });
  }

  /** Deletes an object. */
  async delete(object: ObjectIdentity, query: Query = {}): Promise<ApiResponse> {
    return this.request('DELETE', await this.paths.ofObject(object), { query });
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** The body of an answer that must be a success; throws what the API server said when it is not. */
export function succeeded<T>({ status, body }: ApiResponse<T>): T {
  if (status >= 200 && status < 300) return body;
  throw new Error(`the API server answered ${status} ${body.reason ?? ''}: ${body.message ?? ''}`);
}

// A header is `299 - "text"`; several come as several headers.
function warningTexts(header: string | string[] | undefined): readonly string[] {
  return [header ?? []].flat().map((value) => /^\d+ \S+ "(.*)"$/s.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? value);
}

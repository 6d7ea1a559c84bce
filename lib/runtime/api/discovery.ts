/** Which APIs the API server serves at the moment. */
import { isObject, objectsAt, stringAt, type JsonObject } from '../../json/index.ts';
import { ApiError, ConnectionError, isNotFound } from './errors.ts';
import type { ObjectKind } from './object.ts';
import { groupPath, type Resource } from './resources.ts';
import type { ApiResponse, Transport } from './transport.ts';

/** The APIs served at one moment. */
export interface ServedApis {
  /** Names of the API groups, without the core group. */
  readonly groups: ReadonlySet<string>;
  /** Whether a kind of a group is served; on servers that list groups only, whether its group and version is. */
  readonly serves: (kind: ObjectKind) => boolean;
}

// One answer with every resource of every group; servers before 1.27 answer with the plain list of groups.
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Asks for the APIs served, with one small request while nothing changes. */
export class Discovery {
  readonly #transport: Transport;
  #last: { readonly etag: string; readonly apis: ServedApis } | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The APIs that are served now; the same object while the server answers that nothing changed. */
  async ask(signal?: AbortSignal): Promise<ServedApis> {
    const headers: Record<string, string> = {};
    if (this.#last !== undefined) headers['if-none-match'] = this.#last.etag;
    const answer = await this.#transport.request({ method: 'GET', path: '/apis', accept: aggregated, headers }, signal);
    if (answer.status === 304 && this.#last !== undefined) return this.#last.apis;
    const apis = servedApis(answer);
    const { etag } = answer.headers;
    this.#last = typeof etag === 'string' ? { etag, apis } : undefined;
    return apis;
  }
}

/** Asks the API server for the REST resource of a kind; throws if the kind is not served. */
export async function findResource(transport: Transport, kind: ObjectKind): Promise<Resource> {
  const path = groupPath(kind.apiVersion);
  const answer = await transport.request({ method: 'GET', path }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  for (const resource of answer === undefined ? [] : objectsAt(listOf(answer, 'APIResourceList'), 'resources')) {
    const { name, namespaced } = resource;
    if (resource['kind'] !== kind.kind || typeof name !== 'string' || name.includes('/')) continue;
    return { ...kind, plural: name, namespaced: namespaced === true };
  }
  const message = `no matches for kind "${kind.kind}" in version "${kind.apiVersion}"; is its CRD installed?`;
  throw new ApiError({ status: 404, reason: 'NotFound', message, request: `GET ${path}` });
}

/** The body of an answer. A page of a proxy says nothing about APIs: it must not be taken for a list without any. */
function listOf({ body }: ApiResponse, ...kinds: readonly string[]): JsonObject {
  if (isObject(body) && kinds.includes(stringAt(body, 'kind'))) return body;
  throw new ConnectionError('cut_off', `the answer is not an ${kinds.join(' or ')}`);
}

function servedApis(answer: ApiResponse): ServedApis {
  const body = listOf(answer, 'APIGroupDiscoveryList', 'APIGroupList');
  return body['kind'] === 'APIGroupDiscoveryList' ? fromAggregated(body) : fromGroups(body);
}

function fromAggregated(body: JsonObject): ServedApis {
  const groups = new Set<string>();
  const kinds = new Set<string>();
  for (const group of objectsAt(body, 'items')) {
    const name = stringAt(group, 'metadata', 'name');
    groups.add(name);
    for (const version of objectsAt(group, 'versions')) {
      for (const { responseKind } of objectsAt(version, 'resources')) {
        kinds.add(`${name}/${stringAt(version, 'version')}/${stringAt(responseKind, 'kind')}`);
      }
    }
  }
  return { groups, serves: ({ apiVersion, kind }) => !apiVersion.includes('/') || kinds.has(`${apiVersion}/${kind}`) };
}

function fromGroups(body: JsonObject): ServedApis {
  const groups = new Set<string>();
  const versions = new Set<string>();
  for (const group of objectsAt(body, 'groups')) {
    groups.add(stringAt(group, 'name'));
    for (const version of objectsAt(group, 'versions')) versions.add(stringAt(version, 'groupVersion'));
  }
  return { groups, serves: ({ apiVersion }) => !apiVersion.includes('/') || versions.has(apiVersion) };
}

/** Turns kinds into REST paths by asking the API server's discovery, once per group and version. */

/** What names an object. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

interface OpenFields {
  readonly [field: string]: unknown;
}

/** An object with all its fields; the second form is for literals, the first for values of any interface. */
export type WholeObject = ObjectIdentity | (ObjectIdentity & { readonly metadata: OpenFields } & OpenFields);

/** What names a collection. */
export interface CollectionIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Reads the discovery document at a path; `undefined` when there is none. */
export type ReadDiscovery = (path: string) => Promise<{ readonly resources: readonly Resource[] } | undefined>;

/** Paths of kinds, as the API server serves them. */
export class RestPaths {
  readonly #read: ReadDiscovery;
  readonly #resources = new Map<string, Resource>();

  constructor(read: ReadDiscovery) {
    this.#read = read;
  }

  /** Path of a collection: where objects are created and listed. */
  async ofCollection({ apiVersion, kind, namespace }: CollectionIdentity): Promise<string> {
    const resource = await this.#resource(apiVersion, kind);
    const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    return `${groupPath(apiVersion)}${scope}/${resource.name}`;
  }

  /** Path of one object; a namespaced one without a namespace is looked for in `default`. */
  async ofObject({ apiVersion, kind, metadata }: ObjectIdentity, subresource?: string): Promise<string> {
    if (metadata.name === undefined) throw new Error(`${apiVersion} ${kind}: metadata.name is needed to address one object`);
    const collection = await this.ofCollection({ apiVersion, kind, namespace: metadata.namespace ?? 'default' });
    return [collection, encodeURIComponent(metadata.name), ...(subresource === undefined ? [] : [subresource])].join('/');
  }

  async #resource(apiVersion: string, kind: string): Promise<Resource> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#resources.get(key) ?? (await this.#discover(apiVersion, kind));
    if (known === undefined) throw new Error(`the API server does not serve ${key}; install its CRD first`);
    this.#resources.set(key, known);
    return known;
  }

  async #discover(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const document = await this.#read(groupPath(apiVersion));
    return document?.resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

import { trimEndOf } from '../json/index.ts';

/** Options of an image rewriter. */
interface ImageRewriting {
  /** Registry, with an optional path, that replaces the registry of the reference. */
  readonly registry?: string | undefined;
  /** Digests by original reference. */
  readonly digests: Readonly<Record<string, string>>;
}

/** Whether a reference starts with a registry: a segment with a dot or a port, or `localhost` (`splitDockerDomain` of github.com/distribution/reference). */
function hasRegistry(reference: string): boolean {
  const first = reference.split('/', 1)[0] ?? '';
  return reference.includes('/') && (/[.:]/.test(first) || first === 'localhost');
}

/** The reference without its registry: `nvcr.io/a/b:1` becomes `a/b:1`, and a short name of Docker Hub gets the prefix `library/`. */
function withoutRegistry(reference: string): string {
  if (hasRegistry(reference)) {
    const rest = reference.slice(reference.indexOf('/') + 1);
    return reference.startsWith('docker.io/') && !rest.includes('/') ? `library/${rest}` : rest;
  }
  return reference.includes('/') ? reference : `library/${reference}`;
}

/** An image reference split into name, tag and digest. */
interface ImageReference {
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Splits an image reference such as `registry:5000/repository:tag@digest`. */
export function parseImage(reference: string): ImageReference {
  const [rest = '', digest] = reference.split('@');
  const colon = rest.lastIndexOf(':');
  const tagged = colon > rest.lastIndexOf('/');
  return {
    name: tagged ? rest.slice(0, colon) : rest,
    ...(tagged ? { tag: rest.slice(colon + 1) } : {}),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Whether the image of a reference may change: it has neither a digest nor a tag other than `latest`. */
export function isFloating(reference: string): boolean {
  const { tag = 'latest', digest } = parseImage(reference);
  return digest === undefined && tag === 'latest';
}

/** Tag of an image reference, without a digest; `unknown` where there is none. */
export function tagOf(reference: string): string {
  return parseImage(reference).tag ?? 'unknown';
}

/** A function that pins the digest of an image and then replaces its registry; without either the reference stays unchanged. */
export function imageRewriter(rewriting: ImageRewriting): (reference: string) => string {
  const registry = rewriting.registry === undefined ? undefined : trimEndOf(rewriting.registry, '/');
  return (reference) => {
    const digest = Object.hasOwn(rewriting.digests, reference) ? rewriting.digests[reference] : undefined;
    const pinned = digest === undefined || reference.includes('@') ? reference : `${reference}@${digest}`;
    return registry === undefined ? pinned : `${registry}/${withoutRegistry(pinned)}`;
  };
}

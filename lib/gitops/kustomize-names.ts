import type { KubernetesObject } from '../api/index.ts';
import { isList, isObject, type Json, type JsonObject } from '../json/index.ts';

/**
 * Replacements that copy names and namespaces of objects into strings that contain them: addresses in arguments, names in configuration files,
 * `cert-manager.io/inject-ca-from`. Kustomize updates references between objects, but not names inside strings.
 *
 * A replacement sets one piece of a string that is split at a delimiter. No delimiter isolates `nats` in `http://nats.dynamo:4222`, so a first
 * replacement sets `nats`, the piece before `.`, in a ConfigMap that holds `nats.dynamo:4222`, and a second one copies that string into the piece
 * after `http://`. The ConfigMap is annotated as local configuration, which kustomize leaves out of its output.
 * See https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/replacements/.
 */

/** The field that a replacement reads. */
interface Source {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly fieldPath: string;
}

/** The field, or the piece of a field, that a replacement sets. */
interface Target {
  readonly select: JsonObject;
  readonly fieldPath: string;
  readonly options?: { readonly delimiter: string; readonly index: number };
}

/** The replacements for the names of an environment. */
export interface NameWiring {
  readonly replacements: readonly JsonObject[];
  /** ConfigMap with pieces of strings that need two replacements. */
  readonly pieces: KubernetesObject | undefined;
}

const piecesName = 'dynamo-cdk8s-name-pieces';

/** Keys whose names kustomize updates itself, or that must not change. */
const skippedKeys = new Set([
  'labels',
  'matchLabels',
  'roleRef',
  'selector',
  'serviceAccountName',
  'secretName',
  'secretRef',
  'configMap',
  'clientConfig',
]);
const skippedKinds = new Set(['CustomResourceDefinition', 'Namespace', 'Queue']);

/** Names and namespaces of objects, longest first, each with the field to read it from. */
function tokensOf(objects: readonly KubernetesObject[]): Tokens {
  const tokens = new Map<string, Source>();
  for (const { kind, metadata } of objects) {
    if (skippedKinds.has(kind)) continue;
    const { name, namespace } = metadata;
    const of = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    if (!tokens.has(name)) tokens.set(name, { ...of, fieldPath: 'metadata.name' });
    if (namespace !== undefined && !tokens.has(namespace)) tokens.set(namespace, { ...of, fieldPath: 'metadata.namespace' });
  }
  return [...tokens].toSorted(([a], [b]) => b.length - a.length);
}

type Tokens = readonly (readonly [string, Source])[];

interface Mention {
  readonly start: number;
  readonly end: number;
  readonly source: Source;
}

/** Whether a match is a whole name and not part of a longer one; the ordinal of a StatefulSet pod, as in `nats-0`, may follow. */
function isWhole(value: string, start: number, end: number): boolean {
  return !/[a-z0-9-]/i.test(value.charAt(start - 1)) && /^(?:$|[^a-z0-9-]|-\d+(?:$|[^a-z0-9-]))/i.test(value.slice(end, end + 8));
}

/** Whether a match is part of an address: `.NAMESPACE` follows it, or `NAMESPACE/` precedes it. */
function isInAddress(value: string, start: number, end: number, namespace: string | undefined): boolean {
  if (namespace === undefined) return false;
  const [before, after] = [`${namespace}/`, `.${namespace}`];
  return value.slice(end, end + after.length) === after || value.slice(Math.max(0, start - before.length), start) === before;
}

/** The names that a string contains, first to last. */
function mentions(value: string, tokens: Tokens): readonly Mention[] {
  const found: Mention[] = [];
  for (const [token, source] of tokens)
    for (let start = value.indexOf(token); start >= 0; start = value.indexOf(token, start + token.length)) {
      const end = start + token.length;
      const free = !found.some((m) => m.start < end && start < m.end);
      // A name without a hyphen, such as `nats`, may be an ordinary word outside of an address.
      const isWord = source.fieldPath === 'metadata.name' && !token.includes('-');
      if (free && isWhole(value, start, end) && (!isWord || isInAddress(value, start, end, source.namespace)))
        found.push({ start, end, source });
    }
  return found.toSorted((a, b) => a.start - b.start);
}

/**
 * The delimiter and index of the piece that is exactly a mention, or undefined if no delimiter isolates it. Delimiters are one to three characters
 * before or after the mention; they lie between `from`, the end of the previous mention, and `to`, the start of the next.
 */
function pieceOf(value: string, { start, end }: Mention, from: number, to: number): Target['options'] | undefined {
  const before = Array.from({ length: Math.min(3, start - from) }, (_, i) => value.slice(start - i - 1, start));
  const after = Array.from({ length: Math.min(3, to - end) }, (_, i) => value.slice(end, end + i + 1));
  for (const delimiter of [...before, ...after]) {
    const pieces = value.split(delimiter);
    let at = 0;
    for (const [index, piece] of pieces.entries()) {
      if (at === start && piece.length === end - start) return { delimiter, index };
      at += piece.length + delimiter.length;
    }
  }
  return undefined;
}

/** Collects replacements and the pieces they need. */
class Wiring {
  readonly replacements: JsonObject[] = [];
  readonly pieces: Record<string, string> = {};
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Adds replacements for every name in a string. */
  wire(value: string, select: JsonObject, fieldPath: string): void {
    let done = 0;
    const found = mentions(value, this.#tokens);
    for (const [i, mention] of found.entries()) {
      const { start, end, source } = mention;
      if (start < done) continue;
      const from = found[i - 1]?.end ?? 0;
      const options = pieceOf(value, mention, from, found[i + 1]?.start ?? value.length);
      if (start === 0 && end === value.length) this.#add(source, { select, fieldPath });
      else if (options !== undefined) this.#add(source, { select, fieldPath, options });
      else done = start + this.#wireRest(value, start, value.slice(from, start), { select, fieldPath });
    }
  }

  /** Adds replacements for the piece after a delimiter, by way of the ConfigMap; returns the length of the piece. */
  #wireRest(value: string, start: number, delimiter: string, target: Target): number {
    const pieces = value.split(delimiter);
    let at = 0;
    const index = pieces.findIndex((piece) => at === start || ((at += piece.length + delimiter.length), false));
    const piece = pieces[index] ?? '';
    const key = `piece-${Object.keys(this.pieces).length}`;
    this.pieces[key] = piece;
    this.wire(piece, { kind: 'ConfigMap', name: piecesName }, `data.${key}`);
    this.#add({ kind: 'ConfigMap', name: piecesName, fieldPath: `data.${key}` }, { ...target, options: { delimiter, index } });
    return piece.length;
  }

  #add(source: Source, { select, fieldPath, options }: Target): void {
    this.replacements.push({
      source: { ...source },
      targets: [{ select, fieldPaths: [fieldPath], ...(options === undefined ? {} : { options: { ...options } }) }],
    });
  }
}

const step = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : `[${key}]`);

/** Strings of an object that may contain names, each with its field path. */
function* strings(value: Json | undefined, path: string): Iterable<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (isList(value)) for (const [i, item] of value.entries()) yield* strings(item, `${path}.${i}`);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      if (!skippedKeys.has(key)) yield* strings(inner, path === '' ? step(key) : `${path}.${step(key)}`);
}

/** Returns the replacements for the names in an environment's objects. */
export function wireNames(objects: readonly KubernetesObject[], namespace: string): NameWiring {
  const wiring = new Wiring(tokensOf(objects));
  for (const object of objects) {
    if (skippedKinds.has(object.kind)) continue;
    const { metadata, ...rest } = object;
    const select = { kind: object.kind, name: metadata.name };
    const searched: JsonObject = { metadata: { annotations: metadata.annotations ?? {} }, ...rest };
    for (const [path, value] of strings(searched, '')) wiring.wire(value, select, path);
  }
  const pieces: KubernetesObject | undefined =
    Object.keys(wiring.pieces).length === 0
      ? undefined
      : {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: piecesName, namespace, annotations: { 'config.kubernetes.io/local-config': 'true' } },
          data: wiring.pieces,
        };
  return { replacements: wiring.replacements, pieces };
}

import { isList, isObject, type Json, type JsonObject } from '../json/index.ts';
import type { KubernetesObject } from '../platform/index.ts';

/**
 * Replacements that carry names and namespaces of objects into strings that mention them: addresses in arguments, names in configuration files,
 * `inject-ca-from`. Kustomize follows references between objects by itself, but does not look into strings.
 *
 * A replacement can set one piece of a string that is cut at a delimiter. `http://nats.dynamo:4222` has no delimiter that cuts out `nats`, so the
 * piece after `http://` is put into a ConfigMap first, where `nats` is the piece before `.`; then it is put back. The ConfigMap is marked as local
 * and left out of what kustomize builds. See https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/replacements/.
 */

/** Where a value comes from. */
interface Source {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly fieldPath: string;
}

/** Where a value goes: a field, or one piece of it. */
interface Target {
  readonly select: JsonObject;
  readonly fieldPath: string;
  readonly options?: { readonly delimiter: string; readonly index: number };
}

/** What wires the names of an environment. */
export interface NameWiring {
  readonly replacements: readonly JsonObject[];
  /** Object that holds pieces of strings while they are put together. */
  readonly pieces: KubernetesObject | undefined;
}

const piecesName = 'dynamo-cdk8s-name-pieces';

/** Keys whose values kustomize follows itself, or that no name is to be changed in. */
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

/** Names and namespaces of objects, longest first, each with the object that it is to be read from. */
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

/** A name ends where no more of a name follows; the number of a StatefulSet's pod may. */
function isWhole(text: string, start: number, end: number): boolean {
  return !/[a-z0-9-]/i.test(text.charAt(start - 1)) && /^(?:$|[^a-z0-9-]|-\d+(?:$|[^a-z0-9-]))/i.test(text.slice(end, end + 8));
}

/** Whether a place is one of a name, where the name itself could be any word: before `.NAMESPACE` or after `NAMESPACE/`. */
function isInAddress(text: string, start: number, end: number, namespace: string | undefined): boolean {
  if (namespace === undefined) return false;
  const [before, after] = [`${namespace}/`, `.${namespace}`];
  return text.slice(end, end + after.length) === after || text.slice(Math.max(0, start - before.length), start) === before;
}

/** Where a text mentions names, first to last. */
function mentions(text: string, tokens: Tokens): readonly Mention[] {
  const found: Mention[] = [];
  for (const [token, source] of tokens)
    for (let start = text.indexOf(token); start >= 0; start = text.indexOf(token, start + token.length)) {
      const end = start + token.length;
      const free = !found.some((m) => m.start < end && start < m.end);
      const word = source.fieldPath === 'metadata.name' && !token.includes('-');
      if (free && isWhole(text, start, end) && (!word || isInAddress(text, start, end, source.namespace)))
        found.push({ start, end, source });
    }
  return found.toSorted((a, b) => a.start - b.start);
}

/**
 * The delimiter and number of the piece that is exactly a mention, if there is a delimiter that cuts it out. A delimiter is text around it up to
 * other mentions, which begin and end at `from` and `to`.
 */
function pieceOf(text: string, { start, end }: Mention, from: number, to: number): Target['options'] | undefined {
  const before = Array.from({ length: Math.min(3, start - from) }, (_, i) => text.slice(start - i - 1, start));
  const after = Array.from({ length: Math.min(3, to - end) }, (_, i) => text.slice(end, end + i + 1));
  for (const delimiter of [...before, ...after]) {
    const pieces = text.split(delimiter);
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

  /** Wires every name that a string mentions. */
  wire(text: string, select: JsonObject, fieldPath: string): void {
    let done = 0;
    const found = mentions(text, this.#tokens);
    for (const [i, mention] of found.entries()) {
      const { start, end, source } = mention;
      if (start < done) continue;
      const from = found[i - 1]?.end ?? 0;
      const options = pieceOf(text, mention, from, found[i + 1]?.start ?? text.length);
      if (start === 0 && end === text.length) this.#add(source, { select, fieldPath });
      else if (options !== undefined) this.#add(source, { select, fieldPath, options });
      else done = start + this.#wireRest(text, start, text.slice(from, start), { select, fieldPath });
    }
  }

  /** Wires what follows a delimiter, up to where that stands again, in a piece of its own; its length. */
  #wireRest(text: string, start: number, delimiter: string, target: Target): number {
    const pieces = text.split(delimiter);
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

/** Strings of an object that may mention names, each with its path. */
function* strings(value: Json | undefined, path: string): Iterable<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (isList(value)) for (const [i, item] of value.entries()) yield* strings(item, `${path}.${i}`);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      if (!skippedKeys.has(key)) yield* strings(inner, path === '' ? step(key) : `${path}.${step(key)}`);
}

/** Wires the names of an environment's objects. */
export function wireNames(objects: readonly KubernetesObject[], namespace: string): NameWiring {
  const wiring = new Wiring(tokensOf(objects));
  for (const object of objects) {
    if (skippedKinds.has(object.kind)) continue;
    const { metadata, ...rest } = object;
    const select = { kind: object.kind, name: metadata.name };
    const looked: JsonObject = { metadata: { annotations: metadata.annotations ?? {} }, ...rest };
    for (const [path, text] of strings(looked, '')) wiring.wire(text, select, path);
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

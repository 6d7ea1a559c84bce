import { formatPath, isList, isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import type { KubernetesObject } from '../platform/index.ts';
import { hasCredentials } from './repository-url.ts';

/** A secret that would end up in Git: in which object, where, and what to do instead. Never holds the secret itself. */
interface SecretFound {
  readonly object: KubernetesObject;
  readonly path: Path;
  readonly message: string;
}

const wayOut = 'use an ExternalSecret or a SealedSecret and refer to the Secret it makes; --allow-secrets writes it all the same';

/** Names that hold secrets, in environment variables and configuration. */
const secretName =
  /(?:^|_|-|\.)(?:token|password|passwd|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|creds|nkey)$/i;
/** Names that look like those of secrets and are settings of etcd. */
const plainNames = new Set(['ETCD_INITIAL_CLUSTER_TOKEN', 'ETCD_AUTH_TOKEN']);
/** Values that are secrets whatever they are called: tokens with a known form, and private keys. */
const secretValues = [
  /\bhf_[A-Za-z0-9]{20}/,
  /\bnvapi-[A-Za-z0-9_-]{20}/,
  /\bgh[opsu]_[A-Za-z0-9]{30}/,
  /\bgithub_pat_[A-Za-z0-9_]{30}/,
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{10,300}\.eyJ[A-Za-z0-9_-]{10}/,
];

/** Values that name a secret and hold none: a reference that the container or a template fills in, a path, a switch. */
const harmless = /^(?:|true|false|yes|no|none|null|\d{1,6}|\$\(.*\)|\$\{?\w+\}?|\/.*|<.*>|\{\{.*\}\})$/i;

function isSecretString(value: string): boolean {
  return secretValues.some((pattern) => pattern.test(value));
}

function contentOf(object: JsonObject): readonly (readonly [string, string])[] {
  const entries = (field: string): readonly [string, string][] =>
    isObject(object[field])
      ? Object.entries(object[field]).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : []))
      : [];
  return [
    ...entries('data').map(([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const),
    ...entries('stringData'),
  ];
}

/** Whether a Secret is one that the platform renders without anything secret in it, such as the environment of the operator. */
function isHarmlessPart(object: KubernetesObject): boolean {
  const ours = object.metadata.labels?.['helm.sh/chart'] !== undefined && object['type'] !== 'kubernetes.io/dockerconfigjson';
  return ours && contentOf(object).every(([key, value]) => problem(key, value, true) === undefined);
}

/** Flags whose value is a secret; other tokens of a command line are those of models. */
const secretFlag =
  /^--(?:token|(?:[a-z0-9]+[-_])?(?:password|passwd|secret|secret[-_]key|api[-_]key|access[-_]key|private[-_]key|(?:hf|auth|access|api|bearer|github)[-_]token))$/i;

/** What a command line gives to a flag or variable of its own, as `--api-key VALUE` and `NAME=VALUE`; a value that the shell fills in is none. */
function wordProblem(words: readonly string[]): string | undefined {
  for (const [i, word] of words.entries()) {
    const cut = word.indexOf('=');
    const [name, value = ''] = cut > 0 ? [word.slice(0, cut), word.slice(cut + 1)] : [word, words[i + 1]];
    const isSecret = cut > 0 ? /^\w+$/.test(name) && secretName.test(name) : secretFlag.test(name) && !value.startsWith('-');
    const bare = value.replaceAll(/["'\\;]/g, '');
    if (isSecret && !plainNames.has(name) && !/^[$`]/.test(bare) && !harmless.test(bare))
      return `${cut > 0 ? 'variable' : 'flag'} ${name} is given what its name says is a secret, which must not go into Git`;
  }
  return undefined;
}

/** The command lines of an object: lists of words, and scripts, which are taken apart at white space. */
function* commandLines(
  value: Json | undefined,
  path: Path,
): Iterable<{ readonly path: Path; readonly words: readonly string[] }> {
  if (isList(value)) for (const [i, item] of value.entries()) yield* commandLines(item, [...path, i]);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      if ((key === 'command' || key === 'args') && isList(inner)) {
        const words = inner.filter((word) => typeof word === 'string');
        yield { path: here, words };
        for (const [i, word] of words.entries()) yield { path: [...here, i], words: word.split(/\s/) };
      } else yield* commandLines(inner, here);
    }
}

/** What an object would carry into Git. */
export function findSecrets(object: KubernetesObject): readonly SecretFound[] {
  if (object.kind === 'Secret' && object.apiVersion === 'v1') {
    if (contentOf(object).length === 0 || isHarmlessPart(object)) return [];
    return [{ object, path: [], message: `a Secret with content must not go into Git; ${wayOut}` }];
  }
  const inStrings = [...strings(object, [])].flatMap(({ path, value, name }) => {
    const message = problem(name, value, object.kind === 'ConfigMap') ?? lineProblem(object, value);
    return message === undefined ? [] : [{ object, path, message: `${message}; ${wayOut}` }];
  });
  const inCommands = [...commandLines(object, [])].flatMap(({ path, words }) => {
    const message = wordProblem(words);
    return message === undefined ? [] : [{ object, path, message: `${message}; ${wayOut}` }];
  });
  return [...inStrings, ...inCommands];
}

/** A line of a ConfigMap's file that gives a value to a name that is a secret's. */
function lineProblem(object: KubernetesObject, value: string): string | undefined {
  if (object.kind !== 'ConfigMap') return undefined;
  for (const line of value.split('\n')) {
    const cut = line.search(/[:=]/);
    if (cut <= 0) continue;
    const bare = (text: string): string => text.trim().replaceAll(/^["'`]|["'`,;]$/g, '');
    const found = problem(bare(line.slice(0, cut)), bare(line.slice(cut + 1)), true);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problem(name: string | undefined, text: string, configMap: boolean): string | undefined {
  const value = name !== undefined && text.startsWith(`--${name}=`) ? text.slice(name.length + 3) : text;
  if (isSecretString(value)) return 'holds a token or private key, which must not go into Git';
  if (hasCredentials(value)) return 'holds an address with a user and password, which must not go into Git';
  if (name !== undefined && secretName.test(name) && !plainNames.has(name) && !harmless.test(value.trim()))
    return `${configMap ? 'key' : 'variable'} ${name} holds what its name says is a secret, which must not go into Git`;
  return undefined;
}

interface Found {
  readonly path: Path;
  readonly value: string;
  /** Name that says what the string is: of an environment variable or of a key of a ConfigMap. */
  readonly name?: string;
}

/** Every string of a value, with the name of the environment variable or ConfigMap key that it belongs to. */
function* strings(value: Json | undefined, path: Path): Iterable<Found> {
  if (typeof value === 'string') yield { path, value, ...flag(value) };
  else if (isList(value)) for (const [i, item] of value.entries()) yield* strings(item, [...path, i]);
  else if (isObject(value)) {
    const { name } = value;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      const variable = key === 'value' && typeof name === 'string' ? name : undefined;
      const entry = path.length === 1 && path[0] === 'data' ? key : undefined;
      if (typeof inner === 'string') yield { path: here, value: inner, ...named(variable ?? entry) };
      else yield* strings(inner, here);
    }
  }
}

/** The name of a flag such as `--api-key=VALUE`. */
function flag(value: string): { readonly name?: string } {
  return value.startsWith('--') && value.includes('=') ? { name: value.slice(2, value.indexOf('=')) } : {};
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

/** A secret found as a line for the user. */
export function describeSecret({ object, path, message }: SecretFound): string {
  const { kind, metadata } = object;
  const where = path.length === 0 ? '' : ` ${formatPath(path)}`;
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}${where}: ${message}`;
}

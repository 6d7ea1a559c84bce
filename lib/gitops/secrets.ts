import type { KubernetesObject } from '../api/index.ts';
import { formatPath, isList, isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import { hasCredentials } from './repository-url.ts';

/** A secret that would be committed to Git: the object, the field path and a message. Never contains the secret itself. */
interface SecretFound {
  readonly object: KubernetesObject;
  readonly path: Path;
  readonly message: string;
}

const remedy =
  'use an ExternalSecret or a SealedSecret and reference the Secret it creates, or pass --allow-secrets to write it anyway';

/** Names of environment variables and configuration keys whose values are secrets. */
const secretName =
  /(?:^|_|-|\.)(?:token|password|passwd|secret|secret[_-]?key|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|creds|nkey)$/i;
/** Settings of etcd whose names look like those of secrets, see https://etcd.io/docs/v3.5/op-guide/configuration/. */
const plainNames = new Set(['ETCD_INITIAL_CLUSTER_TOKEN', 'ETCD_AUTH_TOKEN']);
/** Values that are secrets under any name: tokens in a known format, and private keys. */
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

/** Values that are no secrets under any name: variable references, template expressions, paths, numbers and booleans. */
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

/** Whether a Secret is rendered by the platform and contains no secret values, such as the environment of the operator. */
function isHarmlessSecret(object: KubernetesObject): boolean {
  const ours = object.metadata.labels?.['helm.sh/chart'] !== undefined && object['type'] !== 'kubernetes.io/dockerconfigjson';
  return ours && contentOf(object).every(([key, value]) => problem(key, value, true) === undefined);
}

/** Flags whose values are secrets; in other flags, such as `--max-num-tokens`, a token is one of a model. */
const secretFlag =
  /^--(?:token|(?:[a-z0-9]+[-_])?(?:password|passwd|secret|secret[-_]key|api[-_]key|access[-_]key|private[-_]key|(?:hf|auth|access|api|bearer|github)[-_]token))$/i;

/** Reports a secret in a command line, as in `--api-key VALUE` or `NAME=VALUE`; a value that the shell expands is no secret. */
function argumentProblem(args: readonly string[]): string | undefined {
  for (const [i, arg] of args.entries()) {
    const cut = arg.indexOf('=');
    const [name, value = ''] = cut > 0 ? [arg.slice(0, cut), arg.slice(cut + 1)] : [arg, args[i + 1]];
    const isSecret = cut > 0 ? /^\w+$/.test(name) && secretName.test(name) : secretFlag.test(name) && !value.startsWith('-');
    const bare = value.replaceAll(/["'\\;]/g, '');
    if (isSecret && !plainNames.has(name) && !/^[$`]/.test(bare) && !harmless.test(bare))
      return `${cut > 0 ? 'variable' : 'flag'} ${name} is set to what looks like a secret, which must not be committed to Git`;
  }
  return undefined;
}

/** The command lines of an object: its lists of arguments and, since an argument may be a script, each argument split at white space. */
function* commandLines(value: Json | undefined, path: Path): Iterable<{ readonly path: Path; readonly args: readonly string[] }> {
  if (isList(value)) for (const [i, item] of value.entries()) yield* commandLines(item, [...path, i]);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      if ((key === 'command' || key === 'args') && isList(inner)) {
        const args = inner.filter((arg) => typeof arg === 'string');
        yield { path: here, args };
        for (const [i, arg] of args.entries()) yield { path: [...here, i], args: arg.split(/\s/) };
      } else yield* commandLines(inner, here);
    }
}

/** A ConfigMap with its binary data decoded, in which text may be hidden; any other object unchanged. */
function withReadableData(object: KubernetesObject): KubernetesObject {
  const { kind, binaryData } = object;
  if (kind !== 'ConfigMap' || !isObject(binaryData)) return object;
  const decode = (value: Json | undefined): Json =>
    typeof value === 'string' ? Buffer.from(value, 'base64').toString() : (value ?? null);
  return {
    ...object,
    binaryData: Object.fromEntries(Object.entries(binaryData).map(([key, value]) => [key, decode(value)])),
  };
}

/** Finds the secrets that an object would put into Git. */
export function findSecrets(object: KubernetesObject): readonly SecretFound[] {
  if (object.kind === 'Secret' && object.apiVersion === 'v1') {
    if (contentOf(object).length === 0 || isHarmlessSecret(object)) return [];
    return [{ object, path: [], message: `a Secret with data must not be committed to Git; ${remedy}` }];
  }
  const inStrings = [...strings(withReadableData(object), [])].flatMap(({ path, value, name }) => {
    const message = problem(name, value, object.kind === 'ConfigMap') ?? lineProblem(object, value);
    return message === undefined ? [] : [{ object, path, message: `${message}; ${remedy}` }];
  });
  const inCommands = [...commandLines(object, [])].flatMap(({ path, args }) => {
    const message = argumentProblem(args);
    return message === undefined ? [] : [{ object, path, message: `${message}; ${remedy}` }];
  });
  return [...inStrings, ...inCommands];
}

/** Reports a line in the data of a ConfigMap that sets a secret, as in `password: VALUE`. */
function lineProblem(object: KubernetesObject, value: string): string | undefined {
  if (object.kind !== 'ConfigMap') return undefined;
  for (const line of value.split('\n')) {
    const cut = line.search(/[:=]/);
    if (cut <= 0) continue;
    const bare = (part: string): string => part.trim().replaceAll(/^["'`]|["'`,;]$/g, '');
    const found = problem(bare(line.slice(0, cut)), bare(line.slice(cut + 1)), true);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problem(name: string | undefined, given: string, configMap: boolean): string | undefined {
  const value = name !== undefined && given.startsWith(`--${name}=`) ? given.slice(name.length + 3) : given;
  if (isSecretString(value)) return 'contains a token or private key, which must not be committed to Git';
  if (hasCredentials(value)) return 'contains a URL with credentials, which must not be committed to Git';
  if (name !== undefined && secretName.test(name) && !plainNames.has(name) && !harmless.test(value.trim()))
    return `${configMap ? 'key' : 'variable'} ${name} contains what looks like a secret, which must not be committed to Git`;
  return undefined;
}

interface Found {
  readonly path: Path;
  readonly value: string;
  /** Name of the environment variable, flag or ConfigMap key whose value the string is. */
  readonly name?: string;
}

/** Every string in a value, with the name of its environment variable, flag or ConfigMap key. */
function* strings(value: Json | undefined, path: Path): Iterable<Found> {
  if (typeof value === 'string') yield { path, value, ...flag(value) };
  else if (isList(value)) for (const [i, item] of value.entries()) yield* strings(item, [...path, i]);
  else if (isObject(value)) {
    const { name } = value;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      const variable = key === 'value' && typeof name === 'string' ? name : undefined;
      const entry = path.length === 1 && (path[0] === 'data' || path[0] === 'binaryData') ? key : undefined;
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

/** Formats a secret that was found as a line for the user. */
export function describeSecret({ object, path, message }: SecretFound): string {
  const { kind, metadata } = object;
  const where = path.length === 0 ? '' : ` ${formatPath(path)}`;
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}${where}: ${message}`;
}

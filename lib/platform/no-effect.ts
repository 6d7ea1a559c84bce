/**
 * Values that a user set and that have no effect: rendering without such a value, and with another one in its place, gives the same objects, problems,
 * warnings and notes. They are found by rendering, so no list of them has to be maintained.
 */
import type { Issue } from '../api/index.ts';
import { isEqual, isObject, type Json, type JsonObject, type Path, valueAt } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { fillIn } from './merge.ts';
import type { ValuesSchema } from './part.ts';
import { parts } from './parts.ts';
import type { ContextOptions } from './platform-context.ts';
import { renderPlatform } from './platform.ts';
import { effectiveBlock } from './values.ts';
import { valuesSchema } from './values-schema.ts';

interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

/** Values that control the rendering, and values that other warnings cover. */
const exempt = [
  'platform.profile',
  'platform.switches',
  'platform.networkPolicy.allowAllNamespaces',
  'dynamo-operator.webhook.certManager.enabled',
];

/** Values that ask for what the profile secure does anyway. */
const impliedValues: Readonly<Record<string, Json>> = {
  'etcd.pdb.create': true,
  'etcd.auth.token.enabled': false,
  'etcd.startupProbe.enabled': true,
  'etcd.readinessProbe.enabled': true,
  'etcd.livenessProbe.enabled': true,
  'grove.config.server.healthProbes.enable': true,
  'nats.podDisruptionBudget.enabled': true,
};

/** The fix by path, for values whose effect does not depend on an `enabled` of an enclosing block. */
const fixes: Readonly<Record<string, string>> = {
  'dynamo-operator.webhook.certGenerator':
    'only platform.certificates.mode jobs, the default of the profile parity, creates the certificate with Jobs; remove it',
  'dynamo-operator.webhook.certificateValidity':
    'the operator sets the lifetime of a certificate that it manages, and an external issuer that of its certificate; remove it',
  'dynamo-operator.dynamo.mpiRun.sshKeygen':
    'set dynamo-operator.dynamo.mpiRun.sshKeygen.enabled to true to create the key with a Job, or remove it',
  'dynamo-operator.controllerManager.manager.image':
    'with platform.operator.kind dynamo-cdk8s the image is platform.operator.image',
  'dynamo-operator.controllerManager.kubeRbacProxy': 'the operator serves its metrics itself, without a proxy; remove it',
  'platform.operator.image':
    'it is for platform.operator.kind dynamo-cdk8s; the original has dynamo-operator.controllerManager.manager.image',
  'platform.monitoring.labels': 'no monitors are rendered; set platform.monitoring.enabled to true',
};

function leavesOf(value: Json | undefined, schema: ValuesSchema, path: Path): readonly Leaf[] {
  if (value === undefined || value === null) return [];
  const { properties } = schema;
  if (properties === undefined || !isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return known === undefined ? [] : leavesOf(child, known, [...path, key]);
  });
}

function replaced(value: Json | undefined, [key, ...rest]: Path, leaf: Json | undefined): Json | undefined {
  if (key === undefined) return leaf;
  if (!isObject(value)) return value;
  const inner = replaced(value[key], rest, leaf);
  const others = Object.entries(value).filter(([name]) => name !== key);
  return Object.fromEntries([...others, ...(inner === undefined ? [] : [[key, inner] as const])]);
}

/** Another value of the same type. */
function another(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}0`;
  return isObject(value) ? { ...value, another: 'another' } : [];
}

/** Whether a value belongs to a part that the values themselves disable: it has an effect once the part is enabled again. */
function isOfDisabledPart(values: JsonObject, [first]: Path): boolean {
  const part = parts.find(({ key }) => key === first);
  return part !== undefined && valueAt(values, part.key, 'enabled') === false;
}

/** Values that are not in the original's values file: a user sets one on purpose, even to its default. */
const neverCopied = ['nats.config.cluster.replicas'];

function isDefault({ path, value }: Leaf): boolean {
  if (neverCopied.includes(path.join('.'))) return false;
  const part = parts.find(({ key }) => key === path[0]);
  return part !== undefined && isEqual(valueAt(fillIn(part.platformDefaults, part.defaults), ...path.slice(1)) ?? null, value);
}

function isKnown(schema: ValuesSchema, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  const child = schema.properties?.[key];
  return child !== undefined && isKnown(child, rest);
}

/** Path of the nearest enclosing `enabled` that is not true. */
function disabledBlock(values: JsonObject, path: Path): string | undefined {
  const part = parts.find(({ key }) => key === path[0]);
  const block = part === undefined ? values : { [part.key]: effectiveBlock(part, values).values };
  for (let end = path.length - 1; end > 0; end -= 1) {
    const around = path.slice(0, end);
    const gate = [...around, 'enabled'];
    if (path.at(-1) !== 'enabled' && isKnown(valuesSchema(), gate) && valueAt(block, ...gate) !== true) return gate.join('.');
  }
  return undefined;
}

function adviceFor(values: JsonObject, path: Path): string {
  const name = path.join('.');
  const known = Object.entries(fixes).find(([prefix]) => name === prefix || name.startsWith(`${prefix}.`));
  if (known !== undefined) return known[1];
  const gate = disabledBlock(values, path);
  return gate === undefined ? 'other values make it irrelevant; remove it' : `set ${gate} to true, or remove it`;
}

/** Warnings about values that have no effect, with the fix. */
export function valuesWithoutEffect(values: JsonObject, options: ContextOptions = {}): readonly Issue[] {
  const renderToString = (tree: JsonObject): string => {
    const { objects, issues, warnings, notes } = renderPlatform(tree, options);
    return [stringifyJson([...objects]), JSON.stringify([issues, warnings, notes])].join('\n');
  };
  const now = renderPlatform(values, options);
  if (now.issues.length > 0) return [];
  const reported = new Set(now.warnings.map(({ path }) => path.join('.')));
  const before = renderToString(values);
  const leaves = leavesOf(values, valuesSchema(), []).filter(
    (leaf) =>
      !exempt.some((path) => leaf.path.join('.').startsWith(path)) &&
      !reported.has(leaf.path.join('.')) &&
      impliedValues[leaf.path.join('.')] !== leaf.value &&
      !isOfDisabledPart(values, leaf.path) &&
      !isDefault(leaf),
  );
  const changes = ({ path }: Leaf, leaf: Json | undefined): boolean => {
    const tree = replaced(values, path, leaf);
    return !isObject(tree) || renderToString(tree) !== before;
  };
  return leaves
    .filter((leaf) => !changes(leaf, undefined) && !changes(leaf, another(leaf.value)))
    .map(({ path }) => ({ path, code: 'no_effect', message: `has no effect: ${adviceFor(values, path)}` }));
}

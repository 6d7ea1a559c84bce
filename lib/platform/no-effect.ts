/**
 * Values that a user set and that have no effect: rendering without such a value, and with another one in its place, gives the same objects, problems
 * and notes. They are found by rendering, so no list of them has to be maintained.
 */
import type { Issue } from '../api/index.ts';
import { isEqual, isObject, type Json, type JsonObject, type Path, valueAt } from '../json/index.ts';
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

/** Values that say how to render, and values that other warnings cover. */
const exempt = [
  'platform.profile',
  'platform.switches',
  'platform.networkPolicy.allowAllNamespaces',
  'dynamo-operator.webhook.certManager.enabled',
];

/** Values that ask for what the profile secure does in any case. */
const asAnyway: Readonly<Record<string, Json>> = {
  'etcd.pdb.create': true,
  'etcd.auth.token.enabled': false,
  'etcd.startupProbe.enabled': true,
  'etcd.readinessProbe.enabled': true,
  'etcd.livenessProbe.enabled': true,
  'grove.config.server.healthProbes.enable': true,
  'nats.podDisruptionBudget.enabled': true,
};

/** The fix, by the path that it is about, where no `enabled` beside the value says it. */
const fixes: Readonly<Record<string, string>> = {
  'dynamo-operator.webhook.certGenerator':
    'only platform.certificates.mode jobs, which the profile parity has, runs Jobs that make the certificate; remove it',
  'dynamo-operator.webhook.certificateValidity':
    'the operator decides how long a certificate of its own lives, and whoever makes an external one; remove it',
  'dynamo-operator.dynamo.mpiRun.sshKeygen':
    'set dynamo-operator.dynamo.mpiRun.sshKeygen.enabled to true to have a Job that makes the key, or remove it',
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

/** Whether a value belongs to a part that is off: it has an effect once the part is on. */
function isOff(values: JsonObject, [first]: Path): boolean {
  const part = parts.find(({ key }) => key === first);
  return part !== undefined && !effectiveBlock(part, values).enabled;
}

/** Values that are not in the original's values file: a user who sets one does so on purpose, even to its default. */
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

/** The nearest `enabled` around a value that is off. */
function closedGate(values: JsonObject, path: Path): string | undefined {
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
  const gate = closedGate(values, path);
  return gate === undefined ? 'other values leave it without meaning; remove it' : `set ${gate} to true, or remove it`;
}

/** Warnings about values that are set and change nothing, with the fix. */
export function valuesWithoutEffect(values: JsonObject, options: ContextOptions = {}): readonly Issue[] {
  const shown = (tree: JsonObject): string => {
    const { objects, issues, notes } = renderPlatform(tree, options);
    return JSON.stringify([objects, issues, notes]);
  };
  const now = renderPlatform(values, options);
  if (now.issues.length > 0) return [];
  const told = new Set(now.warnings.map(({ path }) => path.join('.')));
  const before = shown(values);
  const leaves = leavesOf(values, valuesSchema(), []).filter(
    (leaf) =>
      !exempt.some((path) => leaf.path.join('.').startsWith(path)) &&
      !told.has(leaf.path.join('.')) &&
      asAnyway[leaf.path.join('.')] !== leaf.value &&
      !isOff(values, leaf.path) &&
      !isDefault(leaf),
  );
  const changes = ({ path }: Leaf, leaf: Json | undefined): boolean => {
    const tree = replaced(values, path, leaf);
    return !isObject(tree) || shown(tree) !== before;
  };
  return leaves
    .filter((leaf) => !changes(leaf, undefined) && !changes(leaf, another(leaf.value)))
    .map(({ path }) => ({ path, code: 'no_effect', message: `has no effect: ${adviceFor(values, path)}` }));
}

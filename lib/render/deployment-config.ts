import type { ComponentSpec, ResourceItem } from '../api/index.ts';
import { isObject, type Json, type JsonObject, sortedKeys } from '../json/index.ts';
import { canonicalText } from './spec-hash.ts';
import { port } from './ports.ts';
import { problem, type Outcome } from './outcome.ts';

const variableName = 'DYN_DEPLOYMENT_CONFIG';

/** The settings of one service in `DYN_DEPLOYMENT_CONFIG`, which older graphs use. */
interface Override {
  readonly workers?: number;
  readonly resources?: ResourceItem;
}

/** Applies `DYN_DEPLOYMENT_CONFIG` to a component: its replicas and resources, and for a frontend the port in the variable itself. */
export function applyDeploymentConfig(component: ComponentSpec, service: string): Outcome<ComponentSpec> {
  const index = component.envs?.findIndex((entry) => entry.name === variableName) ?? -1;
  const entry = component.envs?.[index];
  if (component.envs === undefined || entry === undefined) return { value: component };
  const frontend = component.componentType === 'frontend';
  const failure = (verb: string, reason: string): Outcome<ComponentSpec> =>
    problem('invalid_deployment_config', ['envs', index, 'value'], `failed to ${verb} ${variableName}: ${reason}`);
  const parsed = parseConfig(entry.value ?? '');
  if ('reason' in parsed) return failure(frontend ? 'unmarshal' : 'parse', parsed.reason);
  const override = readOverride(parsed.config, service);
  if ('reason' in override) return failure('parse', override.reason);
  const rewritten = frontend
    ? { ...component, envs: component.envs.with(index, { ...entry, value: canonicalJson(withPort(parsed.config, service)) }) }
    : component;
  return { value: withOverride(rewritten, override) };
}

type Failure = { readonly reason: string };

function parseConfig(value: string): { readonly config: JsonObject | null } | Failure {
  if (value.trim() === '') return { reason: 'unexpected end of JSON input' };
  try {
    const config: Json = JSON.parse(value);
    if (config === null || isObject(config)) return { config };
    return { reason: `expected a JSON object, found ${Array.isArray(config) ? 'a list' : `a ${typeof config}`}` };
  } catch (error) {
    return { reason: endsEarly(value, error) ? 'unexpected end of JSON input' : 'the value is not valid JSON' };
  }
}

/** Whether the JSON is truncated: the parser fails at the end of the input. */
function endsEarly(value: string, error: unknown): boolean {
  const message = error instanceof SyntaxError ? error.message : '';
  const position = / at position ([0-9]+)/.exec(message)?.[1];
  return message === 'Unexpected end of JSON input' || Number(position) === value.length;
}

function withPort(config: JsonObject | null, service: string): JsonObject | null {
  const entry = config?.[service];
  return isObject(entry) ? { ...config, [service]: { ...entry, port: port.http } } : config;
}

/** JSON as `encoding/json` writes it: sorted keys, lists in their original order. */
function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`;
  if (!isObject(value)) return canonicalText(value);
  return `{${sortedKeys(value)
    .map((key) => `${canonicalText(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`;
}

function readOverride(config: JsonObject | null, service: string): Override | Failure {
  let own: Override = {};
  for (const [name, entry] of Object.entries(config ?? {})) {
    const read = readService(name, entry ?? null);
    if ('reason' in read) return read;
    if (name === service) own = read;
  }
  return own;
}

function readService(name: string, entry: Json): Override | Failure {
  if (entry !== null && !isObject(entry)) return { reason: `${name} must be an object` };
  const args = member(entry, 'ServiceArgs');
  if (args !== undefined && !isObject(args)) return { reason: `${name}.ServiceArgs must be an object` };
  const workers = member(args, 'workers');
  if (workers !== undefined && (typeof workers !== 'number' || !Number.isInteger(workers)))
    return { reason: `${name}.ServiceArgs.workers must be an integer` };
  const resources = member(args, 'resources');
  if (resources === undefined) return workers === undefined ? {} : { workers };
  if (!isObject(resources)) return { reason: `${name}.ServiceArgs.resources must be an object` };
  const item: Record<string, unknown> = {};
  for (const key of ['cpu', 'memory', 'gpu']) {
    const amount = member(resources, key);
    if (amount !== undefined && typeof amount !== 'string')
      return { reason: `${name}.ServiceArgs.resources.${key} must be a string` };
    if (amount) item[key] = amount;
  }
  const custom = member(resources, 'custom');
  if (custom !== undefined) {
    if (!isObject(custom) || Object.values(custom).some((value) => typeof value !== 'string'))
      return { reason: `${name}.ServiceArgs.resources.custom must be a map of strings` };
    item['custom'] = custom;
  }
  return { ...(workers !== undefined && { workers }), resources: item };
}

/** A field by its case-insensitive name; null counts as absent and the last match wins. https://pkg.go.dev/encoding/json#Unmarshal */
function member(object: Json | undefined, name: string): Json | undefined {
  if (!isObject(object)) return undefined;
  const key = Object.keys(object).findLast((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : (object[key] ?? undefined);
}

function withOverride(component: ComponentSpec, { workers, resources }: Override): ComponentSpec {
  const replicas = component.replicas ?? workers;
  return {
    ...component,
    ...(replicas !== undefined && { replicas }),
    ...(resources && {
      resources: {
        ...component.resources,
        requests: { ...component.resources?.requests, ...resources },
        limits: { ...component.resources?.limits, ...resources },
      },
    }),
  };
}

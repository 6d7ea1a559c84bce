import { didYouMean, type Issue } from '../../api/index.ts';
import { append, isObject, type Json, type JsonObject, type Path } from '../../json/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import type { CheckedPart } from '../checked-part.ts';
import { missingBlocks } from '../needed-blocks.ts';
import type { ValuesSchema } from '../part.ts';
import { dead, schema } from './schema.ts';

/** The errors and warnings of a check. */
interface Findings {
  readonly issues: Issue[];
  readonly warnings: Issue[];
}

function shape(value: Json): 'map' | 'list' | 'single value' {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'map' : 'single value';
}

function expectedShape({ type }: ValuesSchema): 'map' | 'list' | 'single value' {
  if (type?.includes('object')) return 'map';
  return type?.includes('array') ? 'list' : 'single value';
}

/** Finds unknown keys, and values that are a map, list or scalar where the schema requires another of these. */
function walk(value: Json | undefined, known: ValuesSchema, path: Path, found: Findings): void {
  if (value === undefined || value === null) return;
  const [actual, expected] = [shape(value), expectedShape(known)];
  if (actual !== expected) {
    found.issues.push({ path, code: 'wrong_type', message: `must be a ${expected}, got ${stringifyJson(value)}` });
    return;
  }
  if (known.enum !== undefined && !known.enum.includes(value as string)) {
    const allowed = known.enum.filter((entry) => entry !== null).join(', ');
    found.issues.push({ path, code: 'not_allowed', message: `must be one of ${allowed}, got ${stringifyJson(value)}` });
  }
  if (!isObject(value) || known.properties === undefined) return;
  for (const [key, entry] of Object.entries(value)) {
    const child = Object.hasOwn(known.properties, key) ? known.properties[key] : undefined;
    if (child !== undefined) walk(entry, child, [...path, key], found);
    else {
      const suggestion = didYouMean(key, Object.keys(known.properties));
      const advice = suggestion === undefined ? '' : `; ${suggestion}?`;
      found.warnings.push({
        path: [...path, key],
        code: 'unknown_key',
        message: `is not a known value and has no effect${advice}`,
      });
    }
  }
}

/** Values that the original requires. */
const required: Readonly<Record<string, string>> = {
  'extension.image': 'must name the image of the endpoint picker',
  dynamoGraphDeploymentName: 'must name the graph that the gateway routes to',
  'model.shortName': 'must be set: it is the prefix of all object names',
};

const neededBlocks = [
  'model inferencePool httpRoute extension epp epp.dynamo',
  'httpRoute.enabled: httpRoute.path httpRoute.timeout',
];

/** Whether a string is a duration of the Gateway API: one to four whole numbers with h, m, s or ms (https://gateway-api.sigs.k8s.io/geps/gep-2257/). */
function isGatewayDuration(value: string): boolean {
  const steps = value.match(/\d{1,5}(?:ms|h|m|s)/g) ?? [];
  return steps.length > 0 && steps.length <= 4 && steps.join('') === value;
}

/** Values that the CRDs of the gateway reject. */
export function refusedByGateway(values: JsonObject): readonly Issue[] {
  const found: Issue[] = [];
  const [timeout, port] = [atPath(values, 'httpRoute.timeout.request'), Number(atPath(values, 'inferencePool.port'))];
  const message = (what: string, got: Json | undefined): string => `must be ${what}, got ${stringifyJson(got ?? null)}`;
  if (truthy(atPath(values, 'httpRoute.enabled')) && !isGatewayDuration(templateString(timeout)))
    found.push({
      path: ['httpRoute', 'timeout', 'request'],
      code: 'invalid',
      message: message('a duration of the Gateway API such as 300s or 1h30m', timeout),
    });
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    found.push({
      path: ['inferencePool', 'port'],
      code: 'invalid',
      message: message('a port from 1 to 65535', atPath(values, 'inferencePool.port')),
    });
  return found;
}

/** Checks the user's values and the effective values; the block `global` of the platform is read with `one-registry` only. */
export function checkGaie(user: JsonObject, values: JsonObject, { switches }: PlatformContext): CheckedPart {
  const found: Findings = { issues: [], warnings: [] };
  const { platform: _ours, global, ...given } = user;
  walk(global === undefined || switches['one-registry'] ? given : { ...given, global }, schema, [], found);
  for (const [path, advice] of Object.entries(dead)) {
    if (truthy(atPath(user, path)))
      found.warnings.push({ path: path.split('.'), code: 'dead_value', message: `has no effect; ${advice}` });
  }
  const hasWrongType = (): boolean => found.issues.some(({ code }) => code === 'wrong_type');
  if (!hasWrongType())
    append(
      found.issues,
      missingBlocks('', values, neededBlocks).map((issue) => ({ ...issue, path: issue.path.slice(1) })),
    );
  const isUnrenderable = hasWrongType();
  if (isUnrenderable) return { ...found, isUnrenderable };
  for (const [path, message] of Object.entries(required)) {
    if (!truthy(atPath(values, path))) found.issues.push({ path: path.split('.'), code: 'required', message });
  }
  return { ...found, isUnrenderable };
}

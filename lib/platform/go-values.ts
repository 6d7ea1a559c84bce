import { isObject, type Json } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';

/** A value of the tree, or undefined where the key is absent. */
export type Value = Json | undefined;

const known = new Map<string, readonly string[]>();

/** Splits a path; cached, since the same few paths are read often. */
function stepsOf(path: string): readonly string[] {
  const found = known.get(path);
  if (found !== undefined) return found;
  const steps = path.split('.');
  if (known.size < 2000) known.set(path, steps);
  return steps;
}

/** The value at path `a.b.c`; undefined if a step is missing or not a map. If a key contains a dot, pass the keys as separate arguments. */
export function atPath(root: Value, ...keys: readonly string[]): Value {
  const steps = keys.length === 1 && keys[0] !== undefined ? stepsOf(keys[0]) : keys;
  let value: Value = root;
  for (const step of steps) {
    if (!isObject(value)) return undefined;
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/**
 * Whether a value is true for `if` in a template: not null, false, zero, an empty string, list or map.
 * https://helm.sh/docs/chart_template_guide/control_structures/#ifelse
 */
export function truthy(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return true;
}

/** The first truthy value, else the last: a template's `default`. */
export function orElse(value: Value, fallback: Value): Value {
  return truthy(value) ? value : fallback;
}

/** A number as a template prints it: Helm reads numbers as float64, and Go's `strconv.FormatFloat(f, 'g', -1, 64)` uses an exponent from 1e+06. */
function formatNumber(value: number): string {
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 6) return String(value);
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const sign = power.startsWith('-') ? '-' : '+';
  return `${mantissa}e${sign}${power.replace(/^[+-]/, '').padStart(2, '0')}`;
}

/** A scalar as a template prints it; undefined and null are the empty string. */
export function templateString(value: Value): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** What a Go template's type switch calls a value: `string`, `bool`, `float64`, `slice`, `map`, `invalid` for null. */
export function goKind(value: Value): string {
  if (value === undefined || value === null) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  const kinds: Readonly<Record<string, string>> = {
    string: 'string',
    boolean: 'bool',
    number: 'float64',
    bigint: 'float64',
    object: 'map',
  };
  return kinds[typeof value] ?? 'invalid';
}

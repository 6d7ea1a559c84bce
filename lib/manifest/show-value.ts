import type { Json } from '../json/index.ts';
import { stringifyJson } from './stringify-json.ts';

/** A value for comparing and showing: strings as they are, maps and lists as JSON. */
export function showValue(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

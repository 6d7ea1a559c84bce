import type { Json } from '../json/index.ts';
import { stringifyJson } from './stringify-json.ts';

/** Shortens what a message quotes to 40 characters. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

/** Formats a value for comparison and display: a string as it is, a map or list as JSON. */
export function showValue(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

import { isObject, type Json, type JsonObject, sortedKeys } from '../../json/index.ts';

/** A string as Go's JSON printer writes it, without its escapes of `<`, `>` and `&`. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** JSON with two-space indent and sorted keys; integers of any size keep their digits. */
export function sortedJson(value: Json, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + sortedJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const lines = sortedKeys(value).flatMap((key) =>
      value[key] === undefined ? [] : [`${inner}${quoted(key)}: ${sortedJson(value[key] ?? null, inner)}`],
    );
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/**
 * The text of nats.conf: JSON, in which a string `<< X >>` stands for bare X (variables, sizes) and a key that ends in `$include` for an
 * include directive.
 */
export function configText(config: JsonObject): string {
  const included = sortedJson(config).replaceAll(/".*\$include": "(.*)",?/g, 'include $1;');
  return `${included.replaceAll(/"<<[\t\n\f\r ]+(.*)[\t\n\f\r ]+>>"/g, '$1')}\n`;
}

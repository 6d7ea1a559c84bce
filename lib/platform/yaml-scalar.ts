import type { Json } from '../json/index.ts';
import { templateString, type Value } from './go-values.ts';

/** A value after a template printed it without quotes and the result was parsed as YAML: `"3"` becomes the number 3, an absent value null. */
export function yamlScalar(value: Value): Json {
  const printed = templateString(value);
  if (/^[-+]?(0|[1-9][0-9]*|[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(printed)) return Number(printed);
  if (printed === '' || printed === 'null' || printed === '~') return null;
  if (printed === 'true' || printed === 'false') return printed === 'true';
  return printed;
}

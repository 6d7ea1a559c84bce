import type { Json } from '../json/index.ts';
import { templateString, type Value } from './go-values.ts';

/** What a value becomes when a template prints it without quotes and the result is read as YAML: `"3"` is the number 3, an absent value is null. */
export function yamlScalar(value: Value): Json {
  const printed = templateString(value);
  if (/^[-+]?(0|[1-9][0-9]*|[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(printed)) return Number(printed);
  if (printed === '' || printed === 'null' || printed === '~') return null;
  if (printed === 'true' || printed === 'false') return printed === 'true';
  return printed;
}

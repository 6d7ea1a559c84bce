import { isObject, type Json, type JsonObject, sortedKeys } from '../../json/index.ts';

/** A string as Go's `json.Encoder` with `SetEscapeHTML(false)` writes it. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Functions that print strings, and members that are not JSON. */
interface Style {
  readonly string: (value: string) => string;
  /** The line of a member that is not JSON; it has its own terminator instead of a comma. */
  readonly line: (key: string, value: Json) => string | undefined;
}

const plainJson: Style = { string: quoted, line: () => undefined };

function printed(value: Json, style: Style, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + printed(item, style, inner)).join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const members = sortedKeys(value).flatMap((key) => (value[key] === undefined ? [] : [{ key, member: value[key] ?? null }]));
    if (members.length === 0) return '{}';
    const lines = members.map(({ key, member }, index) => {
      const comma = index === members.length - 1 ? '' : ',';
      return `${inner}${style.line(key, member) ?? `${style.string(key)}: ${printed(member, style, inner)}${comma}`}`;
    });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (typeof value === 'string') return style.string(value);
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** JSON with two-space indent and sorted keys; integers of any size keep their digits. */
export function sortedJson(value: Json): string {
  return printed(value, plainJson, '');
}

/** X for a string `<< X >>`, trimmed; undefined for other strings. */
export function unquotedValue(value: string): string | undefined {
  if (!/^<<[\t\n\f\r ]/.test(value) || !/[\t\n\f\r ]>>$/.test(value) || value.length < 6) return undefined;
  return value.slice(2, -2).trim();
}

/** Whether a member is an include directive. */
export function isInclude(key: string, value: Json): value is string {
  return key.endsWith('$include') && typeof value === 'string';
}

const serverStyle: Style = {
  string: (value) => unquotedValue(value) ?? quoted(value),
  line: (key, value) => (isInclude(key, value) ? `include ${quoted(value).slice(1, -1)};` : undefined),
};

/**
 * The content of nats.conf: JSON, except that a string `<< X >>` is printed as unquoted X (variables, sizes), and a key that ends in `$include` as an
 * include directive.
 */
export function printConfig(config: JsonObject): string {
  return `${printed(config, serverStyle, '')}\n`;
}

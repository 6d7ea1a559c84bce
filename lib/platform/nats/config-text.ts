import { isObject, type Json, type JsonObject, sortedKeys } from '../../json/index.ts';

/** A string as Go's JSON printer writes it, without its escapes of `<`, `>` and `&`. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** How strings and members that are no plain JSON are printed. */
interface Style {
  readonly string: (text: string) => string;
  /** A line for a member that is none of JSON's; it ends itself and takes no comma. */
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

/** What a string `<< X >>` stands for: X as it is written, without blanks around it. Undefined for other strings. */
export function bareText(text: string): string | undefined {
  if (!/^<<[\t\n\f\r ]/.test(text) || !/[\t\n\f\r ]>>$/.test(text) || text.length < 6) return undefined;
  return text.slice(2, -2).trim();
}

/** Whether a member is an include directive. */
export function isInclude(key: string, value: Json): value is string {
  return key.endsWith('$include') && typeof value === 'string';
}

const serverText: Style = {
  string: (text) => bareText(text) ?? quoted(text),
  line: (key, value) => (isInclude(key, value) ? `include ${quoted(value).slice(1, -1)};` : undefined),
};

/**
 * The text of nats.conf: JSON, in which a string `<< X >>` stands for bare X (variables, sizes) and a key that ends in `$include` for an
 * include directive.
 */
export function configText(config: JsonObject): string {
  return `${printed(config, serverText, '')}\n`;
}

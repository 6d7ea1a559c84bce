/** How a scalar may be folded: the indentation of continuation lines, and the column where the scalar begins. */
interface Fold {
  readonly indent: number;
  readonly column: number;
}

const width = 80;

interface FoldRules extends Fold {
  /** Whether a break is forbidden at the first and last character, as within quotes. */
  readonly keepsEnds: boolean;
  /** Whether a break is allowed before another space, which is then escaped. */
  readonly escapes: boolean;
}

/** Breaks lines at the first space beyond the width. A YAML parser reads a line break as a space: https://yaml.org/spec/1.2.2/#65-line-folding */
function folded(body: string, { indent, column, keepsEnds, escapes }: FoldRules): string {
  if (column + body.length <= width) return body;
  let output = '';
  let at = column;
  let afterSpace = false;
  for (let i = 0; i < body.length; i++) {
    const character = body.charAt(i);
    const beforeSpace = body.charAt(i + 1) === ' ';
    const inside = !keepsEnds || (i > 0 && i < body.length - 1);
    const breaks = character === ' ' && !afterSpace && at > width && inside && (escapes || !beforeSpace);
    const escape = breaks && beforeSpace ? '\\' : '';
    output += breaks ? `\n${' '.repeat(indent)}${escape}` : character;
    at = breaks ? indent + escape.length : at + 1;
    afterSpace = character === ' ';
  }
  return output;
}

/** A plain scalar. */
export function plainScalar(value: string, fold: Fold | undefined): string {
  return fold === undefined ? value : folded(value, { ...fold, keepsEnds: false, escapes: false });
}

/** A single-quoted scalar. */
export function singleQuoted(value: string, fold: Fold | undefined): string {
  const body = value.replaceAll("'", "''");
  if (fold === undefined) return `'${body}'`;
  return `'${folded(body, { indent: fold.indent, column: fold.column + 1, keepsEnds: true, escapes: false })}'`;
}

/** A literal block scalar. */
export function literalBlock(value: string, indent: number): string {
  const chomping = value.endsWith('\n') ? (value.endsWith('\n\n') || value === '\n' ? '+' : '') : '-';
  const indentation = /^[ \n]/.test(value) ? '2' : '';
  const lines = value.replace(/\n$/, '').split('\n');
  return `|${indentation}${chomping}\n${lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`)).join('\n')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
};

/** A double-quoted scalar. */
export function doubleQuoted(value: string, fold: Fold | undefined): string {
  let body = '';
  for (const character of value) body += escapes[character] ?? numericEscape(character);
  if (fold === undefined) return `"${body}"`;
  return `"${folded(body, { indent: fold.indent, column: fold.column + 1, keepsEnds: true, escapes: true })}"`;
}

function numericEscape(character: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/.test(character) && character.length === 1) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** Strings that YAML 1.1 parsers read as null or as a boolean: https://yaml.org/type/bool.html */
const keywords = new Set(
  ['', '~', 'null', 'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false'].flatMap((keyword) => [
    keyword,
    keyword.toUpperCase(),
    keyword.charAt(0).toUpperCase() + keyword.slice(1),
  ]),
);

const timeOfDay = /[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}([.,][0-9]+)?/;

/** Whether a parser reads a plain scalar as something other than a string: a boolean, null, number or timestamp. */
export function resolvesToOther(value: string): boolean {
  return (
    keywords.has(value) ||
    /^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$/.test(value) ||
    /^[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[0-9][0-9_]*)$/.test(value) ||
    /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$/.test(value) ||
    /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/.test(value) ||
    /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]time(Z|[+-][0-9]{2}:[0-9]{2})| time)?$/.test(value.replace(timeOfDay, 'time'))
  );
}

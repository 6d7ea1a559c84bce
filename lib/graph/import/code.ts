import { parse } from 'yaml';
import { isObject } from '../../json/index.ts';
import { canDedent } from '../dedent.ts';
import { yamlText } from '../yaml-text.ts';

/** A value and the TypeScript source that creates it; the importer renders the value to check the source that it prints. */
export interface Code<T = unknown> {
  readonly value: T;
  readonly source: Source;
}

/** TypeScript source as a tree; `print` breaks it into lines. */
export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'block'; readonly lines: readonly string[] }
  | { readonly kind: 'spread'; readonly text: string }
  | { readonly kind: 'constant'; readonly value: Source }
  | {
      readonly kind: 'object';
      readonly entries: readonly (readonly [string, Source])[];
      /** Fields that share lines if the object is printed on several. */
      readonly head?: readonly string[];
    }
  | { readonly kind: 'list'; readonly items: readonly Source[] }
  | { readonly kind: 'join'; readonly lines: readonly string[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Source[] };

const standardWidth = 130;

/** Code for plain data. */
export function literal<T>(value: T): Code<T> {
  return { value, source: sourceOf(value) };
}

function sourceOf(value: unknown): Source {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(sourceOf) };
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', entries: Object.entries(value).map(([k, v]) => [k, sourceOf(v)]) };
  if (typeof value === 'string')
    return value.split('\n').length > 3 ? multilineSource(value) : { kind: 'text', text: quoteString(value) };
  return { kind: 'text', text: typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value) };
}

/** Code for a string of several lines: a call of `yamlText` if that gives the same string, otherwise `dedent`, otherwise one literal per line. */
function multilineSource(text: string): Source {
  const data = yamlSource(text);
  if (data !== undefined) return data;
  if (!canDedent(text)) return { kind: 'join', lines: text.split('\n').map(quoteString) };
  const escaped = text.replaceAll('`', '\\`').replaceAll('${', '\\${');
  return { kind: 'block', lines: escaped.slice(0, -1).split('\n') };
}

/** A call of `yamlText` that gives the same string, if there is one. */
function yamlSource(text: string): Source | undefined {
  const value = parseMapping(text);
  if (value === undefined) return undefined;
  const args = [sourceOf(value)];
  if (yamlText(value) === text) return { kind: 'call', callee: 'yamlText', args };
  if (yamlText(value, { indentSequences: false }) !== text) return undefined;
  return { kind: 'call', callee: 'yamlText', args: [...args, sourceOf({ indentSequences: false })] };
}

function parseMapping(text: string): object | undefined {
  try {
    const value: unknown = parse(text, { intAsBigInt: false });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function quoteString(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  // Line and paragraph separators are invisible, and string literals could not contain them before ECMAScript 2019.
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** Code for an object from code for its fields; undefined fields are left out. */
export function object<T extends object>(fields: { readonly [K in keyof T]: Code<T[K]> | undefined }): Code<T> {
  const present = Object.entries<Code | undefined>(fields).filter((entry): entry is [string, Code] => entry[1] !== undefined);
  return {
    value: Object.fromEntries(present.map(([k, c]) => [k, c.value])) as T,
    source: { kind: 'object', entries: present.map(([k, c]) => [k, c.source]) },
  };
}

/** Code for a call of a function or constructor; empty objects at the end are left out. */
export function call<A extends readonly unknown[], T>(
  callee: string,
  run: (...args: A) => T,
  ...args: { readonly [K in keyof A]: Code<A[K]> }
): Code<T> {
  const codes: readonly Code[] = args;
  const sources = codes.map((c) => c.source);
  while (sources.at(-1)?.kind === 'object' && isEmpty(sources.at(-1))) sources.pop();
  return { value: run(...(codes.map((c) => c.value) as unknown as A)), source: { kind: 'call', callee, args: sources } };
}

/** Code that spreads a variable into an object. */
export function spread(text: string): Code {
  return { value: undefined, source: { kind: 'spread', text } };
}

/** Code that refers to a variable. */
export function name<T>(text: string, value: T): Code<T> {
  return { value, source: { kind: 'name', text } };
}

function isEmpty(source: Source | undefined): boolean {
  return source?.kind === 'object' && source.entries.length === 0;
}

/** Whether the code is an object without fields. */
export function isEmptyObject(code: Code): boolean {
  return isEmpty(code.source);
}

const propertyKey = (key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) && key !== '__proto__' ? key : key === '__proto__' ? "['__proto__']" : quoteString(key);

const isAtomic = (source: Source): boolean => source.kind === 'text' || source.kind === 'name' || source.kind === 'spread';

function entryStart(key: string, value: Source): string {
  if (value.kind === 'spread') return `...`;
  return value.kind === 'name' && value.text === key ? '' : `${propertyKey(key)}: `;
}

/** Puts pieces on as few lines as possible. */
function fill(pieces: readonly string[], pad: string, width: number): string {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && !piece.includes('\n') && !last.includes('\n') && last.length + 1 + piece.length <= width)
      lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(`${pad}${piece}`);
  }
  return lines.join('\n');
}

/** How code is printed. */
export interface PrintOptions {
  /**
   * Whether fields of an object share lines, so that the code is not longer than the YAML.
   * @default false
   */
  readonly dense?: boolean;
  /**
   * Maximum length of a line.
   * @default 130
   */
  readonly width?: number;
}

/** Prints code that starts at `column`, on a line indented by `indent`. */
export function print(source: Source, indent = 0, column = indent, options: PrintOptions = {}): string {
  const width = options.width ?? standardWidth;
  const flat = printFlat(source);
  if (flat !== undefined && (isAtomic(source) || column + flat.length <= width)) return flat;
  const inner = indent + 2;
  const pad = ' '.repeat(inner);
  const close = ' '.repeat(indent);
  switch (source.kind) {
    case 'text':
    case 'name':
    case 'spread':
      return source.text;
    case 'constant':
      return `${print(source.value, indent, column, options)} as const`;
    case 'block':
      return `dedent\`\n${source.lines.map((line) => (line === '' ? '' : `${pad}${line}`)).join('\n')}\n${close}\``;
    case 'join':
      return `[\n${source.lines.map((line) => `${pad}${line},`).join('\n')}\n${close}].join('\\n')`;
    case 'object': {
      const pieces = source.entries.map(([key, value]) => {
        const start = entryStart(key, value);
        return `${start}${print(value, inner, inner + start.length + 1, options)},`;
      });
      const packed =
        options.dense === true ? pieces.length : source.entries.filter(([key]) => source.head?.includes(key) === true).length;
      const first = fill(pieces.slice(0, packed), pad, width);
      const rest = pieces.slice(packed).map((piece) => pad + piece);
      return `{\n${[...(packed === 0 ? [] : [first]), ...rest].join('\n')}\n${close}}`;
    }
    case 'list': {
      const pieces = source.items.map((item) => `${print(item, inner, inner + 1, options)},`);
      const packed = options.dense === true || source.items.every(isAtomic);
      return `[\n${packed ? fill(pieces, pad, width) : pieces.map((p) => pad + p).join('\n')}\n${close}]`;
    }
    case 'call':
      return printCall(source, indent, options);
  }
}

function printCall(source: Source & { readonly kind: 'call' }, indent: number, options: PrintOptions): string {
  const width = options.width ?? standardWidth;
  const pad = ' '.repeat(indent + 2);
  const flat = source.args.map(printFlat);
  const short = (printed: readonly (string | undefined)[]): boolean =>
    printed.every((t) => t !== undefined) && printed.join(', ').length + indent + source.callee.length < width - 10;
  const [first, ...after] = source.args;
  const last = source.args.at(-1);
  const hugs = last?.kind === 'object' || last?.kind === 'list' || last?.kind === 'block' || source.args.length === 1;
  // As in Prettier, the last argument stays next to the parenthesis, or the first if the others are short.
  if (hugs && short(flat.slice(0, -1))) {
    const start = `${source.callee}(${flat
      .slice(0, -1)
      .map((b) => `${b}, `)
      .join('')}`;
    return `${start}${last === undefined ? '' : print(last, indent, width, options)})`;
  }
  if (first?.kind === 'object' && after.length > 0 && short(flat.slice(1)))
    return `${source.callee}(${print(first, indent, width, options)}, ${flat.slice(1).join(', ')})`;
  const pieces = source.args.map((arg) => `${print(arg, indent + 2, indent + 3, options)},`);
  return `${source.callee}(\n${pieces.map((p) => pad + p).join('\n')}\n${' '.repeat(indent)})`;
}

/** The code as a single line; undefined if it needs several lines. */
function printFlat(source: Source): string | undefined {
  const all = (sources: readonly Source[]): readonly string[] | undefined => {
    const printed = sources.map(printFlat);
    return printed.every((t) => t !== undefined) ? printed : undefined;
  };
  switch (source.kind) {
    case 'text':
    case 'name':
    case 'spread':
      return source.text;
    case 'constant': {
      const value = printFlat(source.value);
      return value && `${value} as const`;
    }
    case 'block':
      return undefined;
    case 'join':
      return `[${source.lines.join(', ')}].join('\\n')`;
    case 'list': {
      const items = all(source.items);
      return items && `[${items.join(', ')}]`;
    }
    case 'call': {
      const args = all(source.args);
      return args && `${source.callee}(${args.join(', ')})`;
    }
    case 'object': {
      if (source.entries.length === 0) return '{}';
      const values = all(source.entries.map(([, value]) => value));
      const fields = values?.map((text, index) => {
        const [key, value] = source.entries[index] ?? ['', source];
        return `${entryStart(key, value)}${text}`;
      });
      return fields && `{ ${fields.join(', ')} }`;
    }
  }
}

/** Names of the functions and classes that code calls. */
export function callees(source: Source): readonly string[] {
  switch (source.kind) {
    case 'text':
    case 'name':
    case 'spread':
    case 'join':
      return [];
    case 'constant':
      return callees(source.value);
    case 'block':
      return ['dedent'];
    case 'list':
      return source.items.flatMap(callees);
    case 'object':
      return source.entries.flatMap(([, value]) => callees(value));
    case 'call':
      return [source.callee.replace(/^new /, '').split('.', 1)[0] ?? '', ...source.args.flatMap(callees)];
  }
}

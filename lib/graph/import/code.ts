/** A value together with the TypeScript that makes it, so that what is printed is what was tried. */
export interface Code<T = unknown> {
  readonly value: T;
  readonly source: Source;
}

/** TypeScript as a tree, printed late so that lines break where they must. */
export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Source])[] }
  | { readonly kind: 'list'; readonly items: readonly Source[] }
  | { readonly kind: 'join'; readonly lines: readonly string[] }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly Source[] };

const width = 120;

/** Plain data as code. */
export function literal<T>(value: T): Code<T> {
  return { value, source: sourceOf(value) };
}

function sourceOf(value: unknown): Source {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(sourceOf) };
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', entries: Object.entries(value).map(([k, v]) => [k, sourceOf(v)]) };
  if (typeof value === 'string') return value.split('\n').length > 3 ? linesOf(value) : { kind: 'text', text: quoteText(value) };
  return { kind: 'text', text: typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value) };
}

/** A text of several lines, one literal each. */
function linesOf(text: string): Source {
  return { kind: 'join', lines: text.split('\n').map(quoteText) };
}

function quoteText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  // JSON allows these two where JavaScript of old did not; a reader cannot see them either way.
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** An object whose fields are code; fields without a value are left out. */
export function object<T extends object>(fields: { readonly [K in keyof T]: Code<T[K]> | undefined }): Code<T> {
  const present = Object.entries<Code | undefined>(fields).filter((entry): entry is [string, Code] => entry[1] !== undefined);
  return {
    value: Object.fromEntries(present.map(([k, c]) => [k, c.value])) as T,
    source: { kind: 'object', entries: present.map(([k, c]) => [k, c.source]) },
  };
}

/** A call of a function or constructor; empty objects at the end are left out. */
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

/** A name that stands for a value made before. */
export function name<T>(text: string, value: T): Code<T> {
  return { value, source: { kind: 'text', text } };
}

function isEmpty(source: Source | undefined): boolean {
  return source?.kind === 'object' && source.entries.length === 0;
}

/** Whether the code is an object without fields. */
export function isEmptyObject(code: Code): boolean {
  return isEmpty(code.source);
}

const keyText = (key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) && key !== '__proto__' ? key : key === '__proto__' ? "['__proto__']" : quoteText(key);

/** Prints code that starts at a column of a line indented by so much. */
export function print(source: Source, indent = 0, column = indent): string {
  const flat = printFlat(source);
  if (source.kind === 'text' || (!flat.includes('\n') && column + flat.length <= width)) return flat;
  const inner = indent + 2;
  const pad = ' '.repeat(inner);
  const close = ' '.repeat(indent);
  if (source.kind === 'object') {
    const lines = source.entries.map(([key, value]) => {
      if (value.kind === 'text' && value.text === key) return `${pad}${key},`;
      const start = `${pad}${keyText(key)}: `;
      return `${start}${print(value, inner, start.length + 1)},`;
    });
    return `{\n${lines.join('\n')}\n${close}}`;
  }
  if (source.kind === 'join') return `[\n${source.lines.map((line) => `${pad}${line},`).join('\n')}\n${close}].join('\\n')`;
  if (source.kind === 'list')
    return `[\n${source.items.map((item) => `${pad}${print(item, inner, inner + 1)},`).join('\n')}\n${close}]`;
  // The last argument hugs the parenthesis, as formatters write it.
  const before = source.args.slice(0, -1).map(printFlat);
  const last = source.args.at(-1);
  const start = `${source.callee}(${before.map((b) => `${b}, `).join('')}`;
  if (last?.kind === 'object' || last?.kind === 'list' || source.args.length === 1)
    return `${start}${last === undefined ? '' : print(last, indent, width)})`;
  return `${source.callee}(\n${source.args.map((arg) => `${pad}${print(arg, inner, inner + 1)},`).join('\n')}\n${close})`;
}

function printFlat(source: Source): string {
  if (source.kind === 'text') return source.text;
  if (source.kind === 'join') return `[${source.lines.join(', ')}].join('\\n')`;
  if (source.kind === 'list') return `[${source.items.map(printFlat).join(', ')}]`;
  if (source.kind === 'call') return `${source.callee}(${source.args.map(printFlat).join(', ')})`;
  if (source.entries.length === 0) return '{}';
  const fields = source.entries.map(([key, value]) =>
    value.kind === 'text' && value.text === key ? key : `${keyText(key)}: ${printFlat(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** Names of the functions and classes a tree calls, and nothing else. */
export function callees(source: Source): readonly string[] {
  if (source.kind === 'text' || source.kind === 'join') return [];
  if (source.kind === 'list') return source.items.flatMap(callees);
  if (source.kind === 'object') return source.entries.flatMap(([, value]) => callees(value));
  return [source.callee.replace(/^new /, '').replace(/\..*$/, ''), ...source.args.flatMap(callees)];
}

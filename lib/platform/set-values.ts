import { isObject, setKey, type Json, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { mergeLayers } from './merge.ts';

/** How the value of an option is parsed: typed, as a string, or as JSON. */
export type SetKind = 'set' | 'set-string' | 'set-json';

/** One `--set`, `--set-string` or `--set-json` of the command line. */
export interface SetOption {
  readonly kind: SetKind;
  readonly text: string;
}

type Mutable = Record<string, Json | undefined>;
type Step = string | number;

/** A syntax error in a `--set` option. */
export class SetSyntaxError extends Error {
  readonly code = 'set_syntax';
}

/** The limit of Helm, `strvals.MaxIndex`. */
const maximumIndex = 65_536;

/** A scalar as `--set` types it: true, false, null, whole numbers of 64 bits that do not begin with a zero, strings otherwise (`typedVal` in helm.sh/helm/v3/pkg/strvals). */
function typed(value: string): Json {
  const lower = value.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower === 'null') return null;
  const number = value === '0' || /^(?:[-+][0-9]|[1-9])[0-9]*$/.test(value) ? parseInteger(value) : undefined;
  return number ?? value;
}

/** A whole number of 64 bits in decimal digits, as `strconv.ParseInt` parses it. */
function parseInteger(digits: string): number | bigint | undefined {
  const number = BigInt(digits);
  if (number !== BigInt.asIntN(64, number)) return undefined;
  return Number.isSafeInteger(Number(number)) ? Number(number) : number;
}

/** Reads a string character by character; a backslash escapes the next character. */
class Reader {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  get done(): boolean {
    return this.at >= this.source.length;
  }

  peek(): string {
    return this.source[this.at] ?? '';
  }

  skip(): void {
    this.at += 1;
  }

  /** Everything up to and including the first comma outside of strings, lists and maps. */
  json(): string {
    const start = this.at;
    let depth = 0;
    let isString = false;
    for (; !this.done; this.skip()) {
      const next = this.peek();
      if (next === '"') isString = !isString;
      else if (isString && next === '\\') this.skip();
      if (isString) continue;
      if (next === '[' || next === '{') depth += 1;
      if (next === ']' || next === '}') depth -= 1;
      if (next !== ',' || depth > 0) continue;
      this.skip();
      return this.source.slice(start, this.at - 1);
    }
    return this.source.slice(start);
  }

  /** Reads up to and including the first of `stops`; `stop` is empty at the end of the string. */
  until(stops: string): { readonly text: string; readonly stop: string } {
    let text = '';
    while (!this.done) {
      const next = this.peek();
      this.skip();
      if (next === '\\') {
        text += this.peek();
        this.skip();
      } else if (stops.includes(next)) return { text, stop: next };
      else text += next;
    }
    return { text, stop: '' };
  }
}

function readIndex(reader: Reader, option: string): number {
  const { text, stop } = reader.until(']');
  const index = Number(text);
  if (stop === '' || !/^[0-9]+$/.test(text))
    throw new SetSyntaxError(`'${option}': '[${text}' is not an index; write name[0]=value`);
  if (index > maximumIndex) throw new SetSyntaxError(`'${option}': index ${index} is above ${maximumIndex}`);
  return index;
}

/** Reads a key up to and including its equals sign. */
function readKey(reader: Reader, option: string): readonly Step[] {
  const steps: Step[] = [];
  for (;;) {
    const { text, stop } = reader.until('.=[,');
    if (text !== '' || steps.length === 0 || typeof steps.at(-1) === 'string') steps.push(text);
    if (steps.at(-1) === '') throw new SetSyntaxError(`'${option}': a key must not be empty`);
    if (stop === '' || stop === ',')
      throw new SetSyntaxError(`'${option}': key '${steps.join('.')}' has no value; write key=value`);
    if (stop === '=') return steps;
    if (stop === '.') continue;
    steps.push(readIndex(reader, option));
    while (reader.peek() === '[') {
      reader.skip();
      steps.push(readIndex(reader, option));
    }
    const next = reader.peek();
    reader.skip();
    if (next === '=') return steps;
    if (next !== '.') throw new SetSyntaxError(`'${option}': after an index there must be '.', '[' or '='`);
  }
}

function readList(reader: Reader, option: string, read: (text: string) => Json): Json {
  const items: Json[] = [];
  for (;;) {
    const { text, stop } = reader.until(',}');
    if (stop === '') throw new SetSyntaxError(`'${option}': a list must end with '}'`);
    items.push(read(text));
    if (stop === '}') break;
  }
  if (reader.peek() === ',') reader.skip();
  return items;
}

function readValue(reader: Reader, option: string, kind: SetKind): Json {
  if (kind === 'set-json') {
    const json = reader.json();
    if (json === '') return null;
    try {
      return JSON.parse(json) as Json;
    } catch (error) {
      throw new SetSyntaxError(`'${option}': the value is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  const read = kind === 'set-string' ? (text: string): Json => text : typed;
  if (reader.peek() === '{') {
    reader.skip();
    return readList(reader, option, read);
  }
  return read(reader.until(',').text);
}

/** A copy of `target` with the value at the steps replaced; missing maps and list entries are created. */
function assign(target: Json | undefined, steps: readonly Step[], value: Json, option: string): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    if (target !== undefined && target !== null && !Array.isArray(target))
      throw new SetSyntaxError(`'${option}': [${step}] needs a list, but the values hold ${stringifyJson(target)} there`);
    const items: Json[] = [...((target ?? []) as readonly Json[])];
    while (items.length < step) items.push(null);
    items[step] = assign(items[step], rest, value, option);
    return items;
  }
  if (target !== undefined && target !== null && !isObject(target))
    throw new SetSyntaxError(`'${option}': '${step}' needs a map, but the values hold ${stringifyJson(target)} there`);
  const entries: Mutable = { ...target };
  setKey<Json | undefined>(entries, step, assign(Object.hasOwn(entries, step) ? entries[step] : undefined, rest, value, option));
  return entries;
}

/** Applies an option to values and returns the new values; throws `SetSyntaxError` with what to write instead. */
export function applySet(values: JsonObject, { kind, text }: SetOption): JsonObject {
  const reader = new Reader(text);
  let result: Json = values;
  if (kind === 'set-json' && text.trimStart().startsWith('{')) {
    const parsed = readValue(reader, text, kind);
    if (isObject(parsed)) return mergeLayers([values, parsed]);
  }
  while (!reader.done) result = assign(result, readKey(reader, text), readValue(reader, text, kind), text);
  return isObject(result) ? result : values;
}

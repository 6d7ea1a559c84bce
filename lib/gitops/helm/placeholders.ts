import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import { escapeBraces, quoted } from './template-quoting.ts';

/** An open value of the chart: objects are rendered with a placeholder, which is replaced by the expression afterwards. */
export interface ChartParameter {
  /** Template expression of the value, such as `.Values.image.tag`. */
  readonly expression: string;
  readonly type: 'string' | 'number' | 'map' | 'list';
  /** Template expression that must be true for a line with the value to be rendered. */
  readonly guard?: string;
}

/** A piece of a string that is split at its placeholders: a literal or a parameter. */
type Piece = string | ChartParameter;

// six digits: from seven on, helm prints a float64 with an exponent (format 'g' of `strconv.FormatFloat`), and renderers do the same
const size = 1000;
const first = 731;

/** Matches placeholders with the given leading digits in a string. */
function pattern(digits: number): RegExp {
  return new RegExp(`zz(${digits}\\d{3})zz|(?<![\\d.])-?(${digits}\\d{3})(?![\\d.])`, 'g');
}

/** The leading digits of placeholders: the first from 731 on such that nothing in `data` matches a placeholder. */
function freeDigits(data: Json): number {
  // the digits of an escaped control character are not next to those that follow it in the string
  const text = stringifyJson(data).replaceAll(/\\u[0-9a-f]{4}/g, ' ');
  for (let i = 0; i < 900; i++) {
    const digits = 100 + ((first - 100 + i) % 900);
    if (!pattern(digits).test(text)) return digits;
  }
  throw new Error(
    'cannot choose placeholders for the chart: the values contain six-digit numbers with all leading digits from 100 to 999',
  );
}

/**
 * Creates placeholders for parameters and finds them in rendered objects. A placeholder is short, a valid Kubernetes name, and does not occur in the
 * data that the objects are rendered from.
 */
export class Placeholders {
  readonly #base: number;
  readonly #pattern: RegExp;
  readonly #alone: RegExp;
  readonly #parameters: ChartParameter[] = [];
  readonly #strings = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  /** @param data all data that the objects are rendered from */
  constructor(data: Json) {
    const digits = freeDigits(data);
    this.#base = digits * size;
    this.#pattern = pattern(digits);
    this.#alone = new RegExp(`^zz(${digits}\\d{3})zz$`);
  }

  /** The placeholder of an expression of type string; equal expressions share one. */
  string(expression: string, guard?: string): string {
    const key = `${expression}\n${guard ?? ''}`;
    const known = this.#strings.get(key) ?? this.#token(this.#add({ expression, type: 'string', ...(guard && { guard }) }));
    this.#strings.set(key, known);
    return known;
  }

  /** The placeholder of an expression of type number; equal expressions share one. */
  number(expression: string): number {
    const known = this.#numbers.get(expression) ?? this.#base + this.#add({ expression, type: 'number' });
    this.#numbers.set(expression, known);
    return known;
  }

  /** The placeholder of an expression of type map. */
  map(expression: string): JsonObject {
    return { [this.#spliced({ expression, type: 'map' })]: 'zz' };
  }

  /** The placeholder of an expression of type list. */
  list(expression: string): readonly Json[] {
    return [{ [this.#spliced({ expression, type: 'list' })]: 'zz' }];
  }

  /** The map or list whose placeholder is a key, if any. */
  splicedKey(key: string): ChartParameter | undefined {
    const found = this.#at(this.#alone.exec(key)?.[1]);
    return found?.type === 'map' || found?.type === 'list' ? found : undefined;
  }

  /** The list whose placeholder is an item, if any. */
  splicedItem(item: Json | undefined): ChartParameter | undefined {
    const found = this.#onlyKey(item);
    return found?.type === 'list' ? found : undefined;
  }

  /** The map or list whose placeholder is the whole value, if any. */
  whole(value: Json): ChartParameter | undefined {
    if (Array.isArray(value)) return value.length === 1 ? this.splicedItem(value[0]) : undefined;
    const found = this.#onlyKey(value);
    return found?.type === 'map' ? found : undefined;
  }

  /** Expression that merges the user's map into a fixed map deeply, for maps that contain maps, such as `resources`. */
  mergedMap(value: Json): string | undefined {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    const open = entries.flatMap(([key]) => this.splicedKey(key) ?? []).find((p) => p.type === 'map');
    const fixed = Object.fromEntries(entries.filter(([key]) => this.splicedKey(key) === undefined));
    const text = stringifyJson(fixed);
    if (open === undefined || !Object.values(fixed).some(isObject) || !this.hasNone(text)) return undefined;
    return `mergeOverwrite (fromJson ${JSON.stringify(text)}) (deepCopy (default dict ${group(open.expression)}))`;
  }

  /** Template expression that must be true for a line with this scalar to be rendered; undefined if it always is. */
  guard(value: Json): string | undefined {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    return this.pieces(String(value)).flatMap((p) => (typeof p === 'string' || p.guard === undefined ? [] : [p.guard]))[0];
  }

  /** A string with placeholders as one template expression. */
  expression(text: string): string {
    const pieces = this.pieces(text);
    const only = pieces.length === 1 ? pieces[0] : undefined;
    if (only !== undefined) return typeof only === 'string' ? JSON.stringify(only) : only.expression;
    const format = pieces
      .map((p) => (typeof p === 'string' ? p.replaceAll('%', '%%') : p.type === 'number' ? '%d' : '%s'))
      .join('');
    const values = pieces.flatMap((p) =>
      typeof p === 'string' ? [] : [p.type === 'number' ? `(${int(p)})` : group(p.expression)],
    );
    return `printf ${JSON.stringify(format)} ${values.join(' ')}`;
  }

  /** One scalar as YAML, placeholders replaced by expressions. */
  scalar(value: Json): string {
    if (typeof value === 'number') {
      const found = this.#at(String(Math.abs(value)));
      return found?.type === 'number' ? `{{ ${int(found)} }}` : JSON.stringify(value);
    }
    if (typeof value !== 'string') return stringifyJson(value);
    return this.hasNone(value) ? quoted(value) : `{{ ${this.expression(value)} | quote }}`;
  }

  /**
   * A line of a block scalar, with placeholders replaced and its own template braces escaped. Values in it are not quoted, so `dynamo.line` rejects
   * values that would end the line or a string in it.
   */
  line(text: string): string {
    return this.pieces(text)
      .map((p, i, all) => {
        if (typeof p !== 'string')
          return p.type === 'number' ? `{{ ${int(p)} }}` : `{{ include "dynamo.line" (${p.expression}) }}`;
        // a brace directly before an expression would give `{{{`
        const brace = p.endsWith('{') && i < all.length - 1;
        return brace ? `${escapeBraces(p.slice(0, -1))}{{ "{" }}` : escapeBraces(p);
      })
      .join('');
  }

  /** Whether a string contains no placeholder. */
  hasNone(text: string): boolean {
    return this.pieces(text).every((p) => typeof p === 'string');
  }

  /** Splits a string into literals and parameters. */
  pieces(text: string): readonly Piece[] {
    const out: Piece[] = [];
    let at = 0;
    for (const match of text.matchAll(this.#pattern)) {
      const found = this.#at(match[1] ?? match[2]);
      if (!found) continue;
      if (match.index > at) out.push(text.slice(at, match.index));
      out.push(found);
      at = match.index + match[0].length;
    }
    if (at < text.length || out.length === 0) out.push(text.slice(at));
    return out;
  }

  /** The placeholder key of a map or list; equal expressions share one. */
  #spliced(parameter: ChartParameter): string {
    const key = `${parameter.type}\n${parameter.expression}`;
    const known = this.#strings.get(key) ?? this.#token(this.#add(parameter));
    this.#strings.set(key, known);
    return known;
  }

  #token(index: number): string {
    return `zz${this.#base + index}zz`;
  }

  #add(parameter: ChartParameter): number {
    if (this.#parameters.length === size) throw new Error(`a chart has at most ${size} parameters`);
    return this.#parameters.push(parameter) - 1;
  }

  #at(digits: string | undefined): ChartParameter | undefined {
    return digits === undefined ? undefined : this.#parameters[Number(digits) - this.#base];
  }

  #onlyKey(value: Json | undefined): ChartParameter | undefined {
    const keys = isObject(value) ? Object.keys(value) : [];
    return keys.length === 1 ? this.splicedKey(keys[0] ?? '') : undefined;
  }
}

const group = (expression: string): string => (/^[$.\w]+$/.test(expression) ? expression : `(${expression})`);
const int = ({ expression }: ChartParameter): string => `int64 ${group(expression)}`;

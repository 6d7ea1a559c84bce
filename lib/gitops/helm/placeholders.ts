import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { escapeBraces, quoted } from './template-text.ts';

/** A value of the chart that is passed through: a placeholder takes its place while objects are rendered, the expression afterwards. */
export interface ChartParameter {
  /** Template expression that yields the value, such as `.Values.image.tag`. */
  readonly expression: string;
  readonly type: 'string' | 'number' | 'map' | 'list';
  /** Expression that must hold for a line with the value to be there at all. */
  readonly guard?: string;
}

/** A string cut at its placeholders: literal pieces and parameters. */
type Piece = string | ChartParameter;

// six digits: a number of seven is printed with an exponent by code that prints as Helm does
const size = 1000;
const first = 731;

/** What a placeholder of the given leading digits looks like inside a string. */
function pattern(digits: number): RegExp {
  return new RegExp(`zz(${digits}\\d{3})zz|(?<![\\d.])-?(${digits}\\d{3})(?![\\d.])`, 'g');
}

/** The leading digits of placeholders: the first from 731 on that nothing in `data` could be taken for. */
function freeDigits(data: Json): number {
  const text = JSON.stringify(data);
  for (let i = 0; i < 900; i++) {
    const digits = 100 + ((first - 100 + i) % 900);
    if (!pattern(digits).test(text)) return digits;
  }
  throw new Error('the values hold a number of every form that a placeholder of the chart could have');
}

/**
 * Hands out placeholders for parameters and finds them again in rendered objects. A placeholder is a legal name, short, and differs from everything
 * in the data that the objects are rendered from: its digits are chosen by looking at the data.
 */
export class Placeholders {
  readonly #base: number;
  readonly #pattern: RegExp;
  readonly #alone: RegExp;
  readonly #parameters: ChartParameter[] = [];
  readonly #strings = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  /** @param data everything that objects are rendered from and with */
  constructor(data: Json) {
    const digits = freeDigits(data);
    this.#base = digits * size;
    this.#pattern = pattern(digits);
    this.#alone = new RegExp(`^zz(${digits}\\d{3})zz$`);
  }

  /** The placeholder of an expression that yields a string; the same expression has one placeholder. */
  string(expression: string, guard?: string): string {
    const key = `${expression}\n${guard ?? ''}`;
    const known = this.#strings.get(key) ?? this.#token(this.#add({ expression, type: 'string', ...(guard && { guard }) }));
    this.#strings.set(key, known);
    return known;
  }

  /** The placeholder of an expression that yields a number; the same expression has one placeholder. */
  number(expression: string): number {
    const known = this.#numbers.get(expression) ?? this.#base + this.#add({ expression, type: 'number' });
    this.#numbers.set(expression, known);
    return known;
  }

  /** The placeholder of an expression that yields a map. */
  map(expression: string): JsonObject {
    return { [this.#spliced({ expression, type: 'map' })]: 'zz' };
  }

  /** The placeholder of an expression that yields a list. */
  list(expression: string): readonly Json[] {
    return [{ [this.#spliced({ expression, type: 'list' })]: 'zz' }];
  }

  /** The map or list that a key is the placeholder of, if it is one. */
  splicedKey(key: string): ChartParameter | undefined {
    const found = this.#at(this.#alone.exec(key)?.[1]);
    return found?.type === 'map' || found?.type === 'list' ? found : undefined;
  }

  /** The list that an item is the placeholder of, if it is one. */
  splicedItem(item: Json | undefined): ChartParameter | undefined {
    const found = this.#onlyKey(item);
    return found?.type === 'list' ? found : undefined;
  }

  /** The map or list that is the whole value, if one is. */
  whole(value: Json): ChartParameter | undefined {
    if (Array.isArray(value)) return value.length === 1 ? this.splicedItem(value[0]) : undefined;
    const found = this.#onlyKey(value);
    return found?.type === 'map' ? found : undefined;
  }

  /** The expression of a map that a user's map is merged into, where both can hold maps of the same key, as `resources` does. */
  mergedMap(value: Json): string | undefined {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    const open = entries.flatMap(([key]) => this.splicedKey(key) ?? []).find((p) => p.type === 'map');
    const fixed = Object.fromEntries(entries.filter(([key]) => this.splicedKey(key) === undefined));
    const text = JSON.stringify(fixed);
    if (open === undefined || !Object.values(fixed).some(isObject) || !this.hasNone(text)) return undefined;
    return `mergeOverwrite (fromJson ${JSON.stringify(text)}) (deepCopy (default dict ${group(open.expression)}))`;
  }

  /** What must hold for a line with this scalar to be there; undefined for always. */
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
    if (typeof value !== 'string') return JSON.stringify(value);
    return this.hasNone(value) ? quoted(value) : `{{ ${this.expression(value)} | quote }}`;
  }

  /**
   * A line of a block scalar, placeholders replaced and template braces of its own kept. A value lands there without quotes, so that
   * `dynamo.line` refuses one that would end the line or a string in it.
   */
  line(text: string): string {
    return this.pieces(text)
      .map((p, i, all) => {
        if (typeof p !== 'string')
          return p.type === 'number' ? `{{ ${int(p)} }}` : `{{ include "dynamo.line" (${p.expression}) }}`;
        // a brace just before an expression would make it one of three
        const brace = p.endsWith('{') && i < all.length - 1;
        return brace ? `${escapeBraces(p.slice(0, -1))}{{ "{" }}` : escapeBraces(p);
      })
      .join('');
  }

  /** Whether a string holds no placeholder. */
  hasNone(text: string): boolean {
    return this.pieces(text).every((p) => typeof p === 'string');
  }

  /** A string cut into literal pieces and parameters. */
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

  /** The key that stands for a map or list; the same expression has one. */
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

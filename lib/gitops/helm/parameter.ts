import { isObject, type Json, type JsonObject } from '../../json/index.ts';

/** A value of the chart that is passed through: a stand-in takes its place while objects are rendered, the expression afterwards. */
export interface ChartParameter {
  /** Template expression that yields the value, such as `.Values.image.tag`. */
  readonly expression: string;
  readonly type: 'text' | 'number' | 'map' | 'list';
  /** Expression that must hold for a line with the value to be there at all. */
  readonly guard?: string;
}

// below a million, since a larger number is printed with an exponent by code that prints as Helm does
const base = 731_000;

const token = (index: number): string => `zz${base + index}zz`;

/** Values that stand in for parameter number `index` while objects are rendered; short, and legal names everywhere. */
export const standIns = {
  text: token,
  number: (index: number): number => base + index,
  map: (index: number): JsonObject => ({ [token(index)]: 'zz' }),
  list: (index: number): readonly Json[] => [{ [token(index)]: 'zz' }],
} satisfies Readonly<Record<ChartParameter['type'], (index: number) => Json>>;

const inText = /zz(731\d{3})zz|(?<![\d.])-?(731\d{3})(?![\d.])/g;

/** Turns values with stand-ins in them into template text. */
export class Parameters {
  readonly #list: readonly ChartParameter[];

  constructor(list: readonly ChartParameter[]) {
    this.#list = list;
  }

  /** The map parameter that a key stands in for, if it does. */
  splicedKey(key: string): ChartParameter | undefined {
    const match = /^zz(731\d{3})zz$/.exec(key);
    const found = match ? this.#at(match[1]) : undefined;
    return found?.type === 'map' || found?.type === 'list' ? found : undefined;
  }

  /** The list parameter that an item stands in for, if it does. */
  splicedItem(item: Json): ChartParameter | undefined {
    const keys = isObject(item) ? Object.keys(item) : [];
    const found = keys.length === 1 ? this.splicedKey(keys[0] ?? '') : undefined;
    return found?.type === 'list' ? found : undefined;
  }

  /** The parameter that is the whole value, if one is. */
  whole(value: Json): ChartParameter | undefined {
    if (Array.isArray(value)) return value.length === 1 ? this.splicedItem(value[0]) : undefined;
    const keys = isObject(value) ? Object.keys(value) : [];
    const found = keys.length === 1 ? this.splicedKey(keys[0] ?? '') : undefined;
    return found?.type === 'map' ? found : undefined;
  }

  /** What must hold for a line with this scalar to be there; undefined for always. */
  guard(value: Json): string | undefined {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    return this.pieces(String(value)).flatMap((p) => (typeof p === 'string' || p.guard === undefined ? [] : [p.guard]))[0];
  }

  /** A text with stand-ins as one template expression. */
  expression(text: string): string {
    const pieces = this.pieces(text);
    const only = pieces.length === 1 ? pieces[0] : undefined;
    if (only !== undefined) return typeof only === 'string' ? JSON.stringify(only) : only.expression;
    const format = pieces
      .map((p) => (typeof p === 'string' ? p.replaceAll('%', '%%') : p.type === 'number' ? '%d' : '%s'))
      .join('');
    const values = pieces.flatMap((p) =>
      typeof p === 'string' ? [] : [p.type === 'number' ? `(int64 ${group(p.expression)})` : group(p.expression)],
    );
    return `printf ${JSON.stringify(format)} ${values.join(' ')}`;
  }

  /** One scalar as YAML, stand-ins replaced by expressions. */
  scalar(value: Json): string {
    if (typeof value === 'number') {
      const found = Math.abs(value) >= base ? this.#at(String(Math.abs(value))) : undefined;
      return found ? `{{ int64 ${group(found.expression)} }}` : JSON.stringify(value);
    }
    if (typeof value !== 'string') return JSON.stringify(value);
    return this.pieces(value).every((p) => typeof p === 'string') ? quoted(value) : `{{ ${this.expression(value)} | quote }}`;
  }

  /** A line of text inside a block, stand-ins replaced and template braces of its own kept. */
  line(text: string): string {
    return this.pieces(text)
      .map((p) =>
        typeof p === 'string' ? escapeBraces(p) : `{{ ${p.type === 'number' ? `int64 ${group(p.expression)}` : p.expression} }}`,
      )
      .join('');
  }

  /** Text cut into plain pieces and parameters. */
  pieces(text: string): readonly (string | ChartParameter)[] {
    const out: (string | ChartParameter)[] = [];
    let at = 0;
    for (const match of text.matchAll(inText)) {
      const found = this.#at(match[1] ?? match[2]);
      if (!found) continue;
      if (match.index > at) out.push(text.slice(at, match.index));
      out.push(found);
      at = match.index + match[0].length;
    }
    if (at < text.length || out.length === 0) out.push(text.slice(at));
    return out;
  }

  #at(digits: string | undefined): ChartParameter | undefined {
    return digits === undefined ? undefined : this.#list[Number(digits) - base];
  }
}

const group = (expression: string): string => (/^[$.\w]+$/.test(expression) ? expression : `(${expression})`);

/** Keeps `{{` of the text itself, as in alert annotations, from being read as a template. */
export function escapeBraces(text: string): string {
  return text.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
}

const plain = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
const ambiguous = /^(y|n|yes|no|on|off|true|false|null|~)$/i;

/** A string as YAML: bare where nobody can misread it, else in double quotes. */
export function quoted(text: string): string {
  return plain.test(text) && !ambiguous.test(text) ? text : escapeBraces(JSON.stringify(text));
}

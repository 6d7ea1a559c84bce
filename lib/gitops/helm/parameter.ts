import { isObject, type Json } from '../../api/json.ts';

/** A value of the chart that is passed through: a stand-in takes its place while objects are rendered, the expression afterwards. */
export interface ChartParameter {
  /** Template expression that yields the value, such as `.Values.image.tag`. */
  readonly expression: string;
  readonly type: 'text' | 'number' | 'map' | 'list';
}

const base = 73_100_000;

/** The value that stands in for parameter number `index` while objects are rendered; short and a legal name everywhere. */
export function standIn(parameter: ChartParameter, index: number): Json {
  const token = `zz${base + index}zz`;
  switch (parameter.type) {
    case 'number':
      return base + index;
    case 'text':
      return token;
    case 'map':
      return { [token]: 'zz' };
    case 'list':
      return [token];
  }
}

const inText = /zz(731\d{5})zz|(?<![\d.])(731\d{5})(?![\d.])/g;

/** Turns values with stand-ins in them into template text. */
export class Parameters {
  readonly #list: readonly ChartParameter[];

  constructor(list: readonly ChartParameter[]) {
    this.#list = list;
  }

  /** The parameter that a map key or a list item stands in for as a whole, if it does. */
  spliced(text: Json): ChartParameter | undefined {
    if (typeof text !== 'string') return undefined;
    const match = /^zz(731\d{5})zz$/.exec(text);
    const found = match ? this.#at(match[1]) : undefined;
    return found?.type === 'map' || found?.type === 'list' ? found : undefined;
  }

  /** The parameter that is the whole value, if one is. */
  whole(value: Json): ChartParameter | undefined {
    if (Array.isArray(value)) return value.length === 1 ? this.spliced(value[0]) : undefined;
    if (isObject(value)) {
      const keys = Object.keys(value);
      return keys.length === 1 ? this.spliced(keys[0] ?? '') : undefined;
    }
    return undefined;
  }

  /** One scalar as YAML, stand-ins replaced by expressions. */
  scalar(value: Json): string {
    if (typeof value === 'number') {
      const found = value >= base ? this.#at(String(value)) : undefined;
      return found ? `{{ int64 ${group(found.expression)} }}` : JSON.stringify(value);
    }
    if (typeof value !== 'string') return JSON.stringify(value);
    const pieces = this.pieces(value);
    if (!pieces.some((p) => typeof p !== 'string')) return quoted(value);
    const only = pieces.length === 1 ? pieces[0] : undefined;
    if (only !== undefined && typeof only !== 'string') return `{{ ${only.expression} | quote }}`;
    const format = pieces
      .map((p) => (typeof p === 'string' ? p.replaceAll('%', '%%') : p.type === 'number' ? '%d' : '%s'))
      .join('');
    const values = pieces.flatMap((p) =>
      typeof p === 'string' ? [] : [p.type === 'number' ? `(int64 ${group(p.expression)})` : group(p.expression)],
    );
    return `{{ printf ${JSON.stringify(format)} ${values.join(' ')} | quote }}`;
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

const group = (expression: string): string => (/^[.\w]+$/.test(expression) ? expression : `(${expression})`);

/** Keeps `{{` of the text itself, as in alert annotations, from being read as a template. */
function escapeBraces(text: string): string {
  return text.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
}

const plain = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
const ambiguous = /^(y|n|yes|no|on|off|true|false|null|~)$/i;

/** A string as YAML: bare where nobody can misread it, else in double quotes. */
export function quoted(text: string): string {
  return plain.test(text) && !ambiguous.test(text) ? text : escapeBraces(JSON.stringify(text));
}

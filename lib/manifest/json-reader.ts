import { type Json, type Path, setKey } from '../json/index.ts';
import { limits, type ReadValue, type Report } from './document.ts';
import { fromFloat, fromInteger } from './go-number.ts';

/** Thrown inside the reader where the text is not JSON. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const simpleString = /"[^"\\\u0000-\u001f]*"/y;
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const space = /[ \t\r\n]*/y;
const loneSurrogate = /[\ud800-\udfff]/gu;
const literals = { t: ['true', true], f: ['false', false], n: ['null', null] } as const;

/** Where a value is written, and the values in it by key or index. */
interface Place {
  readonly offset: number;
  readonly members: Map<string | number, Place>;
}

class JsonReader {
  readonly text: string;
  readonly report: Report | undefined;
  at = 0;

  constructor(text: string, report?: Report) {
    this.text = text;
    this.report = report;
  }

  skipSpace(): number {
    const next = this.text.charCodeAt(this.at);
    if (next > 0x20) return next;
    space.lastIndex = this.at;
    space.test(this.text);
    this.at = space.lastIndex;
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : -1;
  }

  /** Reads one value; with a place it also notes where everything in it is written. */
  value(depth: number, place?: Place): Json {
    const code = this.skipSpace();
    if (code === 0x7b) return this.object(depth + 1, place);
    if (code === 0x5b) return this.list(depth + 1, place);
    if (code === 0x22) return this.string();
    const literal = literals[this.text.charAt(this.at) as keyof typeof literals] as readonly [string, boolean | null] | undefined;
    if (!literal) return this.number();
    if (!this.text.startsWith(literal[0], this.at)) throw new NotJson();
    this.at += literal[0].length;
    return literal[1];
  }

  object(depth: number, place?: Place): Json {
    this.guard(depth);
    const result: Record<string, Json> = {};
    this.at++;
    for (let first = true; ; first = false) {
      let code = this.skipSpace();
      if (code === 0x7d && first) break;
      const offset = this.at;
      if (code !== 0x22) throw new NotJson();
      const key = this.string();
      if (this.skipSpace() !== 0x3a) throw new NotJson();
      this.at++;
      if (Object.hasOwn(result, key))
        this.report?.(offset, 'duplicate_key', 'warning', `key "${key}" is given twice; kubectl keeps the last`);
      setKey(result, key, this.value(depth, place && addMember(place, key, offset)));
      code = this.skipSpace();
      if (code === 0x7d) break;
      if (code !== 0x2c) throw new NotJson();
      this.at++;
    }
    this.at++;
    return result;
  }

  list(depth: number, place?: Place): Json {
    this.guard(depth);
    const result: Json[] = [];
    this.at++;
    for (let first = true; ; first = false) {
      let code = this.skipSpace();
      if (code === 0x5d && first) break;
      result.push(this.value(depth, place && addMember(place, result.length, this.at)));
      code = this.skipSpace();
      if (code === 0x5d) break;
      if (code !== 0x2c) throw new NotJson();
      this.at++;
    }
    this.at++;
    return result;
  }

  string(): string {
    simpleString.lastIndex = this.at;
    if (simpleString.test(this.text)) {
      const result = this.text.slice(this.at + 1, simpleString.lastIndex - 1);
      this.at = simpleString.lastIndex;
      return result;
    }
    anyString.lastIndex = this.at;
    if (!anyString.test(this.text)) throw new NotJson();
    const parsed: unknown = JSON.parse(this.text.slice(this.at, anyString.lastIndex));
    this.at = anyString.lastIndex;
    return String(parsed).replace(loneSurrogate, '\ufffd');
  }

  number(): Json {
    number.lastIndex = this.at;
    const match = number.exec(this.text);
    if (!match || match[0] === '') throw new NotJson();
    const [text, fraction, exponent] = match;
    const value = Number(text);
    if (!Number.isFinite(value)) this.report?.(this.at, 'number_too_large', 'error', `number ${shorten(text)} is too large`);
    this.at += text.length;
    if (!Number.isFinite(value)) return null;
    if (fraction === undefined && exponent === undefined)
      return Number.isSafeInteger(value) ? value + 0 : fromInteger(BigInt(text));
    return fromFloat(value);
  }

  guard(depth: number): void {
    if (depth <= limits.depth) return;
    this.report?.(this.at, 'too_deep', 'error', `nested deeper than ${limits.depth} levels`);
    throw new TooDeep();
  }
}

function addMember(place: Place, key: string | number, offset: number): Place {
  const member = { offset, members: new Map<string | number, Place>() };
  // The last of equal keys is the one kubectl keeps.
  place.members.set(key, member);
  return member;
}

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

/** JSON values that stand one after the other. */
interface JsonStream {
  readonly values: readonly ReadValue[];
  /** Where the last of them ends, when something follows that is not JSON. */
  readonly rest: number | undefined;
}

/** Reads JSON values, one after the other, without losing digits, up to the first that is not JSON. */
export function readJson(text: string, report: Report): JsonStream {
  let problems: Parameters<Report>[] = [];
  const reader = new JsonReader(text, (...problem) => problems.push(problem));
  const values: ReadValue[] = [];
  const tell = (): void => {
    for (const problem of problems) report(...problem);
    problems = [];
  };
  let end = 0;
  try {
    while (reader.skipSpace() !== -1) {
      const start = reader.at;
      const value = reader.value(0);
      values.push({ value, offset: offsetFinder(text, start) });
      end = reader.at;
      tell();
    }
  } catch (error) {
    if (error instanceof NotJson) return { values, rest: end };
    if (!(error instanceof TooDeep)) throw error;
    tell();
  }
  return { values, rest: undefined };
}

/** Finds where paths of one value are written; the places are noted in one pass when the first is asked for. */
function offsetFinder(text: string, start: number): (path: Path) => number {
  let root: Place | undefined;
  return (path) => {
    if (root === undefined) {
      root = { offset: start, members: new Map() };
      const reader = new JsonReader(text);
      reader.at = start;
      reader.value(0, root);
    }
    let place = root;
    for (const part of path) {
      const member = place.members.get(part);
      if (member === undefined) break;
      place = member;
    }
    return place.offset;
  };
}

/** Parses one JSON text without losing digits; `undefined` where it is not JSON, too deep, or holds more than one value. */
export function parseJson(text: string): Json | undefined {
  let readable = true;
  const { values, rest } = readJson(text, (_offset, _code, severity) => {
    if (severity === 'error') readable = false;
  });
  return readable && rest === undefined && values.length === 1 ? values[0]?.value : undefined;
}

import { shorten } from './show-value.ts';
import { type Json, type Path, setKey } from '../json/index.ts';
import { limits, type ReadValue, type ReportIssue } from './document.ts';
import { fromFloat, fromInteger } from './go-number.ts';

/** Thrown inside the reader on invalid JSON. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const simpleString = /"[^"\\\u0000-\u001f]*"/y;
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const space = /[ \t\r\n]*/y;
const loneSurrogate = /[\ud800-\udfff]/gu;
const literals = { t: ['true', true], f: ['false', false], n: ['null', null] } as const;

/** The offset of a value, and of its members by key or index. */
interface Offsets {
  readonly offset: number;
  readonly members: Map<string | number, Offsets>;
}

class JsonReader {
  readonly text: string;
  readonly report: ReportIssue | undefined;
  at = 0;

  constructor(text: string, report?: ReportIssue) {
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

  /** Reads one value; records the offsets of its members if `offsets` is given. */
  value(depth: number, offsets?: Offsets): Json {
    const code = this.skipSpace();
    if (code === 0x7b) return this.object(depth + 1, offsets);
    if (code === 0x5b) return this.list(depth + 1, offsets);
    if (code === 0x22) return this.string();
    const literal = literals[this.text.charAt(this.at) as keyof typeof literals] as readonly [string, boolean | null] | undefined;
    if (!literal) return this.number();
    if (!this.text.startsWith(literal[0], this.at)) throw new NotJson();
    this.at += literal[0].length;
    return literal[1];
  }

  object(depth: number, offsets?: Offsets): Json {
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
      setKey(result, key, this.value(depth, offsets && addMember(offsets, key, offset)));
      code = this.skipSpace();
      if (code === 0x7d) break;
      if (code !== 0x2c) throw new NotJson();
      this.at++;
    }
    this.at++;
    return result;
  }

  list(depth: number, offsets?: Offsets): Json {
    this.guard(depth);
    const result: Json[] = [];
    this.at++;
    for (let first = true; ; first = false) {
      let code = this.skipSpace();
      if (code === 0x5d && first) break;
      result.push(this.value(depth, offsets && addMember(offsets, result.length, this.at)));
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

function addMember(parent: Offsets, key: string | number, offset: number): Offsets {
  const member = { offset, members: new Map<string | number, Offsets>() };
  // kubectl keeps the last of duplicate keys.
  parent.members.set(key, member);
  return member;
}

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Consecutive JSON values. */
interface JsonStream {
  readonly values: readonly ReadValue[];
  /** The end of the last value, if something follows that is not JSON. */
  readonly rest: number | undefined;
}

/** Reads consecutive JSON values up to the first content that is not JSON. Large integers keep all digits. */
export function readJson(text: string, report: ReportIssue): JsonStream {
  let problems: Parameters<ReportIssue>[] = [];
  const reader = new JsonReader(text, (...problem) => problems.push(problem));
  const values: ReadValue[] = [];
  const flush = (): void => {
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
      flush();
    }
  } catch (error) {
    if (error instanceof NotJson) return { values, rest: end };
    if (!(error instanceof TooDeep)) throw error;
    flush();
  }
  return { values, rest: undefined };
}

/** Returns a function that finds the offset of a path in one value. The first call records all offsets. */
function offsetFinder(text: string, start: number): (path: Path) => number {
  let root: Offsets | undefined;
  return (path) => {
    if (root === undefined) {
      root = { offset: start, members: new Map() };
      const reader = new JsonReader(text);
      reader.at = start;
      reader.value(0, root);
    }
    let found = root;
    for (const part of path) {
      const member = found.members.get(part);
      if (member === undefined) break;
      found = member;
    }
    return found.offset;
  };
}

/** Parses one JSON value; large integers keep all digits. Undefined if the string is not JSON, is nested too deeply or has several values. */
export function parseJson(text: string): Json | undefined {
  let readable = true;
  const { values, rest } = readJson(text, (_offset, _code, severity) => {
    if (severity === 'error') readable = false;
  });
  return readable && rest === undefined && values.length === 1 ? values[0]?.value : undefined;
}

import type { Json } from '../json/index.ts';
import { fromFloat, fromInteger, parseInteger } from './go-number.ts';

/** A plain scalar with the type that kubectl's parser gives it before the conversion to JSON. */
export type Resolved =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly value: string; readonly overflow?: boolean };

const spellings = (words: readonly string[], value: Resolved): [string, Resolved][] =>
  words.flatMap((word) => [word, (word[0] ?? '').toUpperCase() + word.slice(1), word.toUpperCase()]).map((word) => [word, value]);

const keywords: ReadonlyMap<string, Resolved> = new Map<string, Resolved>([
  ...spellings(['y', 'yes', 'true', 'on'], { type: 'bool', value: true }),
  ...spellings(['n', 'no', 'false', 'off'], { type: 'bool', value: false }),
  ...spellings(['null'], { type: 'null' }),
  ['', { type: 'null' }],
  ['~', { type: 'null' }],
  ...['.nan', '.NaN', '.NAN'].map((word): [string, Resolved] => [word, { type: 'float', value: Number.NaN }]),
  ...['.inf', '.Inf', '.INF'].flatMap((word): [string, Resolved][] => [
    [word, { type: 'float', value: Infinity }],
    [`+${word}`, { type: 'float', value: Infinity }],
    [`-${word}`, { type: 'float', value: -Infinity }],
  ]),
]);

const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** Resolves the type of a plain scalar as kubectl's parser does (YAML 1.1, resolve.go of go.yaml.in/yaml/v2). */
export function resolvePlain(text: string): Resolved {
  const keyword = keywords.get(text);
  if (keyword) return keyword;
  const first = text.charCodeAt(0);
  const digit = first >= 0x30 && first <= 0x39;
  if (!digit && first !== 0x2b && first !== 0x2d && first !== 0x2e) return { type: 'str', value: text };
  const plain = text.replaceAll('_', '');
  const integer = first === 0x2e ? undefined : parseInteger(plain);
  if (integer !== undefined) return { type: 'int', value: integer };
  // After a leading dot, underscores are allowed between digits only.
  if (!float.test(plain) || (first === 0x2e && /_(?![0-9])|(?<![0-9])_/.test(text))) return { type: 'str', value: text };
  const value = Number(plain);
  return Number.isFinite(value) ? { type: 'float', value } : { type: 'str', value: text, overflow: true };
}

/** Converts a resolved scalar to JSON. JSON has neither NaN nor infinities; callers check for them first. */
export function toJson(resolved: Resolved): Json {
  switch (resolved.type) {
    case 'null':
      return null;
    case 'int':
      return fromInteger(resolved.value);
    case 'float':
      return fromFloat(resolved.value);
    default:
      return resolved.value;
  }
}

import { isDeepStrictEqual } from 'node:util';
import { escapePointerKey, isObject } from '../../json/index.ts';

/** An operation of a JSON Patch, RFC 6902. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

/** The operations that turn one value into another; lists are replaced as a whole. */
export function diff(from: unknown, to: unknown, path = ''): readonly Operation[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isObject(from) || !isObject(to)) return [{ op: 'replace', path, value: to }];
  const removed = Object.keys(from).filter((k) => !Object.hasOwn(to, k));
  return [
    ...removed.map((k): Operation => ({ op: 'remove', path: `${path}/${escapePointerKey(k)}` })),
    ...Object.keys(to).flatMap((k): readonly Operation[] =>
      Object.hasOwn(from, k)
        ? diff(from[k], to[k], `${path}/${escapePointerKey(k)}`)
        : [{ op: 'add', path: `${path}/${escapePointerKey(k)}`, value: to[k] }],
    ),
  ];
}

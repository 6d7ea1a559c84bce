import type { Issue } from '../api/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { atPath, truthy } from './go-values.ts';

/**
 * Errors about required blocks of values that are null or not a map; Helm fails there too. Each line lists paths that are always required or, after
 * `PATH: `, paths that are required if the value at PATH is on.
 */
export function missingBlocks(part: string, values: JsonObject, lines: readonly string[]): readonly Issue[] {
  const needed = lines.flatMap((line) => {
    const [paths = '', when = ''] = line.split(': ').toReversed();
    return when === '' || truthy(atPath(values, when)) ? paths.split(' ') : [];
  });
  const missing = needed.filter((path) => !isObject(atPath(values, path)));
  const outermost = missing.filter((path) => !missing.some((other) => path.startsWith(`${other}.`)));
  return outermost.map((path) => {
    const given = stringifyJson(atPath(values, path) ?? null);
    return {
      path: [part, ...path.split('.')],
      code: 'wrong_type',
      message: `must be a map, got ${given}; remove it to use the defaults`,
    };
  });
}

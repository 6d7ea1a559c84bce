import type { Issue } from '../api/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { atPath, truthy } from './go-values.ts';

/**
 * Finds blocks of values that objects are rendered from and that a null or another value replaced; Helm fails there too. Each line of the table has
 * the paths that are always needed, or after `WHEN:` those that are needed while a value is on.
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
      message: `must be a map, got ${given}; leave it out to get the defaults`,
    };
  });
}

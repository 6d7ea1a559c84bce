import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { effectiveBlock, parts } from '../../platform/index.ts';

/** The value at a path after the platform's defaults are applied, or undefined. */
export function effectiveValue(path: string, user: JsonObject): Json | undefined {
  const part = parts.find((p) => path.startsWith(`${p.key}.`));
  return givenValue(path, part ? { [part.key]: effectiveBlock(part, user).values } : user);
}

/** The value at a path, or undefined. */
export function givenValue(path: string, values: JsonObject): Json | undefined {
  let found: Json | undefined = values;
  for (const step of path.split('.')) found = isObject(found) ? found[step] : undefined;
  return found;
}

/** The values without the one at a path. */
export function withoutValue(path: string, values: JsonObject): JsonObject {
  const [key = '', ...rest] = path.split('.');
  const { [key]: inner, ...others } = values;
  if (rest.length === 0 || inner === undefined) return others;
  return { ...others, [key]: isObject(inner) ? withoutValue(rest.join('.'), inner) : inner };
}

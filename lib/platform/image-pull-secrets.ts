import type { Json, JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { atPath, templateString } from './go-values.ts';

/** Pull secrets of a pod as `{name}`: the given ones, then those that every pod has, each once; nothing when there are none. */
export function pullSecretFields(given: readonly Json[], { pullSecrets }: PlatformContext): JsonObject {
  const names = new Set(given.map((entry) => templateString(atPath(entry, 'name'))));
  const all = [...given, ...pullSecrets.filter((name) => !names.has(name)).map((name) => ({ name }))];
  return all.length === 0 ? {} : { imagePullSecrets: all };
}

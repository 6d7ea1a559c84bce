import type { Issue } from '../api/index.ts';
import { isObject, setKey, type Json, type JsonObject } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { fillIn } from './merge.ts';
import type { Part } from './part.ts';

/** The effective values of a part: defaults, platform defaults, the user's values and globals in one tree. */
interface EffectiveBlock {
  readonly enabled: boolean;
  readonly values: JsonObject;
  readonly warnings: readonly Issue[];
  readonly issues: readonly Issue[];
}

/** Merges the top-level globals into those of a block; the top level takes precedence. */
function withGlobals(block: JsonObject, global: Json | undefined): JsonObject {
  const own = block['global'];
  if (!isObject(global)) return isObject(own) || own === undefined ? { ...block, global: own ?? {} } : block;
  if (own !== undefined && !isObject(own)) return block;
  const merged: Record<string, Json | undefined> = { ...own };
  for (const [key, value] of Object.entries(global)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (isObject(value) && isObject(below)) setKey(merged, key, fillIn(value, below, true));
    else if (isObject(value) ? below === undefined : !isObject(below)) setKey(merged, key, value);
  }
  return { ...block, global: merged };
}

/**
 * The effective values of a part from the user's values, by Helm's rules for a parent chart and its sub charts.
 * https://helm.sh/docs/chart_template_guide/subcharts_and_globals/
 */
export function effectiveBlock(part: Pick<Part, 'key' | 'defaults' | 'platformDefaults'>, user: JsonObject): EffectiveBlock {
  const given = user[part.key];
  const path = [part.key];
  if (given !== undefined && given !== null && !isObject(given)) {
    const issue = { path, code: 'wrong_type', message: `must be a map of values, got ${stringifyJson(given)}` };
    return { enabled: false, values: {}, warnings: [], issues: [issue] };
  }
  const block = given === null ? {} : fillIn(given ?? {}, part.platformDefaults, true);
  const values = fillIn(withGlobals(block, user['global']), part.defaults);
  const enabled = values['enabled'];
  const warnings: readonly Issue[] =
    typeof enabled === 'boolean' || enabled === undefined || enabled === null
      ? []
      : [
          {
            path: [...path, 'enabled'],
            code: 'not_a_boolean',
            message: `must be true or false, got ${stringifyJson(enabled)}; the part stays enabled`,
          },
        ];
  return { enabled: enabled !== false, values, warnings, issues: [] };
}

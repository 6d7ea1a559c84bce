import { isObject, type Json } from '../../json/index.ts';
import type { Placeholders } from './placeholders.ts';

/** Expression of the pull secrets that a user gives to every pod; a name for the placeholder, never printed. */
const everyPod = '.Values.global.imagePullSecrets';

/** `global.imagePullSecrets` while objects are rendered: one secret whose name is a placeholder. */
export function pullSecretPlaceholder(placeholders: Placeholders): readonly Json[] {
  return [{ name: placeholders.string(everyPod) }];
}

/** The value with every list that holds that secret replaced by one that the chart joins of the pod's own and those of every pod. */
export function joinPullSecrets(value: Json, placeholders: Placeholders): Json {
  const token = placeholders.string(everyPod);
  const isToken = (item: Json): boolean => isObject(item) && item['name'] === token;
  const change = (inner: Json): Json => {
    if (Array.isArray(inner)) {
      const items: readonly Json[] = inner;
      if (!items.some(isToken)) return items.map(change);
      const own = items.filter((item) => !isToken(item)).map((item) => listExpression(item, placeholders));
      const given = own.length === 0 ? 'list' : own.length === 1 ? own[0] : `concat ${own.join(' ')}`;
      return placeholders.list(`include "dynamo.pullSecrets" (list $ (${given})) | fromJsonArray`);
    }
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).flatMap(([key, v]) => (v === undefined ? [] : [[key, change(v)]])));
  };
  return change(value);
}

/** An item of a list of pull secrets as an expression that yields a list. */
function listExpression(item: Json, placeholders: Placeholders): string {
  const open = placeholders.splicedItem(item);
  if (open !== undefined) return `(default list ${open.expression})`;
  const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : '';
  return `(list (dict "name" ${placeholders.hasNone(name) ? JSON.stringify(name) : `(${placeholders.expression(name)})`}))`;
}

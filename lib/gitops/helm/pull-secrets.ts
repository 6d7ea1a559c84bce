import { isObject, type Json } from '../../json/index.ts';
import type { Placeholders } from './placeholders.ts';

/** Expression that identifies the placeholder of the pull secrets of every pod; templates never contain it. */
const everyPod = '.Values.global.imagePullSecrets';

/** Value of `global.imagePullSecrets` during rendering: one secret whose name is a placeholder. */
export function pullSecretPlaceholder(placeholders: Placeholders): readonly Json[] {
  return [{ name: placeholders.string(everyPod) }];
}

/** Replaces every list that contains that secret with an expression that joins the pull secrets of the pod and those of every pod. */
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

/** An item of a list of pull secrets as an expression of type list. */
function listExpression(item: Json, placeholders: Placeholders): string {
  const open = placeholders.splicedItem(item);
  if (open !== undefined) return `(default list ${open.expression})`;
  const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : '';
  return `(list (dict "name" ${placeholders.hasNone(name) ? JSON.stringify(name) : `(${placeholders.expression(name)})`}))`;
}

import { isEqual, isList, isObject, type Json } from '../json/index.ts';

/** Maps in which an added key counts as an edit: a selector with one more label matches other pods. */
const closed = new Set(['selector']);

/**
 * Whether a field that the desired spec sets was changed. Other fields may hold defaults of the API server or values of other writers.
 */
export function isEditedSpec(desired: Json | undefined, live: Json | undefined): boolean {
  if (isList(desired)) {
    const items = isList(live) ? live : [];
    return items.length !== desired.length || desired.some((item, index) => isEditedSpec(item, items[index]));
  }
  if (!isObject(desired)) return !isEqual(desired ?? null, live ?? null) && !(isZero(desired) && live === undefined);
  const present = isObject(live) ? live : {};
  return Object.keys(desired).some((key) =>
    closed.has(key) ? !isEqual(desired[key] ?? {}, present[key] ?? {}) : isEditedSpec(desired[key], present[key]),
  );
}

// The API server does not store such values.
function isZero(value: Json | undefined): boolean {
  return value === false || value === 0 || value === '';
}

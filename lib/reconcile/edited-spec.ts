import { isEqual, isList, isObject, type Json } from '../json/index.ts';

/** Maps in which a key that somebody added matters: with one more a selector finds other pods. */
const closed = new Set(['selector']);

/**
 * Whether somebody changed a field that was asked for. What the API server or others filled in where nothing was asked for does not matter.
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

// The API server leaves such values out.
function isZero(value: Json | undefined): boolean {
  return value === false || value === 0 || value === '' || value === null;
}

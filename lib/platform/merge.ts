import { isObject, setKey, type Json, type JsonObject } from '../json/index.ts';

type Mutable = Record<string, Json | undefined>;

/** Merges layers of values as `-f a -f b` does: maps merge, everything else is replaced by the later layer, a null stays a null. */
export function mergeLayers(layers: readonly JsonObject[]): JsonObject {
  let merged: JsonObject = {};
  for (const layer of layers) merged = overlay(merged, layer);
  return merged;
}

function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Mutable = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    setKey(merged, key, isObject(value) && isObject(below) ? overlay(below, value) : value);
  }
  return merged;
}

/**
 * Adds to `values` the keys of `defaults` that it lacks. A null removes the key where `defaults` has it, as Helm does between a chart and its own
 * values; with `keepNulls` it stays, as Helm does between a parent chart and a sub chart.
 * https://helm.sh/docs/chart_template_guide/values_files/#deleting-a-default-key
 */
export function fillIn(values: JsonObject, defaults: JsonObject, keepNulls = false): JsonObject {
  const filled: Mutable = { ...values };
  for (const [key, fallback] of Object.entries(defaults)) {
    const value = filled[key];
    if (!Object.hasOwn(filled, key)) filled[key] = fallback;
    else if (value === null && !keepNulls) delete filled[key];
    else if (isObject(value) && isObject(fallback)) filled[key] = fillIn(value, fallback, keepNulls);
  }
  return filled;
}

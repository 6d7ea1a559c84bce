import { isObject, setKey, type Json, type JsonObject } from '../json/index.ts';

/** Returns the value with the image of every container in it replaced by `change(image)`. */
export function mapImages(value: Json, change: (image: string) => string): Json {
  if (Array.isArray(value)) return value.map((v: Json) => mapImages(v, change));
  if (!isObject(value)) return value;
  const out: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const containers = (key === 'containers' || key === 'initContainers') && Array.isArray(inner);
    const mapped = containers
      ? inner.map((c: Json) => (isObject(c) && typeof c['image'] === 'string' ? { ...plain(c), image: change(c['image']) } : c))
      : mapImages(inner, change);
    setKey(out, key, mapped);
  }
  return out;
}

function plain(object: JsonObject): Record<string, Json> {
  const out: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) setKey(out, key, value);
  return out;
}

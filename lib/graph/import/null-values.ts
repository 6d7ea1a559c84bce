import { isList, isObject, type Json, type JsonObject, type Path } from '../../json/index.ts';

/** Fields of type map of strings, in which the API server stores null as an empty string. */
const stringMaps: Readonly<Record<string, readonly string[]>> = { ConfigMap: ['data'], Secret: ['data', 'stringData'] };

/** Replaces nulls in the data of ConfigMaps and Secrets with empty strings, as the API server stores them. */
export function withStoredNulls(value: Json): Json {
  const kind = isObject(value) && value['apiVersion'] === 'v1' && typeof value['kind'] === 'string' ? value['kind'] : '';
  if (!isObject(value) || !Object.hasOwn(stringMaps, kind)) return value;
  const maps = (stringMaps[kind] ?? []).flatMap((field): readonly (readonly [string, JsonObject])[] => {
    const map = value[field];
    return isObject(map) ? [[field, Object.fromEntries(Object.entries(map).map(([key, item]) => [key, item ?? '']))]] : [];
  });
  return { ...value, ...Object.fromEntries(maps) };
}

/** Field paths of all nulls in a value. */
export function nullPaths(value: Json | undefined, path: Path = []): readonly Path[] {
  if (value === null) return [path];
  if (isList(value)) return value.flatMap((item, index) => nullPaths(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => nullPaths(member, [...path, key])) : [];
}

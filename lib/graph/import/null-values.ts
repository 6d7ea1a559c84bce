import { isList, isObject, type Json, type JsonObject, type Path } from '../../json/index.ts';

/** Maps of strings, in which the API server stores null as an empty string. */
const stringMaps: Readonly<Record<string, readonly string[]>> = { ConfigMap: ['data'], Secret: ['data', 'stringData'] };

/** An object with the empty strings that the API server makes of nulls in the data of ConfigMaps and Secrets. */
export function withStoredNulls(value: Json): Json {
  const kind = isObject(value) && value['apiVersion'] === 'v1' && typeof value['kind'] === 'string' ? value['kind'] : '';
  if (!isObject(value) || !Object.hasOwn(stringMaps, kind)) return value;
  const maps = (stringMaps[kind] ?? []).flatMap((field): readonly (readonly [string, JsonObject])[] => {
    const map = value[field];
    return isObject(map) ? [[field, Object.fromEntries(Object.entries(map).map(([key, text]) => [key, text ?? '']))]] : [];
  });
  return { ...value, ...Object.fromEntries(maps) };
}

/** Where a value holds null. */
export function nullPaths(value: Json | undefined, path: Path = []): readonly Path[] {
  if (value === null) return [path];
  if (isList(value)) return value.flatMap((item, index) => nullPaths(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => nullPaths(member, [...path, key])) : [];
}

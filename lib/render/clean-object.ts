import type { KubernetesObject, NamedObjectMeta } from '../api/index.ts';
import { isObject, type Json } from '../json/index.ts';
import { annotation } from './label-keys.ts';

const lastApplied: ReadonlySet<string> = new Set([annotation.hash, annotation.generation]);

/** Removes owner references, the last-applied annotations and empty defaults from an object, to make it readable. */
export function cleanObject(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { ownerReferences: _owners, annotations, ...kept } = metadata;
  const own = Object.entries(annotations ?? {}).filter(([key]) => !lastApplied.has(key));
  const cleaned: NamedObjectMeta = { ...kept, ...(own.length > 0 && { annotations: Object.fromEntries(own) }) };
  return {
    apiVersion,
    kind,
    metadata: cleaned,
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, dropEmptyDefaults(value)])),
  };
}

/** Whether a field is written only because its Go struct field has no `omitempty`. */
function isEmptyDefault(key: string, value: Json | undefined): boolean {
  if (key === 'rolloutStrategy') return isObject(value) && value['type'] === '';
  if (key === 'name') return value === '';
  return (key === 'resources' || key === 'metadata') && isObject(value) && Object.keys(value).length === 0;
}

function dropEmptyDefaults(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => dropEmptyDefaults(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (isEmptyDefault(key, member) ? [] : [[key, dropEmptyDefaults(member)]])),
  );
}

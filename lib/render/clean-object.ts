import { isObject, type Json } from '../json/index.ts';
import { annotation } from './label-keys.ts';
import type { KubernetesObject, ObjectMeta } from './result.ts';

const bookkeeping: ReadonlySet<string> = new Set([annotation.hash, annotation.generation]);

/** An object for reading: without owner references, the operator's bookkeeping and empty defaults. */
export function cleanObject(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { ownerReferences: _owners, annotations, ...kept } = metadata;
  const own = Object.entries(annotations ?? {}).filter(([key]) => !bookkeeping.has(key));
  const cleaned: ObjectMeta = { ...kept, ...(own.length > 0 && { annotations: Object.fromEntries(own) }) };
  return {
    apiVersion,
    kind,
    metadata: cleaned,
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, dropEmptyDefaults(value)])),
  };
}

/** Members that are only there because a typed struct cannot leave them out. */
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

import { isObject, type Json, type JsonObject } from '../../json/index.ts';

/** Metadata that only the API server writes. */
const serverMetadata = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** Annotations in which tools and controllers record their state. */
const bookkeeping =
  /^(?:kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/revision|nvidia\.com\/last-applied-(?:hash|generation))$/;

function without(object: JsonObject, drop: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !drop(key)));
}

/** Removes fields that only live objects have, and finalizers and owner references of live objects, which the operator adds. */
export function withoutLiveFields(value: Json): Json {
  if (!isObject(value)) return value;
  const metadata = isObject(value['metadata']) ? value['metadata'] : undefined;
  if (metadata === undefined) return value;
  const live = metadata['uid'] !== undefined || metadata['resourceVersion'] !== undefined;
  const known = live ? [...serverMetadata, 'finalizers', 'ownerReferences'] : serverMetadata;
  const kept = without(metadata, (key) => known.includes(key));
  const annotations = isObject(kept['annotations']) ? without(kept['annotations'], (key) => bookkeeping.test(key)) : undefined;
  const written = {
    ...without(kept, (key) => key === 'annotations'),
    ...(annotations === undefined || Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
  const own = typeof value['apiVersion'] === 'string' && value['apiVersion'].startsWith('nvidia.com/');
  return {
    ...without(value, (key) => key === 'status' && (live || own)),
    metadata: kept['annotations'] === undefined ? kept : written,
  };
}

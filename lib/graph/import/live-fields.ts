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

/** Annotations that tools and controllers keep their notes in. */
const notes =
  /^(?:kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/revision|nvidia\.com\/last-applied-(?:hash|generation))$/;

function without(object: JsonObject, drop: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !drop(key)));
}

/** An object without what only a live one has; finalizers and owners are dropped where it is one, since the operator puts them there. */
export function withoutLiveFields(value: Json): Json {
  if (!isObject(value)) return value;
  const metadata = isObject(value['metadata']) ? value['metadata'] : undefined;
  if (metadata === undefined) return value;
  const live = metadata['uid'] !== undefined || metadata['resourceVersion'] !== undefined;
  const known = live ? [...serverMetadata, 'finalizers', 'ownerReferences'] : serverMetadata;
  const kept = without(metadata, (key) => known.includes(key));
  const annotations = isObject(kept['annotations']) ? without(kept['annotations'], (key) => notes.test(key)) : undefined;
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

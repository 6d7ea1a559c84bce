import type { Issue, KubernetesObject } from '../api/index.ts';
import { isList, isObject, setKey, type Json, type JsonObject, type Path } from '../json/index.ts';

/** Fields that are dropped if empty, since empty means the same as absent. */
const droppedWhenEmpty = new Set([
  'affinity',
  'annotations',
  'env',
  'envFrom',
  'nodeAffinity',
  'nodeSelector',
  'podAffinity',
  'podAntiAffinity',
  'seLinuxOptions',
  'supplementalGroups',
  'sysctls',
  'tolerations',
  'volumeClaimTemplates',
]);

/** Fields of `droppedWhenEmpty` that the API server stores even if empty, so that dropping them changes the pod template. */
const stored = new Set(['affinity', 'seLinuxOptions']);

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function withoutNulls(value: Json, asHelm: boolean): Json {
  if (Array.isArray(value))
    return value.filter((item) => item !== null && item !== undefined).map((item) => withoutNulls(item, asHelm));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field === null || field === undefined) continue;
    const plain = withoutNulls(field, asHelm);
    const drop = droppedWhenEmpty.has(key) && isEmpty(plain) && !(asHelm && stored.has(key));
    if (!drop) setKey(kept, key, plain);
  }
  return kept;
}

function hasNull(value: Json | undefined): boolean {
  if (value === null || value === undefined) return true;
  if (isList(value)) return value.some((item) => item !== null && hasNull(item));
  if (typeof value !== 'object') return false;
  for (const key in value) if (hasNull(value[key])) return true;
  return false;
}

function nullFree(value: Json): Json {
  if (Array.isArray(value)) return value.map(nullFree);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, nullFree(field ?? null)]));
}

/** Removes null fields, which the API server treats as absent; empty fields stay. */
export function withoutNullFields(object: KubernetesObject): KubernetesObject {
  if (!hasNull(object)) return object;
  const { apiVersion, kind, metadata } = object;
  const fields = nullFree(object);
  const { name, ...others } = metadata;
  const rest = nullFree(others);
  return { ...(isObject(fields) ? fields : {}), apiVersion, kind, metadata: { name, ...(isObject(rest) ? rest : {}) } };
}

/**
 * Prepares an object for output: without nulls, undefined keys and meaningless empty fields. An object without a name or kind is an issue. With `asHelm`
 * empty fields stay if dropping them would restart the pods of an adopted Helm release.
 */
export function plainObject(document: Json, path: Path, issues: Issue[], asHelm = false): KubernetesObject | undefined {
  const plain = withoutNulls(document, asHelm);
  const { apiVersion, kind, metadata } = isObject(plain) ? plain : ({} as JsonObject);
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (
    isObject(plain) &&
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    isObject(metadata) &&
    typeof name === 'string'
  ) {
    return { ...plain, apiVersion, kind, metadata: { ...metadata, name } };
  }
  issues.push({ path, code: 'not_an_object', message: 'must be an object with apiVersion, kind and metadata.name' });
  return undefined;
}

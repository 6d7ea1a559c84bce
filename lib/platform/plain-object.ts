import type { Issue, KubernetesObject } from '../api/index.ts';
import { isObject, setKey, type Json, type JsonObject, type Path } from '../json/index.ts';

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

function withoutEmpty(value: Json, asHelm: boolean): Json {
  if (Array.isArray(value))
    return value.filter((item) => item !== null && item !== undefined).map((item) => withoutEmpty(item, asHelm));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field === null || field === undefined) continue;
    const plain = withoutEmpty(field, asHelm);
    const drop = droppedWhenEmpty.has(key) && isEmpty(plain) && !(asHelm && stored.has(key));
    if (!drop) setKey(kept, key, plain);
  }
  return kept;
}

/**
 * Prepares an object for output: without nulls, undefined keys and meaningless empty fields. An object without a name or kind is an issue. With `asHelm`
 * empty fields stay if dropping them would restart the pods of an adopted Helm release.
 */
function plainObject(document: Json, path: Path, issues: Issue[], asHelm = false): KubernetesObject | undefined {
  const plain = withoutEmpty(document, asHelm);
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

/** Prepares the objects of a part for output; undefined ones are left out. */
export function plainObjects(
  documents: readonly (Json | undefined)[],
  path: Path,
  issues: Issue[],
  asHelm = false,
): readonly KubernetesObject[] {
  return documents.flatMap((document) => (document === undefined ? [] : (plainObject(document, path, issues, asHelm) ?? [])));
}

import { isObject, type Json, type JsonObject, sortedKeys } from '../../json/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { atPath, templateString, type Value } from '../go-values.ts';
import { metadata, suffixed, type EtcdRelease } from './release.ts';

/** The ConfigMap with a configuration of the user's own. */
export function configMap(etcd: EtcdRelease): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(etcd, { name: suffixed(etcd, 'configuration'), component: 'etcd' }),
    data: { 'etcd.conf.yml': configurationText(atPath(etcd.values, 'configuration')) },
  };
}

/** The configuration file: a text as it is, a map as YAML. */
function configurationText(given: Value): string {
  return (isObject(given) ? toYaml(sorted(given)) : templateString(given)).replace(/\n+$/, '');
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((key) => [key, sorted(value[key] ?? null)]));
}

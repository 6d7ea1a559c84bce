import { isObject, type JsonObject, sortedDeep, trimEndOf } from '../../json/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { atPath, templateString, type Value } from '../go-values.ts';
import { metadata, suffixed, type EtcdRelease } from './release.ts';

/** The ConfigMap with the user's configuration. */
export function configMap(etcd: EtcdRelease): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(etcd, { name: suffixed(etcd, 'configuration'), component: 'etcd' }),
    data: { 'etcd.conf.yml': configurationFile(atPath(etcd.values, 'configuration')) },
  };
}

/** The content of the configuration file: a string unchanged, a map as YAML. */
function configurationFile(given: Value): string {
  return trimEndOf(isObject(given) ? toYaml(sortedDeep(given)) : templateString(given), '\n');
}

import { nameOf, namespaceOf } from '../api/index.ts';
import { stringAt, byteOrder, isObject, type Json, type JsonObject } from '../json/index.ts';
import type { Cluster, Existence } from './render-context.ts';
import { label } from './label-keys.ts';
import { registryHost } from './pod/pull-secrets.ts';

/**
 * A cluster that consists of the given documents. ClusterRoles of the operator's chart and the source of the MPI secret are assumed to exist.
 * PersistentVolumeClaims and KAI queues that are not given are unknown; but if any queue is given, queues that are not given are absent.
 */
export function clusterOfDocuments(
  documents: readonly Json[],
  apiGroups: ReadonlySet<string>,
  defaultNamespace: string,
): Cluster {
  const objects = documents.filter(isObject);
  const known = new Map<string, JsonObject>();
  for (const object of objects)
    known.set(key(stringAt(object, 'kind'), namespaceOf(object, defaultNamespace), nameOf(object)), object);
  const find = (kind: string, namespace: string, name: string): JsonObject | undefined => known.get(key(kind, namespace, name));
  const queues = objects.filter(
    (object) => object['kind'] === 'Queue' && stringAt(object, 'apiVersion').startsWith('scheduling.run.ai/'),
  );
  const queueNames = new Set(queues.map(nameOf));
  const pullSecrets = indexPullSecrets(objects, defaultNamespace);
  return {
    hasApiGroup: (group) => apiGroups.has(group),
    claim: (namespace, name) => (find('PersistentVolumeClaim', namespace, name) ? 'present' : 'unknown'),
    queue: (name): Existence => (queueNames.has(name) ? 'present' : queues.length > 0 ? 'absent' : 'unknown'),
    clusterRole: () => 'unknown',
    find,
    pullSecrets: (namespace, host) => pullSecrets.get(`${namespace}/${host}`) ?? [],
    podServiceAccount: (namespace) => podAccount(objects, namespace, defaultNamespace),
    configMapKeys: (namespace, name) => {
      const found = find('ConfigMap', namespace, name);
      return found && Object.keys(isObject(found['data']) ? found['data'] : {});
    },
  };
}

function key(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

function podAccount(objects: readonly JsonObject[], namespace: string, defaultNamespace: string): string | undefined {
  const names = objects
    .filter((object) => object['kind'] === 'ServiceAccount' && namespaceOf(object, defaultNamespace) === namespace)
    .filter((object) => stringAt(object, 'metadata', 'labels', label.componentPod) === 'true')
    .map(nameOf);
  return names.sort(byteOrder)[0];
}

/** Names of image pull secrets by namespace and registry host. One unreadable secret makes the whole index empty, as in the original operator. */
function indexPullSecrets(objects: readonly JsonObject[], defaultNamespace: string): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const secrets = objects.filter((object) => object['kind'] === 'Secret' && object['type'] === 'kubernetes.io/dockerconfigjson');
  for (const secret of secrets.sort((a, b) => byteOrder(nameOf(a), nameOf(b)))) {
    const hosts = authKeys(secret)?.map(registryHost);
    if (hosts === undefined) return new Map();
    for (const host of hosts) {
      if (host === undefined) return new Map();
      const at = `${namespaceOf(secret, defaultNamespace)}/${host}`;
      index.set(at, [...(index.get(at) ?? []), nameOf(secret)]);
    }
  }
  return index;
}

function authKeys(secret: JsonObject): readonly string[] | undefined {
  const file = '.dockerconfigjson';
  const { data, stringData } = secret;
  const encoded = isObject(data) ? data[file] : undefined;
  const plain = isObject(stringData) ? stringData[file] : undefined;
  const content =
    typeof plain === 'string' ? plain : typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : '';
  try {
    const config: Json = JSON.parse(content);
    const auths = isObject(config) ? config['auths'] : undefined;
    return isObject(auths) ? Object.keys(auths) : [];
  } catch {
    return undefined;
  }
}

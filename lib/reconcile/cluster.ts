import { byteOrder, listAt, objectAt, stringAt, type JsonObject } from '../json/index.ts';
import { type Cluster, type Existence, label } from '../render/index.ts';
import { kinds } from './kinds.ts';
import { keyOf } from './metadata.ts';
import type { Reader } from './reader.ts';
import { dockerConfigType } from './secret.ts';
import type { Snapshot } from './snapshot.ts';

const makers = { ServiceAccount: kinds.serviceAccount, RoleBinding: kinds.roleBinding, Secret: kinds.secret } as const;

/** The cluster as a snapshot shows it. Whether an object exists is always known. */
export function clusterOf(reader: Reader, { apiGroups, config }: Snapshot): Cluster {
  const existence = (object: JsonObject | undefined): Existence => (object === undefined ? 'absent' : 'present');
  return {
    hasApiGroup: (group) => apiGroups.includes(group),
    claim: (namespace, name) => existence(reader.get(kinds.claim, namespace, name)),
    queue: (name) => existence(reader.get(kinds.queue, '', name)),
    clusterRole: (name) => existence(reader.get(kinds.clusterRole, '', name)),
    find: (kind, namespace, name) =>
      kind === 'Secret' && isOutOfReach(namespace, config.restrictedNamespace)
        ? undefined
        : reader.get(makers[kind], namespace, name),
    pullSecrets: (namespace, host) =>
      byName(reader.list(kinds.secret, namespace, { secretType: dockerConfigType }))
        .filter((secret) => listAt(secret, 'hosts').includes(host))
        .map((secret) => keyOf(secret).name),
    podServiceAccount: (namespace) =>
      byName(reader.list(kinds.serviceAccount, namespace, { labels: { [label.componentPod]: 'true' } })).map(
        (account) => keyOf(account).name,
      )[0],
    configMapKeys: (namespace, name) => {
      const found = reader.get(kinds.configMap, namespace, name);
      return found && Object.keys(objectAt(found, 'data'));
    },
  };
}

/** An operator restricted to one namespace does not read other namespaces. */
export function isOutOfReach(namespace: string, restrictedNamespace: string): boolean {
  return restrictedNamespace !== '' && namespace !== restrictedNamespace;
}

function byName(objects: readonly JsonObject[]): readonly JsonObject[] {
  const name = (object: JsonObject): string => stringAt(object, 'metadata', 'name');
  return objects.toSorted((a, b) => byteOrder(name(a), name(b)));
}

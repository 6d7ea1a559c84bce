import { createHash } from 'node:crypto';
import { findObject, isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../json/index.ts';
import { canonicalText, registryHost } from '../render/index.ts';

/** The type of Secrets that hold registry credentials. */
export const dockerConfigType = 'kubernetes.io/dockerconfigjson';

/**
 * What a snapshot may know of a Secret: never its data. Registry credentials are known by the hosts they are for, other Secrets by a digest
 * of their content, and by whether an operator wrote that content (its field manager is `manager`), so that a copy can be
 * distinguished from a Secret of a user.
 */
export function projectSecret(secret: JsonObject): JsonObject {
  const metadata = objectAt(secret, 'metadata');
  const { name, namespace, uid, resourceVersion, ownerReferences, deletionTimestamp } = metadata;
  const type = stringAt(secret, 'type');
  const kept = { name, namespace, uid, resourceVersion, ownerReferences, deletionTimestamp };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    type,
    ...(type === dockerConfigType
      ? { hosts: registryHosts(findObject(secret, 'data')) }
      : { digest: digestOf(secret), copied: isCopy(metadata) }),
  };
}

/** Registry hosts that a docker config has credentials for; none where it cannot be parsed, so that other Secrets still count. */
function registryHosts(data: JsonObject | undefined): readonly string[] {
  const config = parseJson(Buffer.from(stringAt(data, '.dockerconfigjson'), 'base64').toString('utf8'));
  const auths = isObject(config) ? objectAt(config, 'auths') : {};
  return Object.keys(auths).flatMap((key) => registryHost(key) ?? []);
}

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function digestOf(secret: JsonObject): string {
  const { type, data } = secret;
  return createHash('sha256')
    .update(canonicalText({ type: type ?? '', data: data ?? {} }))
    .digest('hex');
}

function isCopy(metadata: JsonObject): boolean {
  return listAt(metadata, 'managedFields').some(
    (entry) => stringAt(entry, 'manager') === 'manager' && findObject(findObject(entry, 'fieldsV1'), 'f:data') !== undefined,
  );
}

import { type JsonObject, objectAt } from '../../json/index.ts';
import { atPath, truthy, type Value } from '../go-values.ts';
import type { EtcdRelease } from './release.ts';

/** Whether the platform, not the manifest, chooses users and groups: OpenShift, as far as it is known. */
function platformChoosesUser({ values, context }: EtcdRelease): boolean {
  const adapt = atPath(values, 'global.compatibility.openshift.adaptSecurityContext');
  return adapt === 'force' || (adapt === 'auto' && context.apiVersions.has('security.openshift.io/v1'));
}

/** A security context from its block: nothing when it is off, without users and groups where the platform chooses them. */
export function securityContext(etcd: EtcdRelease, block: Value): JsonObject {
  if (!truthy(atPath(block, 'enabled'))) return {};
  const { enabled: _, ...fields } = objectAt(block);
  const dropped = new Set<string>();
  if (platformChoosesUser(etcd)) for (const key of ['fsGroup', 'runAsUser', 'runAsGroup']) dropped.add(key);
  if (dropped.size > 0 && !truthy(fields['seLinuxOptions'])) dropped.add('seLinuxOptions');
  // capabilities mean nothing in a privileged container
  if (truthy(fields['privileged'])) dropped.add('capabilities');
  return { securityContext: Object.fromEntries(Object.entries(fields).filter(([key]) => !dropped.has(key))) };
}

/** Pod security context for the Pod Security level `restricted`, when the switch `pod-security` is on: the values' fields stay. */
export function podSecurityContext(etcd: EtcdRelease, block: Value): JsonObject {
  const given = securityContext(etcd, block);
  if (!etcd.context.switches['pod-security']) return given;
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, ...objectAt(given['securityContext']) },
  };
}

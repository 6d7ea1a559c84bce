import { type JsonObject, objectAt } from '../../json/index.ts';
import { atPath, truthy, type Value } from '../go-values.ts';
import type { EtcdRelease } from './release.ts';

/** Whether the cluster assigns users and groups, as OpenShift does: set in the values, or detected by its API. */
function clusterAssignsUser({ values, context }: EtcdRelease): boolean {
  const adapt = atPath(values, 'global.compatibility.openshift.adaptSecurityContext');
  return adapt === 'force' || (adapt === 'auto' && context.apiVersions.has('security.openshift.io/v1'));
}

/** A security context from its block: empty if disabled, and without users and groups if the cluster assigns them. */
export function securityContext(etcd: EtcdRelease, block: Value): JsonObject {
  if (!truthy(atPath(block, 'enabled'))) return {};
  const { enabled: _, ...fields } = objectAt(block);
  const dropped = new Set<string>();
  if (clusterAssignsUser(etcd)) for (const key of ['fsGroup', 'runAsUser', 'runAsGroup']) dropped.add(key);
  if (dropped.size > 0 && !truthy(fields['seLinuxOptions'])) dropped.add('seLinuxOptions');
  // A privileged container has all capabilities.
  if (truthy(fields['privileged'])) dropped.add('capabilities');
  return { securityContext: Object.fromEntries(Object.entries(fields).filter(([key]) => !dropped.has(key))) };
}

/** Pod security context for the Pod Security level `restricted`, if the switch `pod-security` is on; fields of the values take precedence. */
export function podSecurityContext(etcd: EtcdRelease, block: Value): JsonObject {
  const given = securityContext(etcd, block);
  if (!etcd.context.switches['pod-security']) return given;
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, ...objectAt(given['securityContext']) },
  };
}

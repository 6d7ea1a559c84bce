import type { JsonObject } from '../../api/json.ts';
import type { PlatformContext } from '../context.ts';
import { clusterPicksUser, restrictedContainer, restrictedPod } from '../pod-security.ts';

/** User and group that run NATS when the switch `pod-security` is on; its images name none. */
const user = 1000;

/** Pod settings for the Pod Security level `restricted`; empty when the switch is off. */
export function podHardening(context: PlatformContext): JsonObject {
  if (!context.switches['pod-security']) return {};
  const group = clusterPicksUser(context) ? {} : { fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' };
  return { automountServiceAccountToken: false, securityContext: restrictedPod(group, context, user) };
}

/** Container settings for the Pod Security level `restricted`; empty when the switch is off. */
export function containerHardening(context: PlatformContext): JsonObject {
  return context.switches['pod-security'] ? { securityContext: restrictedContainer({}, context) } : {};
}

/** A writable `/tmp`, which a read-only root file system takes away. */
export function temporaryFiles({ switches }: PlatformContext): {
  readonly volumes: readonly JsonObject[];
  readonly mounts: readonly JsonObject[];
} {
  if (!switches['pod-security']) return { volumes: [], mounts: [] };
  return { volumes: [{ name: 'tmp', emptyDir: {} }], mounts: [{ name: 'tmp', mountPath: '/tmp' }] };
}

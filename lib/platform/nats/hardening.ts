import type { JsonObject } from '../../api/json.ts';
import type { PlatformContext } from '../context.ts';

/** User and group that run NATS when the switch `pod-security` is on; its images name none. */
const user = 1000;

/** Pod settings for the Pod Security level `restricted`; empty when the switch is off. */
export function podHardening({ switches }: PlatformContext): JsonObject {
  if (!switches['pod-security']) return {};
  return {
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** Container settings for the Pod Security level `restricted`; empty when the switch is off. */
export function containerHardening({ switches }: PlatformContext): JsonObject {
  if (!switches['pod-security']) return {};
  return { securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } } };
}

/** A writable `/tmp`, which a read-only root file system takes away. */
export function temporaryFiles({ switches }: PlatformContext): {
  readonly volumes: readonly JsonObject[];
  readonly mounts: readonly JsonObject[];
} {
  if (!switches['pod-security']) return { volumes: [], mounts: [] };
  return { volumes: [{ name: 'tmp', emptyDir: {} }], mounts: [{ name: 'tmp', mountPath: '/tmp' }] };
}

import type { JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { atPath } from './go-values.ts';
import { fillIn } from './merge.ts';

/** Whether the cluster chooses user and group ids, as OpenShift requires: set in the values, or detected by its API. */
function clusterPicksUser(context: PlatformContext): boolean {
  const adapt = atPath(context.values, 'global.compatibility.openshift.adaptSecurityContext');
  return adapt === 'force' || (adapt !== 'disabled' && context.apiVersions.has('security.openshift.io/v1'));
}

/** User that images run under when the switch `pod-security` is on, and the group that owns their volumes. */
const ownId = 65532;

/** Group of the files in volumes; empty where the cluster picks it, as OpenShift does, or the switch is off. */
export function volumeGroup(context: PlatformContext): JsonObject {
  if (!context.switches['pod-security'] || clusterPicksUser(context)) return {};
  return { fsGroup: ownId, fsGroupChangePolicy: 'OnRootMismatch' };
}

/** Mode of files from Secrets: for their owner and the group of the volume, not for everybody as by default. */
export function secretMode({ switches }: PlatformContext): JsonObject {
  return switches['pod-security'] ? { defaultMode: 0o440 } : {};
}

/** A pod's security context that passes the level `restricted`; what is given wins. `user` is an id that the images can run under. */
export function restrictedPod(given: JsonObject, context: PlatformContext, user = ownId): JsonObject {
  if (!context.switches['pod-security']) return given;
  const ids = clusterPicksUser(context) ? {} : { runAsUser: user, runAsGroup: user };
  return fillIn(given, { ...ids, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
}

/** A container's security context that passes the level `restricted` with a read-only root file system; what is given wins. */
export function restrictedContainer(given: JsonObject, context: PlatformContext): JsonObject {
  if (!context.switches['pod-security']) return given;
  return fillIn(given, {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
}

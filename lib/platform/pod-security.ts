import type { JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { atPath } from './go-values.ts';
import { fillIn } from './merge.ts';

/** Whether the cluster assigns user and group ids, as OpenShift does: set in the values, or detected by its API. */
function clusterAssignsUser(context: PlatformContext): boolean {
  const adapt = atPath(context.values, 'global.compatibility.openshift.adaptSecurityContext');
  return adapt === 'force' || (adapt !== 'disabled' && context.apiVersions.has('security.openshift.io/v1'));
}

/** User id of containers and group id of volumes, if the switch `pod-security` is on; `nonroot` of distroless images. */
const nonrootId = 65532;

/** Group of the files in volumes; empty if the cluster assigns it, as OpenShift does, or the switch is off. */
export function volumeGroup(context: PlatformContext): JsonObject {
  if (!context.switches['pod-security'] || clusterAssignsUser(context)) return {};
  return { fsGroup: nonrootId, fsGroupChangePolicy: 'OnRootMismatch' };
}

/** Mode of files from Secrets: readable by the owner and the group of the volume, not by everyone as by default. */
export function secretMode({ switches }: PlatformContext): JsonObject {
  return switches['pod-security'] ? { defaultMode: 0o440 } : {};
}

/** A pod's security context that passes the level `restricted`; given fields take precedence. `user` is an id that the images can run under. */
export function restrictedPod(given: JsonObject, context: PlatformContext, user = nonrootId): JsonObject {
  if (!context.switches['pod-security']) return given;
  const ids = clusterAssignsUser(context) ? {} : { runAsUser: user, runAsGroup: user };
  return fillIn(given, { ...ids, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
}

/** A container's security context that passes the level `restricted` with a read-only root file system; given fields take precedence. */
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

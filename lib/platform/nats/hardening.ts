import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { restrictedContainer, restrictedPod, volumeGroup } from '../pod-security.ts';

function size(cpu: string, memory: string, memoryLimit: string): JsonObject {
  return {
    requests: { cpu, memory, 'ephemeral-storage': '32Mi' },
    limits: { memory: memoryLimit, 'ephemeral-storage': '256Mi' },
  };
}

/** Resources of the containers. CPU is not limited: a throttled server slows down every graph. */
const sizes = {
  server: size('250m', '512Mi', '2Gi'),
  reloader: size('10m', '32Mi', '64Mi'),
  exporter: size('10m', '32Mi', '128Mi'),
  box: size('10m', '32Mi', '256Mi'),
} as const;

/** Pod settings for the Pod Security level `restricted`; empty when the switch is off. */
export function podHardening(context: PlatformContext): JsonObject {
  if (!context.switches['pod-security']) return {};
  return { automountServiceAccountToken: false, securityContext: restrictedPod(volumeGroup(context), context) };
}

/** Resources and security settings of a container, if the switches are on. */
export function containerHardening(context: PlatformContext, size: keyof typeof sizes): JsonObject {
  return {
    ...(context.switches['container-resources'] ? { resources: sizes[size] } : {}),
    ...(context.switches['pod-security'] ? { securityContext: restrictedContainer({}, context) } : {}),
  };
}

/** A writable `/tmp`, needed with a read-only root file system. */
export function temporaryFiles({ switches }: PlatformContext): {
  readonly volumes: readonly JsonObject[];
  readonly mounts: readonly JsonObject[];
} {
  if (!switches['pod-security']) return { volumes: [], mounts: [] };
  return { volumes: [{ name: 'tmp', emptyDir: {} }], mounts: [{ name: 'tmp', mountPath: '/tmp' }] };
}

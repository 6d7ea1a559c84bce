import type { ComponentSpec, ContainerVolumeMount, Volume, VolumeMount } from '../../api/index.ts';
import type { Framework } from '../framework.ts';
import type { Outcome, Problem } from '../outcome.ts';
import { canonicalQuantity } from '../wire/canonical-quantity.ts';
import type { Mounted } from './types.ts';

const vllmCachePath = '/root/.cache/vllm';

/** The volumes and mounts of a component: its PersistentVolumeClaims and shared memory. */
export function componentVolumes(component: ComponentSpec, framework: Framework): Outcome<Mounted> {
  const volumes: Volume[] = [];
  const mounts: ContainerVolumeMount[] = [];
  const problems: Problem[] = [];
  for (const [index, mount] of (component.volumeMounts ?? []).entries()) {
    const mountPath = mountPathOf(mount, framework);
    if (typeof mountPath !== 'string') {
      problems.push({ code: 'required', path: ['volumeMounts', index, mountPath.field], message: mountPath.message });
      continue;
    }
    volumes.push({ name: mount.name, persistentVolumeClaim: { claimName: mount.name } });
    mounts.push({ name: mount.name, mountPath });
  }
  if (problems.length > 0) return { problems };
  const shared = component.sharedMemory;
  if (shared?.disabled !== true) {
    volumes.push({ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: sharedMemorySize(shared?.size) } });
    mounts.push({ name: 'shared-memory', mountPath: '/dev/shm' });
  }
  return { value: { volumes, mounts } };
}

function mountPathOf(mount: VolumeMount, framework: Framework): string | { readonly field: string; readonly message: string } {
  if (!mount.name) return { field: 'name', message: 'volumeMount.name is required when volumeMounts is set' };
  if (mount.mountPoint) return mount.mountPoint;
  if (mount.useAsCompilationCache !== true)
    return { field: 'mountPoint', message: 'volumeMount.mountPoint is required when useAsCompilationCache is false' };
  if (framework === 'vllm') return vllmCachePath;
  return {
    field: 'mountPoint',
    message: `volumeMount with useAsCompilationCache=true requires an explicit mountPoint for backend framework ${framework} (no default available)`,
  };
}

function sharedMemorySize(size: number | string | undefined): string {
  const canonical = size === undefined ? '0' : canonicalQuantity(String(size));
  return typeof canonical !== 'string' || canonical === '0' ? '8Gi' : canonical;
}

/** The mount path of the first volume that is marked as compilation cache, if it has one. */
export function compilationCachePath(component: ComponentSpec): string | undefined {
  return component.volumeMounts?.find((mount) => mount.useAsCompilationCache === true)?.mountPoint || undefined;
}

import type { EnvVar } from '../../api/index.ts';
import type { Path } from '../../json/index.ts';
import { annotation } from '../label-keys.ts';
import type { RenderedPod } from '../pod/types.ts';
import { firstSet, fieldAt, type ComponentLocation } from './component-location.ts';

/** The field that a field of a rendered pod comes from; `path` is relative to the pod spec. */
export function tracePod(location: ComponentLocation, pod: Partial<RenderedPod> | undefined, path: Path): Path {
  const [field, index, ...rest] = path;
  const { source, base } = location;
  const extra = [...base, 'extraPodSpec'];
  if (field === 'containers' && typeof index === 'number') return traceContainer(location, pod, index, rest);
  if (field === 'volumes' && typeof index === 'number') return traceVolume(location, pod?.volumes?.[index]?.name, index, rest);
  return field === undefined ? firstSet(source, extra, base) : traceExtra(location, path);
}

/** A field of `extraPodSpec`: also an unset one if the object around it is written, else the part of the path that is, else the component. */
function traceExtra({ source, base }: ComponentLocation, path: Path): Path {
  const extra = [...base, 'extraPodSpec'];
  const isWritten = (length: number): boolean => fieldAt(source, [...extra, ...path.slice(0, length)]) !== undefined;
  if (path.length > 1 && isWritten(path.length - 1)) return [...extra, ...path];
  const lengths = path.map((_, index) => index + 1);
  const written = lengths.findLast(isWritten);
  return written === undefined ? base : [...extra, ...path.slice(0, written)];
}

function traceContainer(location: ComponentLocation, pod: Partial<RenderedPod> | undefined, index: number, rest: Path): Path {
  const { base, component } = location;
  const sidecars = component.extraPodSpec?.containers?.length ?? 0;
  if (index < sidecars) return [...base, 'extraPodSpec', 'containers', index, ...rest];
  if (index > sidecars)
    return firstSet(
      location.source,
      [...base, 'annotations', annotation.debugMode],
      [...base, 'annotations', annotation.stealTraffic],
    );
  return traceMain(location, pod, index, rest);
}

function traceMain(location: ComponentLocation, pod: Partial<RenderedPod> | undefined, container: number, path: Path): Path {
  const { source, base } = location;
  const [field = '', item = ''] = path;
  const main = [...base, 'extraPodSpec', 'mainContainer'];
  const rendered = pod?.containers?.[container];
  if (field === 'env' && typeof item === 'number') return traceEnv(location, rendered?.env?.[item]?.name ?? '', path.slice(2));
  if (field === 'volumeMounts' && typeof item === 'number')
    return traceMount(location, rendered?.volumeMounts?.[item]?.name, item, path.slice(2));
  if (field === 'resources') return traceResources(location, path.slice(1));
  if (field === 'envFrom' && item === (location.component.extraPodSpec?.mainContainer?.envFrom?.length ?? 0))
    return [...base, 'envFromSecret'];
  if (field === 'livenessProbe' || field === 'readinessProbe')
    return firstSet(source, ...(fieldAt(source, [...base, field]) === undefined ? [] : [[...base, ...path]]), [...main, ...path]);
  return [...main, ...path];
}

function indexOf(list: readonly EnvVar[] | undefined, name: string): number {
  return list?.findLastIndex((entry) => entry.name === name) ?? -1;
}

/** The entry that sets an environment variable; of several, the one that takes precedence. */
export function traceEnv({ source, base, component }: ComponentLocation, name: string, rest: Path): Path {
  const own = indexOf(component.envs, name);
  if (own >= 0) return [...base, 'envs', own, ...rest];
  const shared = source.kind === 'DynamoGraphDeployment' ? indexOf(source.spec?.envs, name) : -1;
  if (shared >= 0) return ['spec', 'envs', shared, ...rest];
  const main = indexOf(component.extraPodSpec?.mainContainer?.env, name);
  return main >= 0 ? [...base, 'extraPodSpec', 'mainContainer', 'env', main, ...rest] : base;
}

function traceMount({ base, component }: ComponentLocation, name: string | undefined, index: number, rest: Path): Path {
  const given = component.extraPodSpec?.mainContainer?.volumeMounts?.length ?? 0;
  const own = given > 0 ? given : component.componentType === 'epp' ? 2 : 0;
  if (index < given) return [...base, 'extraPodSpec', 'mainContainer', 'volumeMounts', index, ...rest];
  return traceClaim({ base, component }, name, index - own, rest[0] === 'mountPath' ? 'mountPoint' : rest[0]);
}

function traceVolume({ base, component }: ComponentLocation, name: string | undefined, index: number, rest: Path): Path {
  const given = component.extraPodSpec?.volumes?.length ?? 0;
  const own = given > 0 ? given : component.componentType === 'epp' ? 2 : 0;
  if (index < given) return [...base, 'extraPodSpec', 'volumes', index, ...rest];
  if (index < own) return [...base, 'eppConfig'];
  return traceClaim(
    { base, component },
    name,
    index - own,
    rest.length > 0 && rest[0] !== 'emptyDir' ? 'name' : rest[0] && 'size',
  );
}

function traceClaim(
  { base, component }: Omit<ComponentLocation, 'source'>,
  name: string | undefined,
  index: number,
  field: string | number | undefined,
): Path {
  const mounts = component.volumeMounts ?? [];
  if (index >= 0 && index < mounts.length) return [...base, 'volumeMounts', index, ...(field === undefined ? [] : [field])];
  if (name !== 'shared-memory' || component.sharedMemory === undefined) return base;
  return [...base, 'sharedMemory', ...(field === 'size' ? [field] : [])];
}

function traceResources({ source, base, component }: ComponentLocation, path: Path): Path {
  const [side, key, ...rest] = path;
  const main = [...base, 'extraPodSpec', 'mainContainer', 'resources'];
  if (side === 'claims' && typeof key === 'number') {
    const given = component.extraPodSpec?.mainContainer?.resources?.claims?.length ?? 0;
    return key < given ? [...main, ...path] : [...base, 'resources', 'claims', key - given, ...rest];
  }
  if ((side !== 'limits' && side !== 'requests') || typeof key !== 'string')
    return firstSet(source, [...base, 'resources'], main);
  const item = component.resources?.[side];
  const gpu = side === 'limits' && key === (item?.gpuType || 'nvidia.com/gpu') && item?.gpu !== undefined;
  return firstSet(
    source,
    [...base, 'resources', side, 'custom', key],
    [...base, 'resources', side, gpu ? 'gpu' : key],
    [...main, side, key],
  );
}

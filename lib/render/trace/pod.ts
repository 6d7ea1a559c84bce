import type { EnvVar } from '../../api/index.ts';
import type { Path } from '../../json/index.ts';
import { annotation } from '../label-keys.ts';
import type { RenderedPod } from '../pod/types.ts';
import { firstWritten, fieldAt, type Place } from './place.ts';

/** Where a field of a rendered pod comes from; `path` is relative to the pod spec. */
export function tracePod(place: Place, pod: Partial<RenderedPod> | undefined, path: Path): Path {
  const [field, index, ...rest] = path;
  const { source, base } = place;
  const extra = [...base, 'extraPodSpec'];
  if (field === 'containers' && typeof index === 'number') return traceContainer(place, pod, index, rest);
  if (field === 'volumes' && typeof index === 'number') return traceVolume(place, pod?.volumes?.[index]?.name, index, rest);
  return firstWritten(source, [...extra, ...path], field === undefined ? extra : [...extra, field], base);
}

function traceContainer(place: Place, pod: Partial<RenderedPod> | undefined, index: number, rest: Path): Path {
  const { base, component } = place;
  const sidecars = component.extraPodSpec?.containers?.length ?? 0;
  if (index < sidecars) return [...base, 'extraPodSpec', 'containers', index, ...rest];
  if (index > sidecars)
    return firstWritten(
      place.source,
      [...base, 'annotations', annotation.debugMode],
      [...base, 'annotations', annotation.stealTraffic],
    );
  return traceMain(place, pod, index, rest);
}

function traceMain(place: Place, pod: Partial<RenderedPod> | undefined, container: number, path: Path): Path {
  const { source, base } = place;
  const [field = '', item = ''] = path;
  const main = [...base, 'extraPodSpec', 'mainContainer'];
  const rendered = pod?.containers?.[container];
  if (field === 'env' && typeof item === 'number') return traceEnv(place, rendered?.env?.[item]?.name ?? '', path.slice(2));
  if (field === 'volumeMounts' && typeof item === 'number')
    return traceMount(place, rendered?.volumeMounts?.[item]?.name, item, path.slice(2));
  if (field === 'resources') return traceResources(place, path.slice(1));
  if (field === 'envFrom' && item === (place.component.extraPodSpec?.mainContainer?.envFrom?.length ?? 0))
    return [...base, 'envFromSecret'];
  if (field === 'livenessProbe' || field === 'readinessProbe')
    return firstWritten(source, ...(fieldAt(source, [...base, field]) === undefined ? [] : [[...base, ...path]]), [
      ...main,
      ...path,
    ]);
  return [...main, ...path];
}

function indexOf(list: readonly EnvVar[] | undefined, name: string): number {
  return list?.findLastIndex((entry) => entry.name === name) ?? -1;
}

/** Where an environment variable was set, strongest first. */
export function traceEnv({ source, base, component }: Place, name: string, rest: Path): Path {
  const own = indexOf(component.envs, name);
  if (own >= 0) return [...base, 'envs', own, ...rest];
  const shared = source.kind === 'DynamoGraphDeployment' ? indexOf(source.spec?.envs, name) : -1;
  if (shared >= 0) return ['spec', 'envs', shared, ...rest];
  const main = indexOf(component.extraPodSpec?.mainContainer?.env, name);
  return main >= 0 ? [...base, 'extraPodSpec', 'mainContainer', 'env', main, ...rest] : base;
}

function traceMount({ base, component }: Place, name: string | undefined, index: number, rest: Path): Path {
  const given = component.extraPodSpec?.mainContainer?.volumeMounts?.length ?? 0;
  const own = given > 0 ? given : component.componentType === 'epp' ? 2 : 0;
  if (index < given) return [...base, 'extraPodSpec', 'mainContainer', 'volumeMounts', index, ...rest];
  return traceClaim({ base, component }, name, index - own, rest[0] === 'mountPath' ? 'mountPoint' : rest[0]);
}

function traceVolume({ base, component }: Place, name: string | undefined, index: number, rest: Path): Path {
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
  { base, component }: Omit<Place, 'source'>,
  name: string | undefined,
  index: number,
  field: string | number | undefined,
): Path {
  const mounts = component.volumeMounts ?? [];
  if (index >= 0 && index < mounts.length) return [...base, 'volumeMounts', index, ...(field === undefined ? [] : [field])];
  if (name !== 'shared-memory' || component.sharedMemory === undefined) return base;
  return [...base, 'sharedMemory', ...(field === 'size' ? [field] : [])];
}

function traceResources({ source, base, component }: Place, path: Path): Path {
  const [side, key, ...rest] = path;
  const main = [...base, 'extraPodSpec', 'mainContainer', 'resources'];
  if (side === 'claims' && typeof key === 'number') {
    const given = component.extraPodSpec?.mainContainer?.resources?.claims?.length ?? 0;
    return key < given ? [...main, ...path] : [...base, 'resources', 'claims', key - given, ...rest];
  }
  if ((side !== 'limits' && side !== 'requests') || typeof key !== 'string')
    return firstWritten(source, [...base, 'resources'], main);
  const item = component.resources?.[side];
  const gpu = side === 'limits' && key === (item?.gpuType || 'nvidia.com/gpu') && item?.gpu !== undefined;
  return firstWritten(
    source,
    [...base, 'resources', side, 'custom', key],
    [...base, 'resources', side, gpu ? 'gpu' : key],
    [...main, side, key],
  );
}

import { isWithin, type Path } from '../../json/index.ts';
import { label } from '../label-keys.ts';
import type { RenderedPod } from '../pod/types.ts';
import type { RenderedObject, RenderableResource } from '../result.ts';
import { firstSet, componentAt, traceMetadata, fieldAt, type ComponentLocation } from './component-location.ts';
import { traceEnv, tracePod } from './pod.ts';

/**
 * The path in the user's resource that a field of a rendered object comes from: the most specific field that a user can set, such as
 * `spec.services.Worker.extraPodSpec.mainContainer.image` for the image of a Deployment. The field may be unset.
 */
export function traceField(rendered: RenderedObject, childPath: Path): Path {
  const { object, origin, source } = rendered;
  const location = componentAt(source, origin);
  const [top, map, key] = childPath;
  if (top === 'metadata' && (map === 'labels' || map === 'annotations') && typeof key === 'string')
    return traceMetadata(location, map, key);
  if (top === 'metadata') return map === 'name' ? traceName(object.kind, origin) : origin;
  return tracers[object.kind]?.(rendered, location, childPath) ?? origin;
}

/** The field that the name of an object comes from: of a claim its own, of a component or a request that of the resource, else graph and service. */
function traceName(kind: string, origin: Path): Path {
  if (kind === 'PersistentVolumeClaim') return [...origin, 'name'];
  return origin.length === 1 ? ['metadata', 'name'] : origin;
}

type Tracer = (rendered: RenderedObject, location: ComponentLocation, path: Path) => Path | undefined;

const tracers: Readonly<Record<string, Tracer>> = {
  DynamoComponentDeployment: traceComponentResource,
  Deployment: (rendered, location, path) => traceTemplate(rendered, location, path, ['spec', 'template']),
  LeaderWorkerSet: traceLeaderWorkerSet,
  PodGroup: (_rendered, { base }) => [...base, 'multinode', 'nodeCount'],
  PodCliqueSet: traceCliques,
  Service: traceService,
  Ingress: traceIngress,
  VirtualService: traceIngress,
  PersistentVolumeClaim: traceClaim,
  DynamoGraphDeploymentScalingAdapter: (_rendered, { base }, path) => (path[1] === 'replicas' ? [...base, 'replicas'] : base),
  ConfigMap: (_rendered, { base }) => [...base, 'eppConfig', 'config'],
  Job: traceJob,
};

function traceComponentResource({ object }: RenderedObject, location: ComponentLocation, path: Path): Path {
  const { source, base } = location;
  const [, field, key, ...rest] = path;
  if (field === 'backendFramework') return ['spec', 'backendFramework'];
  if ((field === 'labels' || field === 'annotations') && typeof key === 'string') return traceMetadata(location, field, key);
  if (field === 'envs' && typeof key === 'number') {
    const name = fieldAt(object, ['spec', 'envs', key, 'name']);
    return traceEnv(location, typeof name === 'string' ? name : '', rest);
  }
  return field === 'serviceName' || field === 'dynamoNamespace'
    ? base
    : firstSet(source, [...base, ...path.slice(1)], [...base, field ?? ''], base);
}

function traceTemplate({ object }: RenderedObject, location: ComponentLocation, path: Path, template: Path): Path {
  const rest = path.slice(template.length);
  if (isWithin(path, template) && rest[0] === 'spec')
    return tracePod(location, fieldAt(object, [...template, 'spec']) as RenderedPod, rest.slice(1));
  if (isWithin(path, template) && rest[0] === 'metadata') return traceMap(location, rest[1], rest[2]);
  return path[1] === 'replicas' ? [...location.base, 'replicas'] : location.base;
}

function traceMap(location: ComponentLocation, map: string | number | undefined, key: string | number | undefined): Path {
  return (map === 'labels' || map === 'annotations') && typeof key === 'string'
    ? traceMetadata(location, map, key)
    : map === 'labels'
      ? // The labels as a whole do not match the selector, which has this one.
        traceMetadata(location, map, label.selector)
      : location.base;
}

function traceLeaderWorkerSet(rendered: RenderedObject, location: ComponentLocation, path: Path): Path {
  const [, , part = ''] = path;
  return part === 'size'
    ? [...location.base, 'multinode', 'nodeCount']
    : traceTemplate(rendered, location, path, ['spec', 'leaderWorkerTemplate', part]);
}

function traceCliques(rendered: RenderedObject, _location: ComponentLocation, path: Path): Path | undefined {
  const { object, source } = rendered;
  const [, , list, index, ...rest] = path;
  if (typeof index !== 'number') return undefined;
  const entry = fieldAt(object, path.slice(0, 4));
  const location = componentAt(source, ['spec', 'services', serviceOf(entry, source)]);
  if (list === 'podCliqueScalingGroups') return rest[0] === 'replicas' ? [...location.base, 'replicas'] : location.base;
  if (rest[0] === 'labels' || rest[0] === 'annotations') return traceMap(location, rest[0], rest[1]);
  if (rest[0] === 'spec' && rest[1] === 'podSpec')
    return tracePod(location, fieldAt(entry, ['spec', 'podSpec']) as RenderedPod, rest.slice(2));
  const count = location.component.multinode === undefined ? ['replicas'] : ['multinode', 'nodeCount'];
  return rest[1] === 'replicas' ? [...location.base, ...count] : location.base;
}

function serviceOf(entry: unknown, source: RenderableResource): string {
  const marked = fieldAt(entry, ['labels', label.component]);
  const services = source.kind === 'DynamoGraphDeployment' ? (source.spec?.services ?? {}) : {};
  if (typeof marked === 'string' && services[marked] !== undefined) return marked;
  const name = String(fieldAt(entry, ['name'])).replace(/-(ldr|wkr)$/, '');
  return Object.keys(services).find((service) => service.toLowerCase() === name) ?? name;
}

function traceService({ object }: RenderedObject, location: ComponentLocation, path: Path): Path {
  const { source, base } = location;
  if (object.metadata.name.startsWith('dynamo-model-')) return [...base, 'modelRef', 'name'];
  if (path[1] === 'ports') return firstSet(source, [...base, 'componentType'], base);
  return path[1] === 'selector' && typeof path[2] === 'string' ? traceMetadata(location, 'labels', path[2]) : base;
}

const ingressFields: Readonly<Record<string, Path>> = {
  ingressClassName: ['ingressControllerClassName'],
  rules: ['host'],
  hosts: ['host'],
  gateways: ['virtualServiceGateway'],
  tls: ['tls', 'secretName'],
};

function traceIngress(_rendered: RenderedObject, { source, base }: ComponentLocation, path: Path): Path {
  const hosts = path[1] === 'tls' && path.includes('hosts');
  const field = hosts ? ['host'] : (ingressFields[String(path[1])] ?? []);
  return firstSet(source, [...base, 'ingress', ...field], [...base, 'ingress'], base);
}

const claimFields: Readonly<Record<string, string>> = {
  storageClassName: 'storageClass',
  accessModes: 'volumeAccessMode',
  resources: 'size',
};

function traceClaim(_rendered: RenderedObject, { base }: ComponentLocation, path: Path): Path {
  return [...base, claimFields[String(path[1])] ?? 'name'];
}

/** Traces a field below `spec.template.spec`. Only the profiler container, tolerations and volumes contain settings of the user. */
function traceJob(_rendered: RenderedObject, _location: ComponentLocation, path: Path): Path {
  const profiling: Path = ['spec', 'profilingConfig'];
  const [list, index, field, part] = path.slice(3);
  if (list === 'containers' && index === 0 && field === 'resources') return [...profiling, ...path.slice(5)];
  if (list === 'containers' && index === 0) return [...profiling, field === 'args' ? 'config' : 'profilerImage'];
  if (list === 'tolerations') return [...profiling, ...path.slice(3)];
  if (list === 'volumes' && index === 0) return [...profiling, 'outputPVC'];
  if (list === 'volumes')
    return [...profiling, 'configMapRef', ...(part === 'name' ? ['name'] : path.at(-1) === 'key' ? ['key'] : [])];
  return profiling;
}

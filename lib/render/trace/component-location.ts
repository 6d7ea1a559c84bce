import type { ComponentSpec } from '../../api/index.ts';
import { isObject, type Json, type Path } from '../../json/index.ts';
import { annotation, label } from '../label-keys.ts';
import type { RenderableResource } from '../result.ts';

/** A component and its path in the user's resource. */
export interface ComponentLocation {
  readonly source: RenderableResource;
  readonly base: Path;
  readonly component: ComponentSpec;
}

/** The value at a path; undefined when the path does not exist. */
export function fieldAt(source: unknown, path: Path): unknown {
  let value: unknown = source;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value;
}

/** The component at a path of the user's resource. */
export function componentAt(source: RenderableResource, base: Path): ComponentLocation {
  const value = fieldAt(source, base) as Json | undefined;
  return { source, base, component: isObject(value) ? value : {} };
}

/** The first path that the user set, or the last path if none is set. */
export function firstSet(source: RenderableResource, ...paths: readonly [...Path[], Path]): Path {
  return paths.find((path) => fieldAt(source, path) !== undefined) ?? paths.at(-1) ?? [];
}

/** The fields from which the operator derives labels and annotations, relative to the component. */
const derived: Readonly<Record<string, Path>> = {
  [label.baseModelHash]: ['modelRef', 'name'],
  [annotation.baseModel]: ['modelRef', 'name'],
  [label.componentType]: ['componentType'],
  [label.subComponentType]: ['subComponentType'],
};

/** The field that a label or an annotation of a rendered object comes from. */
export function traceMetadata({ source, base }: ComponentLocation, map: 'labels' | 'annotations', key: string): Path {
  const own = derived[key];
  const graph: readonly Path[] =
    source.kind === 'DynamoGraphDeployment' ? [['metadata', 'annotations', key]] : [['metadata', map, key]];
  const restart: readonly Path[] = key === annotation.restartAt ? [['spec', 'restart', 'id']] : [];
  const queue: readonly Path[] = key === label.kaiQueue ? [['metadata', 'annotations', annotation.kaiQueue]] : [];
  return firstSet(
    source,
    [...base, 'extraPodMetadata', map, key],
    ...(own ? [[...base, ...own]] : []),
    [...base, map, key],
    ...restart,
    ...queue,
    ...graph,
    base,
  );
}

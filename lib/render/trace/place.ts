import type { ComponentSpec } from '../../api/index.ts';
import { isObject, type Json, type Path } from '../../json/index.ts';
import { annotation, label } from '../label-keys.ts';
import type { Source } from '../result.ts';

/** The component a field belongs to: its settings and where the user wrote them. */
export interface Place {
  readonly source: Source;
  readonly base: Path;
  readonly component: ComponentSpec;
}

/** The value at a path of a resource. */
export function fieldAt(source: unknown, path: Path): unknown {
  let value: unknown = source;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value;
}

/** The component that a part of the user's resource holds. */
export function placeAt(source: Source, base: Path): Place {
  const value = fieldAt(source, base) as Json | undefined;
  return { source, base, component: isObject(value) ? value : {} };
}

/** The first of several places that the user filled in, else the last. */
export function firstWritten(source: Source, ...paths: readonly [...Path[], Path]): Path {
  return paths.find((path) => fieldAt(source, path) !== undefined) ?? paths.at(-1) ?? [];
}

/** Where the value of a label or annotation that the operator writes comes from. */
const derived: Readonly<Record<string, Path>> = {
  [label.baseModelHash]: ['modelRef', 'name'],
  [annotation.baseModel]: ['modelRef', 'name'],
  [label.componentType]: ['componentType'],
  [label.subComponentType]: ['subComponentType'],
};

/** Where a label or an annotation of a child comes from. */
export function traceMetadata({ source, base }: Place, map: 'labels' | 'annotations', key: string): Path {
  const own = derived[key];
  const graph: readonly Path[] =
    source.kind === 'DynamoGraphDeployment' ? [['metadata', 'annotations', key]] : [['metadata', map, key]];
  const restart: readonly Path[] = key === annotation.restartAt ? [['spec', 'restart', 'id']] : [];
  const queue: readonly Path[] = key === label.kaiQueue ? [['metadata', 'annotations', annotation.kaiQueue]] : [];
  return firstWritten(
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

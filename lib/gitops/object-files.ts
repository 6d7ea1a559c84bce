import { type KubernetesObject, waveOf, waves } from '../platform/index.ts';
import { toYaml } from '../manifest/index.ts';
import type { Environment, OutputFile } from './layout.ts';

/** A part of a file name: lower case, no character that a shell or a file system minds. */
function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
}

/** Stable name of an object's file: kind and name, and the namespace where it is not the release's own. */
export function fileName(object: KubernetesObject, home?: string): string {
  const namespace = object.metadata.namespace;
  const elsewhere = namespace !== undefined && namespace !== home ? `${namespace}.` : '';
  return `${slug(object.kind)}-${slug(`${elsewhere}${object.metadata.name}`)}.yaml`;
}

/** The name with the step in front, so that files sort in the order in which a cluster takes them. */
export function orderedFileName(object: KubernetesObject, home: string | undefined, graph = false): string {
  const wave = waveOf(object, graph);
  const step = waves.findIndex((w) => w.name === wave.name);
  return `${String(step).padStart(2, '0')}-${wave.name}-${fileName(object, home)}`;
}

/** One file per object. Two objects that would share a file get numbers, in order. */
export function objectFiles(
  folder: string,
  objects: readonly KubernetesObject[],
  name: (object: KubernetesObject) => string,
): readonly OutputFile[] {
  const taken = new Map<string, number>();
  return objects.map((object) => {
    const wanted = name(object);
    const count = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, count);
    const unique = count === 1 ? wanted : wanted.replace(/\.yaml$/, `-${count}.yaml`);
    return { path: folder === '' ? unique : `${folder}/${unique}`, text: toYaml(object) };
  });
}

/** All platform objects of an environment. */
export function platformObjects(environment: Environment): readonly KubernetesObject[] {
  return environment.parts.flatMap((p) => p.objects);
}

/** The object with annotations added; those it has already win. */
export function annotate(object: KubernetesObject, annotations: Readonly<Record<string, string>>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...object.metadata.annotations } } };
}

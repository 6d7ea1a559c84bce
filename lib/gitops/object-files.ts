import { type KubernetesObject, waveOf, waves } from '../platform/index.ts';
import { toYaml } from '../manifest/index.ts';
import type { Environment, OutputFile } from './layout.ts';

/** A part of a file name: lower case, no character that a shell or a file system minds. */
function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
}

/** Stable name of an object's file: kind and name, and the namespace where it is not the release's own. */
export function fileName(object: KubernetesObject, home?: string): string {
  return named(object, home, slug(object.kind));
}

function named({ metadata: { name, namespace } }: KubernetesObject, home: string | undefined, kind: string): string {
  const elsewhere = namespace !== undefined && namespace !== home ? `${namespace}.` : '';
  return `${kind}-${slug(`${elsewhere}${name}`)}.yaml`;
}

/** API group of an object, empty for the core group. */
export function groupOf({ apiVersion }: KubernetesObject): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** The name with the step in front, so that files sort in the order in which a cluster takes them. */
export function orderedFileName(object: KubernetesObject, home: string | undefined, graph = false): string {
  const wave = waveOf(object, graph);
  const step = waves.findIndex((w) => w.name === wave.name);
  return `${String(step).padStart(2, '0')}-${wave.name}-${fileName(object, home)}`;
}

/**
 * One file per object, each with a name of its own. Where objects of several API groups would share one, those of other groups than the core get
 * their group into it; where that does not tell them apart either, a number that no other file has.
 */
export function objectFiles(
  folder: string,
  objects: readonly KubernetesObject[],
  name: (object: KubernetesObject) => string,
): readonly OutputFile[] {
  const wanted = objects.map(name);
  const shared = new Set(wanted.filter((n, i) => wanted.indexOf(n) !== i));
  const clear = objects.map((object, i) => {
    const plain = wanted[i] ?? '';
    const group = groupOf(object);
    const kind = `${slug(object.kind)}-`;
    return shared.has(plain) && group !== '' ? plain.replace(kind, `${slug(object.kind)}.${slug(group)}-`) : plain;
  });
  const all = new Set(clear);
  const taken = new Set<string>();
  return objects.map((object, i) => {
    const plain = clear[i] ?? '';
    let unique = plain;
    for (let number = 2; taken.has(unique) || (unique !== plain && all.has(unique)); number++)
      unique = plain.replace(/\.yaml$/, `-${number}.yaml`);
    taken.add(unique);
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

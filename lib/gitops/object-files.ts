import { groupOf, type KubernetesObject } from '../api/index.ts';
import { waveOf, waves } from '../platform/index.ts';
import { toYaml } from '../manifest/index.ts';
import type { Environment, OutputFile } from './layout.ts';

/** Converts a string to lower case and replaces characters that are special in shells or file systems. */
function slug(value: string): string {
  return value.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
}

/** File name of an object: kind, name and, if it is not `home`, the namespace. */
export function fileName(object: KubernetesObject, home?: string): string {
  return named(object, home, slug(object.kind));
}

function named({ metadata: { name, namespace } }: KubernetesObject, home: string | undefined, kind: string): string {
  const elsewhere = namespace !== undefined && namespace !== home ? `${namespace}.` : '';
  return `${kind}-${slug(`${elsewhere}${name}`)}.yaml`;
}

/** File name of an object, prefixed with its wave so that files sort in apply order. */
export function orderedFileName(object: KubernetesObject, home: string | undefined, graph = false): string {
  const wave = waveOf(object, graph);
  const step = waves.findIndex((w) => w.name === wave.name);
  return `${String(step).padStart(2, '0')}-${wave.name}-${fileName(object, home)}`;
}

/**
 * One file per object, each with a unique name. If names collide, objects outside the core API group get their group in the name; if names still
 * collide, a number is appended.
 */
export function objectFiles(
  folder: string,
  objects: readonly KubernetesObject[],
  name: (object: KubernetesObject) => string,
): readonly OutputFile[] {
  const wanted = objects.map(name);
  const shared = new Set(wanted.filter((n, i) => wanted.indexOf(n) !== i));
  const withGroups = objects.map((object, i) => {
    const plain = wanted[i] ?? '';
    const group = groupOf(object.apiVersion);
    const kind = `${slug(object.kind)}-`;
    return shared.has(plain) && group !== '' ? plain.replace(kind, `${slug(object.kind)}.${slug(group)}-`) : plain;
  });
  const all = new Set(withGroups);
  const taken = new Set<string>();
  return objects.map((object, i) => {
    const plain = withGroups[i] ?? '';
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

/** Returns the object with annotations added; existing annotations take precedence. */
export function annotate(object: KubernetesObject, annotations: Readonly<Record<string, string>>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...object.metadata.annotations } } };
}

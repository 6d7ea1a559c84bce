import type { KubernetesObject } from '../api/index.ts';
import { byteOrder, isObject, type Json } from '../json/index.ts';
import { atPath, templateString } from './go-values.ts';

/** An image the platform uses, and the objects that name it. */
export interface ImageUse {
  readonly image: string;
  readonly usedBy: readonly string[];
}

/** Environment variables with the image of pods that are created later. */
const imageVariables = new Set(['INTERNAL_IMAGES_DEBUGGER', 'GROVE_INIT_CONTAINER_IMAGE']);

/** The reference of an image that is given as `repository`, `name` and `tag`, as in the Config resource of KAI. */
function joinReference(value: Json | undefined): string | undefined {
  const [repository, name, tag] = [atPath(value, 'repository'), atPath(value, 'name'), atPath(value, 'tag')];
  if (typeof name !== 'string' || (repository === undefined && tag === undefined)) return undefined;
  return `${repository === undefined ? '' : `${templateString(repository)}/`}${name}${tag === undefined ? '' : `:${templateString(tag)}`}`;
}

function find(value: Json | undefined, found: Set<string>): void {
  const flag = typeof value === 'string' ? /^--[a-z-]*image=(.+)$/.exec(value)?.[1] : undefined;
  if (flag !== undefined) found.add(flag);
  if (Array.isArray(value)) for (const item of value as readonly Json[]) find(item, found);
  if (!isObject(value)) return;
  if (typeof value['name'] === 'string' && imageVariables.has(value['name']) && typeof value['value'] === 'string')
    found.add(value['value']);
  for (const [key, child] of Object.entries(value)) {
    const isImage = key === 'image' || imageVariables.has(key);
    if (isImage && typeof child === 'string' && child !== '') found.add(child);
    else if (isImage && isObject(child)) {
      const image = joinReference(child);
      if (image !== undefined) found.add(image);
    } else find(child, found);
  }
}

/** Adds the tag of Grove's own image to its init container, as Grove does. */
function tagged(image: string, beside: ReadonlySet<string>): string {
  const hasTag = (reference: string): boolean => /[:@]/.test(reference.slice(reference.lastIndexOf('/') + 1));
  const tag = [...beside].find(hasTag)?.match(/:[^/:@]+(?=@|$)/)?.[0];
  return hasTag(image) || tag === undefined ? image : `${image}${tag}`;
}

/** The data of a Secret, decoded. */
function decoded(secret: KubernetesObject): Json {
  const data = secret['data'];
  if (!isObject(data)) return secret;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(templateString(value), 'base64').toString()]),
  );
}

/** Every image that the objects, or pods that they create later, will pull; sorted. */
export function listImages(objects: readonly KubernetesObject[]): readonly ImageUse[] {
  const uses = new Map<string, string[]>();
  for (const object of objects) {
    const found = new Set<string>();
    find(object.kind === 'Secret' ? decoded(object) : object, found);
    for (const image of [...found].map((each) => tagged(each, found)))
      uses.set(image, [...(uses.get(image) ?? []), `${object.kind}/${object.metadata.name}`]);
  }
  return [...uses].sort(([a], [b]) => byteOrder(a, b)).map(([image, usedBy]) => ({ image, usedBy }));
}

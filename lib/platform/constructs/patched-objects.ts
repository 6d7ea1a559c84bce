import type { ApiObject } from 'cdk8s';
import { formatPath, isObject, type Json } from '../../json/index.ts';
import { refusedFields } from '../../rejections/index.ts';
import type { KubernetesObject } from '../part.ts';

/** An object as it was rendered, and as cdk8s holds it with every patch. */
interface HeldObject {
  readonly rendered: KubernetesObject;
  readonly held: ApiObject;
}

function refusals(object: Json): readonly string[] {
  return isObject(object) ? refusedFields(object).map(({ field, message }) => `${formatPath(field)}: ${message}`) : [];
}

/** What the API server would refuse of objects because of patches; what it refuses of the rendering itself is said of the values. */
export function refusedPatches(objects: readonly HeldObject[]): readonly string[] {
  return objects.flatMap(({ rendered, held }) => {
    const before = new Set(refusals(rendered));
    const { kind, metadata } = rendered;
    return refusals(held.toJson() as Json)
      .filter((refusal) => !before.has(refusal))
      .map((refusal) => `a patch of ${kind} ${metadata.name} makes it one that the API server refuses: ${refusal}`);
  });
}

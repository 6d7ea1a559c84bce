import type { KubernetesObject } from '../../api/index.ts';
import type { ApiObject } from 'cdk8s';
import { formatPath, isObject, type Json } from '../../json/index.ts';
import { refusedFields } from '../../rejections/index.ts';

/** A rendered object, and its cdk8s construct with all patches. */
interface PatchedObject {
  readonly rendered: KubernetesObject;
  readonly patched: ApiObject;
}

function refusals(object: Json): readonly string[] {
  return isObject(object) ? refusedFields(object).map(({ field, message }) => `${formatPath(field)}: ${message}`) : [];
}

/** Errors of the API server that patches cause; errors in the rendered object itself are reported at the values. */
export function refusedPatches(objects: readonly PatchedObject[]): readonly string[] {
  return objects.flatMap(({ rendered, patched }) => {
    const before = new Set(refusals(rendered));
    const { kind, metadata } = rendered;
    return refusals(patched.toJson() as Json)
      .filter((refusal) => !before.has(refusal))
      .map((refusal) => `the API server rejects ${kind} ${metadata.name} because of a patch: ${refusal}`);
  });
}

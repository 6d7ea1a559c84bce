import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { componentSpec } from './component-shapes.ts';
import { envVar } from './container-shapes.ts';
import {
  list,
  optional,
  plain,
  pointer,
  plainQuantity,
  rewrite,
  scalars,
  shape,
  string,
  type Field,
  type Shape,
} from './field.ts';

/**
 * Components by name. Here `extraPodSpec` is decoded from free-form data, not from a stored resource: its pod spec is always set, so `containers` is
 * always written, as null when there are none.
 */
const services: Field = {
  write: (value) => {
    const entries = Object.entries(isObject(value) ? value : {}).map(([name, component]) => {
      const typed = rewrite(componentSpec, component ?? {});
      const pod = typed['extraPodSpec'];
      return [
        name,
        isObject(pod) && pod['containers'] === undefined ? { ...typed, extraPodSpec: { ...pod, containers: null } } : typed,
      ];
    });
    return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Json);
  },
};

/** The spec of a graph. */
export const graphSpec: Shape<JsonObject> = shape({
  pvcs: list(shape({ create: optional, name: optional, storageClass: plain, size: plainQuantity, volumeAccessMode: plain })),
  services,
  envs: list(envVar),
  backendFramework: plain,
  restart: pointer(shape({ id: string, strategy: pointer(shape({ type: plain, order: scalars })) })),
});

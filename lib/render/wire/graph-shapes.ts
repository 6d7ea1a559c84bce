import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { componentSpec } from './component-shapes.ts';
import { envVar } from './container-shapes.ts';
import { list, optional, plain, pointer, quantityValue, rewrite, scalars, shape, text, type Field, type Shape } from './field.ts';

/**
 * Components by name. Read from free-form data, not from a stored resource, `extraPodSpec` always has its pod part, so that its containers are
 * written, as null where there are none.
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
  pvcs: list(shape({ create: optional, name: optional, storageClass: plain, size: quantityValue, volumeAccessMode: plain })),
  services,
  envs: list(envVar),
  backendFramework: plain,
  restart: pointer(shape({ id: text, strategy: pointer(shape({ type: plain, order: scalars })) })),
});

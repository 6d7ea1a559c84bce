import { isObject, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import { quantityValue } from '../fit/index.ts';
import { showValue } from '../manifest/index.ts';
import type { FieldErrors } from './field-errors.ts';

const supported = /^(?:cpu|memory|hugepages-.+)$/;

/** A request or limit as a container sets it. In a pod template a missing request does not default to the limit. */
function amount(container: JsonObject, side: 'limits' | 'requests', name: string): number {
  return quantityValue(objectAt(container, 'resources', side)[name]) ?? 0;
}

/** Checks the overhead and the pod-level resources of a pod, which must not be less than those of its containers. */
export function checkPodResources(spec: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [name, value] of Object.entries(objectAt(spec, 'overhead')))
    if ((quantityValue(value) ?? 0) < 0)
      errors.invalid([...field, 'overhead', name], showValue(value), 'must be greater than or equal to 0');
  const at = [...field, 'resources'];
  const containers = listAt(spec, 'containers').filter(isObject);
  const limits = objectAt(spec, 'resources', 'limits');
  for (const side of ['limits', 'requests'] as const)
    for (const [name, value] of Object.entries(objectAt(spec, 'resources', side))) {
      const most = quantityValue(value) ?? 0;
      if (!supported.test(name)) errors.unsupported([...at, side, name], name, ['cpu', 'hugepages-', 'memory']);
      if (most < 0) errors.invalid([...at, side, name], showValue(value), 'must be greater than or equal to 0');
      const limit = quantityValue(limits[name]);
      if (side === 'requests' && limit !== undefined && most > limit)
        errors.invalid(
          [...at, 'requests'],
          showValue(value),
          `must be less than or equal to ${name} limit of ${showValue(limits[name])}`,
        );
      const sum = containers.reduce((total, c) => total + amount(c, side, name), 0);
      const over = side === 'requests' ? sum > most : containers.some((c) => amount(c, 'limits', name) > most);
      if (over) errors.invalid([...at, side, name], showValue(value), `containers must not exceed pod ${side}`);
    }
}

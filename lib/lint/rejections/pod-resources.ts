import { isObject, type JsonObject, type Path } from '../../json/index.ts';
import { quantityValue } from '../../fit/quantity-value.ts';
import { readList, readObject, textOf } from '../read.ts';
import type { FieldErrors } from './field-errors.ts';

const supported = /^(?:cpu|memory|hugepages-.+)$/;

/** What a container asks for itself: in a pod template a missing request is not filled in from the limit. */
function amount(container: JsonObject, side: 'limits' | 'requests', name: string): number {
  return quantityValue(readObject(container, 'resources', side)[name]) ?? 0;
}

/** Checks the resources and the overhead of a whole pod against those of its containers. */
export function checkPodResources(spec: JsonObject, field: Path, errors: FieldErrors): void {
  for (const [name, value] of Object.entries(readObject(spec, 'overhead')))
    if ((quantityValue(value) ?? 0) < 0)
      errors.invalid([...field, 'overhead', name], textOf(value), 'must be greater than or equal to 0');
  const at = [...field, 'resources'];
  const containers = readList(spec, 'containers').filter(isObject);
  const limits = readObject(spec, 'resources', 'limits');
  for (const side of ['limits', 'requests'] as const)
    for (const [name, value] of Object.entries(readObject(spec, 'resources', side))) {
      const most = quantityValue(value) ?? 0;
      if (!supported.test(name)) errors.unsupported([...at, side, name], name, ['cpu', 'hugepages-', 'memory']);
      if (most < 0) errors.invalid([...at, side, name], textOf(value), 'must be greater than or equal to 0');
      const limit = quantityValue(limits[name]);
      if (side === 'requests' && limit !== undefined && most > limit)
        errors.invalid(
          [...at, 'requests'],
          textOf(value),
          `must be less than or equal to ${name} limit of ${textOf(limits[name])}`,
        );
      const sum = containers.reduce((total, c) => total + amount(c, side, name), 0);
      const over = side === 'requests' ? sum > most : containers.some((c) => amount(c, 'limits', name) > most);
      if (over) errors.invalid([...at, side, name], textOf(value), `containers must not exceed pod ${side}`);
    }
}

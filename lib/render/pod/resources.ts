import type { Quantity, ResourceItem, ResourceRequirements, Resources } from '../../api/index.ts';
import type { Outcome, Problem } from '../outcome.ts';
import { sortedKeys } from '../../json/index.ts';
import { canonicalQuantity } from '../wire/canonical-quantity.ts';

/** Merges a component's resources into those of its main container; the component overrides each key that it sets. */
export function overlayResources(base: ResourceRequirements, component: Resources | undefined): Outcome<ResourceRequirements> {
  if (component === undefined) return { value: base };
  const problems: Problem[] = [];
  const limits = overlay('limits', base.limits, limitEntries(component.limits), problems);
  const requests = overlay('requests', base.requests, requestEntries(component.requests), problems);
  if (problems.length > 0) return { problems };
  const claims = [...(base.claims ?? []), ...(component.claims ?? [])];
  return { value: { ...(limits && { limits }), ...(requests && { requests }), ...(claims.length > 0 && { claims }) } };
}

/** One quantity: its key on the container, its path in the component, its name in error messages. */
type Entry = readonly [key: string, path: readonly string[], name: string, quantity: string | undefined];

function limitEntries(item: ResourceItem | undefined): readonly Entry[] {
  return [
    ['cpu', ['cpu'], 'cpu', item?.cpu],
    ['memory', ['memory'], 'memory', item?.memory],
    [item?.gpuType || 'nvidia.com/gpu', ['gpu'], 'gpu', item?.gpu],
    ...customEntries(item),
  ];
}

/** GPU requests are omitted: Kubernetes uses the limit as the request. https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/ */
function requestEntries(item: ResourceItem | undefined): readonly Entry[] {
  return [['cpu', ['cpu'], 'cpu', item?.cpu], ['memory', ['memory'], 'memory', item?.memory], ...customEntries(item)];
}

function customEntries(item: ResourceItem | undefined): readonly Entry[] {
  const custom = item?.custom ?? {};
  return sortedKeys(custom).map((key) => [key, ['custom', key], key, custom[key]]);
}

function overlay(
  side: 'limits' | 'requests',
  base: Readonly<Record<string, Quantity>> | undefined,
  entries: readonly Entry[],
  problems: Problem[],
): Readonly<Record<string, Quantity>> | undefined {
  const merged: Record<string, Quantity> = { ...base };
  for (const [key, path, name, quantity] of entries) {
    if (quantity === undefined || quantity === '') continue;
    const canonical = canonicalQuantity(quantity);
    if (typeof canonical === 'string') merged[key] = canonical;
    else
      problems.push({
        code: 'invalid_quantity',
        path: ['resources', side, ...path],
        message: `failed to get resources config: parse ${side} ${name} quantity: ${canonical.problem}`,
        advice: `, got ${JSON.stringify(quantity)}; use an amount such as 2, 500m or 8Gi`,
      });
  }
  const keys = sortedKeys(merged);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, merged[key] ?? '']));
}

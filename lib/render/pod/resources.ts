import type { Quantity, ResourceItem, ResourceRequirements, Resources } from '../../api/index.ts';
import type { Outcome, Problem } from '../outcome.ts';
import { sortedKeys } from '../../json/index.ts';
import { canonicalQuantity } from '../wire/canonical-quantity.ts';

/** A component's resources written key by key over those of its main container. */
export function overlayResources(base: ResourceRequirements, component: Resources | undefined): Outcome<ResourceRequirements> {
  if (component === undefined) return { value: base };
  const problems: Problem[] = [];
  const limits = overlay('limits', base.limits, limitEntries(component.limits), problems);
  const requests = overlay('requests', base.requests, requestEntries(component.requests), problems);
  if (problems.length > 0) return { problems };
  const claims = [...(base.claims ?? []), ...(component.claims ?? [])];
  return { value: { ...(limits && { limits }), ...(requests && { requests }), ...(claims.length > 0 && { claims }) } };
}

/** One amount: its key on the container, its key in the component, the name an error calls it. */
type Entry = readonly [key: string, path: readonly string[], name: string, text: string | undefined];

function limitEntries(item: ResourceItem | undefined): readonly Entry[] {
  return [
    ['cpu', ['cpu'], 'cpu', item?.cpu],
    ['memory', ['memory'], 'memory', item?.memory],
    [item?.gpuType || 'nvidia.com/gpu', ['gpu'], 'gpu', item?.gpu],
    ...customEntries(item),
  ];
}

/** A GPU cannot be requested apart from its limit, and the original never tries. */
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
  const joined: Record<string, Quantity> = { ...base };
  for (const [key, path, name, text] of entries) {
    if (text === undefined || text === '') continue;
    const amount = canonicalQuantity(text);
    if (typeof amount === 'string') joined[key] = amount;
    else
      problems.push({
        code: 'invalid_quantity',
        path: ['resources', side, ...path],
        message: `failed to get resources config: parse ${side} ${name} quantity: ${amount.problem}`,
        advice: `, got ${JSON.stringify(text)}; use an amount such as 2, 500m or 8Gi`,
      });
  }
  const keys = sortedKeys(joined);
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, joined[key] ?? '']));
}

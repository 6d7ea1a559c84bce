import type { ComponentPlan, GraphPlan } from './graph-plan.ts';

/** The preset that can express a graph, or undefined. */
export function choosePreset(plan: GraphPlan): 'aggregated' | 'disaggregated' | undefined {
  const count = (method: ComponentPlan['method']): number => plan.components.filter((c) => c.method === method).length;
  const named = (method: ComponentPlan['method'], wanted: string): boolean =>
    plan.components.every((c) => c.method !== method || c.name === wanted);
  if (!named('addFrontend', 'Frontend') || !named('addPlanner', 'Planner')) return undefined;
  if (count('addFrontend') > 1 || count('addComponent') + count('addManifest') > 0) return undefined;
  if (plan.components.some((c) => c.props['model'] !== undefined)) return undefined;
  if (count('addWorker') === 1 && plan.components.length === 1 + count('addFrontend')) return 'aggregated';
  const others = count('addFrontend') + count('addPlanner');
  return count('addPrefill') === 1 &&
    count('addDecode') === 1 &&
    count('addPlanner') <= 1 &&
    plan.components.length === 2 + others
    ? 'disaggregated'
    : undefined;
}

import type { Orchestrator } from '../lint/index.ts';

/** The API groups that a cluster must serve for the operator to use an orchestrator. */
export const orchestratorGroups: Readonly<Record<Orchestrator, readonly string[]>> = {
  none: [],
  grove: ['grove.io'],
  'grove+kai': ['grove.io', 'scheduling.run.ai'],
  lws: ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'],
};

/** The orchestrator that the operator uses on a cluster with these API groups. */
export function orchestratorOf(groups: ReadonlySet<string>): Orchestrator {
  if (groups.has('grove.io')) return groups.has('scheduling.run.ai') ? 'grove+kai' : 'grove';
  return orchestratorGroups.lws.every((group) => groups.has(group)) ? 'lws' : 'none';
}

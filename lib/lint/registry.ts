import { topics } from './rejections/topics.ts';
import type { Rule, RuleDescription } from './rule.ts';
import { backendRules } from './rules/backend.ts';
import { componentTypeRules } from './rules/component-types.ts';
import { gpuRules } from './rules/gpu.ts';
import { lifecycleRules } from './rules/lifecycle.ts';
import { memoryRules } from './rules/memory.ts';
import { nameRules } from './rules/names.ts';
import { placementRules } from './rules/placement.ts';
import { requestRules } from './rules/graph-request.ts';
import { podSecurityRules } from './rules/pod-security.ts';
import { referenceRules } from './rules/references.ts';
import { releaseRules } from './rules/releases.ts';
import { roleRules } from './rules/roles.ts';
import { routingRules } from './rules/routing.ts';
import { scalingRules } from './rules/scaling.ts';
import { weightRules } from './rules/weights.ts';
import { wiringRules } from './rules/wiring.ts';
import { quirkRules } from './quirks.ts';
import { suppressionRules } from './suppression.ts';

/** Every rule, in the order of evaluation. */
export const rules: readonly Rule[] = [
  ...roleRules,
  ...componentTypeRules,
  ...backendRules,
  ...gpuRules,
  ...memoryRules,
  ...nameRules,
  ...weightRules,
  ...wiringRules,
  ...referenceRules,
  ...routingRules,
  ...scalingRules,
  ...placementRules,
  ...podSecurityRules,
  ...lifecycleRules,
  ...releaseRules,
  ...requestRules,
];

/** Every entry of the registry: rules, predicted rejections, quirks of the renderer, problems of suppressions. */
export const lintRules: readonly RuleDescription[] = [...rules, ...topics, ...quirkRules, ...suppressionRules];

const byId = new Map(lintRules.map((entry) => [entry.id, entry]));

/** The entry with an id such as `DYN-GPU-001`. */
export function findRule(id: string): RuleDescription | undefined {
  return byId.get(id);
}

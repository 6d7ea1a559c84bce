/** The operator: from the block `dynamo-operator` of the values to its objects, in groups that can be rendered alone. */
import type { KubernetesObject } from '../../api/index.ts';
import { withoutNulls, type JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { renderChecked } from '../checked-part.ts';
import { atPath, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { webhookConfigurationName } from './arguments.ts';
import { disruptionBudget, operatorNetworkPolicy } from './policies.ts';
import { certManagerObjects } from './certificates.ts';
import { checkOperator } from './checks.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { operatorDeployment } from './workload.ts';
import { certificateJobs, keygenJob } from './jobs.ts';
import { operatorMonitors } from './monitors.ts';
import { certificateRoles, graphRoles, operatorAccounts, operatorRoles } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { operatorRelease, type OperatorRelease } from './release.ts';
import { operatorSecrets } from './secrets.ts';
import { metricsService, webhookService } from './network.ts';
import { validatingWebhooks } from './webhooks.ts';

/** Groups of operator objects: accounts and roles, the Deployment, the webhooks, the monitors. */
export type OperatorGroup = 'rbac' | 'deployment' | 'webhooks' | 'monitors';

const groups: Readonly<Record<OperatorGroup, (scope: OperatorRelease) => readonly KubernetesObject[]>> = {
  rbac: (scope) => [...operatorAccounts(scope), ...operatorRoles(scope), ...graphRoles(scope)],
  deployment: (scope) => [
    ...operatorSecrets(scope),
    ...metricsService(scope),
    ...keygenJob(scope),
    ...disruptionBudget(scope),
    ...operatorNetworkPolicy(scope),
    operatorDeployment(scope),
  ],
  webhooks: (scope) =>
    truthy(atPath(scope.values, 'webhook.enabled'))
      ? [
          ...webhookService(scope),
          ...certificateRoles(scope, webhookConfigurationName(scope)),
          ...certManagerObjects(scope),
          ...certificateJobs(scope),
          ...validatingWebhooks(scope),
        ]
      : [],
  monitors: operatorMonitors,
};

const everyGroup: readonly OperatorGroup[] = ['rbac', 'deployment', 'webhooks', 'monitors'];

/** Rendered operator objects, and the names and labels they share. */
export interface RenderedOperator extends PartResult {
  readonly scope: OperatorRelease;
}

/** Renders the operator, or some groups of its objects, from its effective values. */
export function renderOperator(
  values: JsonObject,
  context: PlatformContext,
  wanted: readonly OperatorGroup[] = everyGroup,
): RenderedOperator {
  const scope = operatorRelease(values, context);
  const found = context.trusted ? { issues: [], warnings: [], isUnrenderable: false } : checkOperator(scope);
  const rendered = renderChecked(found, () => ({
    // The API server treats a field that is null as absent.
    objects: wanted.flatMap((group) => groups[group](scope)).map((object) => withoutNulls(object)),
    issues: [],
    warnings: [],
  }));
  return { ...rendered, scope };
}

/** The operator as a part of the platform. */
export const operator: Part = {
  key: 'dynamo-operator',
  defaults,
  platformDefaults,
  schema,
  dead,
  render: (values, context) => renderOperator(values, context),
};

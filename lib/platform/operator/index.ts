import type { JsonObject } from '../../api/json.ts';
import type { PlatformContext } from '../context.ts';
import type { Part, Rendered } from '../part.ts';
import { webhookConfigurationName } from './arguments.ts';
import { disruptionBudget, operatorNetworkPolicy } from './availability.ts';
import { certManagerObjects } from './certificates.ts';
import { checkOperator } from './checks.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { operatorDeployment } from './deployment.ts';
import { at, truthy } from '../go-values.ts';
import { certificateJobs, keygenJob } from './hook-jobs.ts';
import { operatorMonitors } from './monitors.ts';
import { certificateRoles, graphRoles, operatorAccounts, operatorRoles } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { operatorScope } from './scope.ts';
import { operatorSecrets } from './secrets.ts';
import { operatorServices } from './services.ts';
import { validatingWebhooks } from './webhook.ts';

/** Renders the operator: accounts, roles, secrets, services, certificates, Deployment, webhooks and monitors. */
export function renderOperator(values: JsonObject, context: PlatformContext): Rendered {
  const scope = operatorScope(values, context);
  const checked = checkOperator(scope);
  if (checked.issues.length > 0) return { objects: [], ...checked };
  const objects = [
    ...operatorAccounts(scope),
    ...operatorRoles(scope),
    ...graphRoles(scope),
    ...operatorSecrets(scope),
    ...operatorServices(scope),
    ...(truthy(at(values, 'webhook.enabled')) ? certificateRoles(scope, webhookConfigurationName(scope)) : []),
    ...certManagerObjects(scope),
    ...certificateJobs(scope),
    ...keygenJob(scope),
    ...disruptionBudget(scope),
    ...operatorNetworkPolicy(scope),
    operatorDeployment(scope),
    ...validatingWebhooks(scope),
    ...operatorMonitors(scope),
  ];
  return { objects, ...checked };
}

/** The operator as a part of the platform. */
export const operator: Part = { key: 'dynamo-operator', defaults, platformDefaults, schema, dead, render: renderOperator };

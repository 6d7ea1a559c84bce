import { componentDeployment } from './component-deployment-rules.ts';
import { valueAt, findObject, stringAt } from '../json/index.ts';
import { graphDeploymentRequest } from './graph-deployment-request-rules.ts';
import { graphDeployment } from './graph-deployment-rules.ts';
import { model } from './model-rules.ts';
import type { AdmissionContext, AdmissionRequest, AdmissionRules, AdmissionVerdict } from './admission-request.ts';

/** Rules by kind; kinds without an entry are always allowed. */
const rules: ReadonlyMap<string, AdmissionRules> = new Map([
  ['DynamoGraphDeployment', graphDeployment],
  ['DynamoComponentDeployment', componentDeployment],
  ['DynamoGraphDeploymentRequest', graphDeploymentRequest],
  ['DynamoModel', model],
]);

const allowed: AdmissionVerdict = { issues: [], warnings: [] };

/** Validates one request as the webhook does. */
export function admit(request: AdmissionRequest, context: AdmissionContext = {}): AdmissionVerdict {
  const { operation, object } = request;
  const kindRules = rules.get(stringAt(object, 'kind'));
  if (!kindRules || operation === 'DELETE' || operation === 'CONNECT' || isExcluded(object, context)) return allowed;
  // Finalizers must be removable from an object that is being deleted, even if it breaks a rule.
  if (operation === 'UPDATE' && valueAt(findObject(object, 'metadata'), 'deletionTimestamp') !== undefined) return allowed;
  const stateless = kindRules.validate(request, context);
  if (operation === 'CREATE' || (stateless.issues.length > 0 && !context.thorough)) return stateless;
  const stateful = kindRules.validateUpdate(request, context);
  if (stateful.issues.length > 0 && !context.thorough) return stateful;
  return { issues: [...stateless.issues, ...stateful.issues], warnings: [...stateless.warnings, ...stateful.warnings] };
}

function isExcluded(object: AdmissionRequest['object'], { excludedNamespaces, restrictedNamespace }: AdmissionContext): boolean {
  const namespace = stringAt(findObject(object, 'metadata'), 'namespace');
  return !restrictedNamespace && namespace !== '' && excludedNamespaces?.has(namespace) === true;
}

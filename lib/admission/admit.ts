import { componentDeployment } from './component-deployment.ts';
import { member, objectAt, textAt } from './fields.ts';
import { graphDeploymentRequest } from './graph-deployment-request.ts';
import { graphDeployment } from './graph-deployment.ts';
import { model } from './model.ts';
import type { Context, Request, Rules, Verdict } from './rules.ts';

/** Rules by kind; the other kinds have none. */
const rules: ReadonlyMap<string, Rules> = new Map([
  ['DynamoGraphDeployment', graphDeployment],
  ['DynamoComponentDeployment', componentDeployment],
  ['DynamoGraphDeploymentRequest', graphDeploymentRequest],
  ['DynamoModel', model],
]);

const allowed: Verdict = { issues: [], warnings: [] };

/** Judges one request as the webhook does. */
export function admit(request: Request, context: Context = {}): Verdict {
  const { operation, object } = request;
  const kind = rules.get(textAt(object, 'kind'));
  if (!kind || operation === 'DELETE' || operation === 'CONNECT' || isExcluded(object, context)) return allowed;
  if (operation === 'UPDATE' && member(objectAt(object, 'metadata'), 'deletionTimestamp') !== undefined) return allowed;
  const stateless = kind.validate(request, context);
  if (operation === 'CREATE' || (stateless.issues.length > 0 && !context.thorough)) return stateless;
  const stateful = kind.validateUpdate(request, context);
  if (stateful.issues.length > 0 && !context.thorough) return stateful;
  return { issues: [...stateless.issues, ...stateful.issues], warnings: [...stateless.warnings, ...stateful.warnings] };
}

function isExcluded(object: Request['object'], { excludedNamespaces, restrictedNamespace }: Context): boolean {
  const namespace = textAt(objectAt(object, 'metadata'), 'namespace');
  return !restrictedNamespace && namespace !== '' && excludedNamespaces?.has(namespace) === true;
}

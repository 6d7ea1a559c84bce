import { findObject, type JsonObject, listAt, objectAt, stringAt } from '../json/index.ts';
import { checkBackendUnchanged, validateComponent, warnComponent } from './component-rules.ts';
import type { AdmissionRules } from './admission-request.ts';

/** Name of the first owner that is a DynamoGraphDeployment, or "". */
function graphName(object: JsonObject): string {
  const owners = listAt(findObject(object, 'metadata'), 'ownerReferences');
  return stringAt(
    owners.find((owner) => stringAt(owner, 'kind') === 'DynamoGraphDeployment'),
    'name',
  );
}

/** Admission rules for a DynamoComponentDeployment. */
export const componentDeployment: AdmissionRules = {
  validate: ({ object }, context) => {
    const component = { spec: objectAt(object, 'spec'), path: ['spec'] };
    const issues = validateComponent(component, context.thorough);
    if (issues.length > 0 && !context.thorough) return { issues, warnings: [] };
    const owner = { namespace: stringAt(findObject(object, 'metadata'), 'namespace'), graph: graphName(object) };
    return { issues, warnings: warnComponent(component, owner) };
  },
  validateUpdate: ({ object, oldObject = {} }) => checkBackendUnchanged(objectAt(object, 'spec'), objectAt(oldObject, 'spec')),
};

import type { JsonObject } from '../json/index.ts';
import { keepBackend, validateComponent, warnComponent } from './component-rules.ts';
import { listAt, objectAt, objectOrEmpty, textAt } from './fields.ts';
import type { AdmissionRules } from './admission-request.ts';

/** Name of the graph that owns a component, or "": the first owner of that kind. */
function graphName(object: JsonObject): string {
  const owners = listAt(objectAt(object, 'metadata'), 'ownerReferences');
  return textAt(
    owners.find((owner) => textAt(owner, 'kind') === 'DynamoGraphDeployment'),
    'name',
  );
}

/** Rules of a DynamoComponentDeployment. */
export const componentDeployment: AdmissionRules = {
  validate: ({ object }, context) => {
    const component = { spec: objectOrEmpty(object, 'spec'), path: ['spec'] };
    const issues = validateComponent(component, context.thorough);
    if (issues.length > 0 && !context.thorough) return { issues, warnings: [] };
    const owner = { namespace: textAt(objectAt(object, 'metadata'), 'namespace'), graph: graphName(object) };
    return { issues, warnings: warnComponent(component, owner) };
  },
  validateUpdate: ({ object, oldObject = {} }) => keepBackend(objectOrEmpty(object, 'spec'), objectOrEmpty(oldObject, 'spec')),
};

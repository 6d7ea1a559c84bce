import type { JsonObject } from '../api/json.ts';
import { keepBackend, validateComponent, warnComponent } from './component.ts';
import { listAt, objectAt, objectOrEmpty, textAt } from './fields.ts';
import type { Rules } from './rules.ts';

/** Name of the graph that owns a component, or "": the first owner of that kind. */
function graphName(object: JsonObject): string {
  const owners = listAt(objectAt(object, 'metadata'), 'ownerReferences');
  return textAt(
    owners.find((owner) => textAt(owner, 'kind') === 'DynamoGraphDeployment'),
    'name',
  );
}

/** Rules of a DynamoComponentDeployment. */
export const componentDeployment: Rules = {
  validate: ({ object }, context) => {
    const component = { spec: objectOrEmpty(object, 'spec'), path: ['spec'] };
    const issues = validateComponent(component, context.thorough);
    if (issues.length > 0 && !context.thorough) return { issues, warnings: [] };
    const owner = { namespace: textAt(objectAt(object, 'metadata'), 'namespace'), graph: graphName(object) };
    return { issues, warnings: warnComponent(component, owner) };
  },
  validateUpdate: ({ object, oldObject = {} }) => keepBackend(objectOrEmpty(object, 'spec'), objectOrEmpty(oldObject, 'spec')),
};

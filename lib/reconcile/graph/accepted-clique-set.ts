/**
 * PodCliqueSets that Grove accepts and can go on with. The webhook of Grove 0.1.0-alpha.3 refuses to create an invalid set. For an update it validates
 * the old object instead of the new one: it accepts an invalid set once, and then refuses every further update, also the one with which Grove ends
 * the deletion of the set.
 */
import { metadataIssues, type KubernetesObject } from '../../api/index.ts';
import { findNumber, isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../../json/index.ts';

/** A rendered set as it is written over a live one. */
export function acceptedSet(rendered: KubernetesObject, live: JsonObject): KubernetesObject {
  const spec = objectAt(rendered, 'spec');
  const template = objectAt(spec, 'template');
  const liveTemplate = objectAt(live, 'spec', 'template');
  const groups = inOrder(template, liveTemplate, 'podCliqueScalingGroups').map(atLeastOne);
  const lists = {
    cliques: inOrder(template, liveTemplate, 'cliques').map(runningOnce),
    ...(groups.length > 0 && { podCliqueScalingGroups: groups }),
  };
  return { ...rendered, spec: { ...spec, template: { ...template, ...lists } } };
}

/** Grove treats a new order of cliques as a change, or refuses it. So existing cliques keep their places and new ones come last. */
function inOrder(template: JsonObject, liveTemplate: JsonObject, field: string): readonly Json[] {
  const places = new Map(listAt(liveTemplate, field).map((item, index) => [stringAt(item, 'name'), index]));
  const place = (item: Json): number => places.get(stringAt(item, 'name')) ?? places.size;
  return listAt(template, field).toSorted((a, b) => place(a) - place(b));
}

/** No replicas are invalid in a template, where Grove looks only when it creates a group. The group itself is scaled to zero. */
function atLeastOne(group: Json): Json {
  return isObject(group) && findNumber(group, 'replicas') === 0 ? { ...group, replicas: 1 } : group;
}

/** Grove's webhook changes 0 replicas in the template of a clique to 1. The same is done here, so that the two are equal. */
function runningOnce(clique: Json): Json {
  return isObject(clique) && findNumber(clique, 'spec', 'replicas') === 0
    ? { ...clique, spec: { ...objectAt(clique, 'spec'), replicas: 1 } }
    : clique;
}

/** Why Grove would refuse to create a set, as far as users can cause it by a change of a graph. */
export function lastingFault(rendered: KubernetesObject): string | undefined {
  const cliques = listAt(objectAt(rendered, 'spec', 'template'), 'cliques');
  const schedulers = new Set(
    cliques.map((clique) => stringAt(objectAt(clique, 'spec', 'podSpec'), 'schedulerName') || 'default-scheduler'),
  );
  if (schedulers.size > 1)
    return `the pods of all services must have the same schedulerName on Grove, got ${[...schedulers].join(' and ')}`;
  const [issue] = cliques.flatMap((clique) => {
    const { name = '', labels = {}, annotations = {} } = isObject(clique) ? clique : {};
    return metadataIssues({ name, labels, annotations }, [stringAt(name)]);
  });
  return issue === undefined ? undefined : `clique ${issue.path.join('.')}: ${issue.message}`;
}

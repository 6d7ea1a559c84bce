import { annotation } from '../label-keys.ts';
import type { RenderContext } from '../render-context.ts';
import type { FiredQuirk, Source } from '../result.ts';
import { subjectsOf } from './subject.ts';
import { quirks } from './quirks.ts';

/** The quirks a resource runs into, by component and then in the order of the table. */
export function findQuirks(resource: Source, context: RenderContext): readonly FiredQuirk[] {
  const found = subjectsOf(resource, context).flatMap((subject) =>
    quirks.flatMap(({ id, message, when }) => when(subject).map((path) => ({ id, message, path: [...subject.base, ...path] }))),
  );
  return [...graphQuirks(resource), ...found];
}

/** The one quirk that can sit on the graph itself. */
function graphQuirks(resource: Source): readonly FiredQuirk[] {
  const backend =
    resource.kind === 'DynamoGraphDeployment' ? resource.metadata.annotations?.[annotation.discoveryBackend] : undefined;
  const quirk = quirks.find(({ id }) => id === 'discovery-backend-unknown');
  if (quirk === undefined || backend === undefined || backend === 'kubernetes' || backend === 'etcd') return [];
  return [{ id: quirk.id, message: quirk.message, path: ['metadata', 'annotations', annotation.discoveryBackend] }];
}

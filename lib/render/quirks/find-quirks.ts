import { annotation } from '../label-keys.ts';
import type { RenderContext } from '../render-context.ts';
import type { FiredQuirk, RenderableResource } from '../result.ts';
import { componentSetups } from './component-setup.ts';
import { quirks } from './quirks.ts';

/** The quirks that apply to a resource, by component and then in the order of the table. */
export function findQuirks(resource: RenderableResource, context: RenderContext): readonly FiredQuirk[] {
  const found = componentSetups(resource, context).flatMap((setup) =>
    quirks.flatMap(({ id, message, when }) => when(setup).map((path) => ({ id, message, path: [...setup.base, ...path] }))),
  );
  return [...graphQuirks(resource), ...found];
}

/** The only quirk that can apply to the graph itself. */
function graphQuirks(resource: RenderableResource): readonly FiredQuirk[] {
  const backend =
    resource.kind === 'DynamoGraphDeployment' ? resource.metadata.annotations?.[annotation.discoveryBackend] : undefined;
  const quirk = quirks.find(({ id }) => id === 'discovery-backend-unknown');
  if (quirk === undefined || backend === undefined || backend === 'kubernetes' || backend === 'etcd') return [];
  return [{ id: quirk.id, message: quirk.message, path: ['metadata', 'annotations', annotation.discoveryBackend] }];
}

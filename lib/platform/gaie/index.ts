/** The inference gateway's objects for one graph, as the chart `dynamo-gaie` renders them: endpoint picker, pool and route. */
import { gaieRelease, type GaieRelease } from './release.ts';
import { configMap } from './config.ts';
import { networkPolicy } from './policies.ts';
import { pool, route, service } from './network.ts';
import { accessObjects } from './rbac.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { Issue, KubernetesObject } from '../../api/index.ts';
import { renderChecked } from '../checked-part.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { isFloating } from '../images.ts';
import { fillIn } from '../merge.ts';
import type { PartResult } from '../part.ts';
import { plainObjects } from '../plain-object.ts';
import { refusedObjects } from '../refused-objects.ts';
import { checkGaie, refusedByGateway } from './checks.ts';
import { defaults } from './defaults.ts';
import { pickerDeployment } from './workload.ts';

export { defaults } from './defaults.ts';
export { schema, type GaieValues } from './schema.ts';

function documents(gaie: GaieRelease): readonly Json[] {
  const { values, context } = gaie;
  return [
    ...(context.switches['network-policies'] ? [networkPolicy(gaie)] : []),
    ...accessObjects(gaie),
    configMap(gaie),
    service(gaie),
    pickerDeployment(gaie),
    pool(gaie),
    ...(truthy(atPath(values, 'httpRoute.enabled')) ? [route(gaie)] : []),
  ];
}

/** Renders the inference gateway of one graph from the user's values. Paths of problems start at the root of these values. */
export function renderGaie(user: JsonObject, context: PlatformContext): PartResult {
  const rendered = renderDraft(user, context);
  const draftsOf = ({ objects, drafts = objects }: PartResult): readonly KubernetesObject[] => drafts;
  const drafts = draftsOf(rendered);
  const byGateway = drafts.length === 0 ? [] : refusedByGateway(fillIn(user, defaults));
  const reported = [...rendered.issues, ...byGateway];
  const refused = [...byGateway, ...refusedObjects(drafts, user, (fewer) => draftsOf(renderDraft(fewer, context)), reported)];
  if (refused.length === 0) return rendered;
  return context.switches['sound-values']
    ? { ...rendered, objects: [], issues: [...rendered.issues, ...refused] }
    : { ...rendered, warnings: [...rendered.warnings, ...refused] };
}

function renderDraft(user: JsonObject, context: PlatformContext): PartResult {
  const values = fillIn(user, defaults);
  return renderChecked(checkGaie(user, values, context), () => {
    const issues: Issue[] = [];
    const objects = plainObjects(documents(gaieRelease(values, context)), [], issues).map((object) =>
      object.kind.startsWith('Cluster') ? object : { ...object, metadata: { ...object.metadata, namespace: context.namespace } },
    );
    return { objects, issues, warnings: floatingImage(values) };
  });
}

function floatingImage(values: JsonObject): readonly Issue[] {
  const image = templateString(atPath(values, 'extension.image'));
  if (image === '' || !isFloating(image)) return [];
  const message = 'should name a version or a digest: a floating tag makes every restart a possible upgrade';
  return [{ path: ['extension', 'image'], code: 'floating_image', message }];
}

import { Chart } from 'cdk8s';
import type { Namespace } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { JsonObject } from '../../json/index.ts';
import { nameOf } from '../../plus/index.ts';
import { checkValues } from '../check-values.ts';
import { platformContext, type ContextOptions, type PlatformContext } from '../platform-context.ts';
import { mergeLayers } from '../merge.ts';
import type { KubernetesObject, Part, PartResult } from '../part.ts';
import { refusedObjects } from '../refused-objects.ts';
import { inNamespace } from '../scope-of-kinds.ts';
import { boundlessValues, unsoundValues } from '../sound-values.ts';
import { effectiveBlock } from '../values.ts';
import type { WarningHandling } from './add-objects.ts';

/** What every construct of a release takes. */
export interface ReleaseProps extends Omit<ContextOptions, 'namespace'> {
  /**
   * Release namespace: its name, or a Namespace of cdk8s-plus.
   * @default - the chart's namespace, `dynamo-system` when it has none
   */
  readonly namespace?: string | Pick<Namespace, 'name'>;
  /**
   * What happens to warnings at synth.
   * @default 'print'
   */
  readonly warnings?: WarningHandling;
}

/** What decides a release's context: the props, and the chart's namespace where they name none. */
export function releaseOptions(scope: Construct, props: ReleaseProps): ContextOptions {
  const { namespace = Chart.of(scope).namespace, ...rest } = props;
  return { ...rest, ...(namespace === undefined ? {} : { namespace: nameOf(namespace) }) };
}

/** One part of a release on its own: its context, its effective values and what they render to. */
export interface PartOfRelease<R extends PartResult = PartResult> {
  readonly context: PlatformContext;
  readonly values: JsonObject;
  readonly rendered: R;
}

/** Where a part's values come from: its block, the globals and our own settings, later layers winning. */
interface PartSource {
  readonly key: string;
  readonly layers: readonly (JsonObject | null | undefined)[];
  readonly global?: JsonObject | null | undefined;
  readonly settings?: JsonObject | null | undefined;
}

/** Joins layers of values into the tree that a release reads. */
export function valuesTree({ key, layers, global, settings }: PartSource): JsonObject {
  const block = mergeLayers(layers.filter((layer) => layer !== undefined && layer !== null));
  return { ...(global ? { global } : {}), ...(settings ? { platform: settings } : {}), [key]: { ...block, enabled: true } };
}

function inReleaseNamespace(objects: readonly KubernetesObject[], { namespace }: PlatformContext): readonly KubernetesObject[] {
  return objects.map((object) => inNamespace(object, namespace));
}

function draftsOf({ objects, drafts = objects }: PartResult, context: PlatformContext): readonly KubernetesObject[] {
  return inReleaseNamespace(drafts, context);
}

/** Renders one part alone, after the same checks of the values as a whole release gets. */
export function renderPart<R extends PartResult>(
  scope: Construct,
  props: ReleaseProps,
  part: Part,
  tree: JsonObject,
  render: (values: JsonObject, context: PlatformContext) => R,
): PartOfRelease<R> {
  const options = releaseOptions(scope, props);
  const context = platformContext(tree, options);
  const { values, issues } = effectiveBlock(part, tree);
  const checked = checkValues(tree);
  const strict = context.switches['sound-values'];
  const hopeless = [...checked.structure, ...boundlessValues(tree)];
  const rendered = render(hopeless.length > 0 ? part.defaults : values, context);
  const found = [...checked.scalars, ...unsoundValues(tree)];
  const refused =
    hopeless.length > 0
      ? []
      : refusedObjects(
          draftsOf(rendered, context),
          tree,
          (fewer) => draftsOf(render(effectiveBlock(part, fewer).values, platformContext(fewer, options)), context),
          [...issues, ...found, ...rendered.issues],
        );
  const unsound = [...found, ...refused];
  const wrong = [...issues, ...hopeless, ...(strict ? unsound : [])];
  const doubtful = [...(strict ? [] : unsound), ...checked.warnings];
  return {
    context,
    values,
    rendered: {
      ...rendered,
      objects: wrong.length > 0 ? [] : inReleaseNamespace(rendered.objects, context),
      issues: hopeless.length > 0 ? wrong : [...wrong, ...rendered.issues],
      warnings: [...doubtful, ...rendered.warnings],
    },
  };
}

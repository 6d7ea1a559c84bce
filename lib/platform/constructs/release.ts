import type { KubernetesObject } from '../../api/index.ts';
import { Chart } from 'cdk8s';
import type { Namespace } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { JsonObject } from '../../json/index.ts';
import { referencedName } from '../../plus/index.ts';
import { checkValues } from '../check-values.ts';
import { platformContext, type ContextOptions, type PlatformContext } from '../platform-context.ts';
import { mergeLayers } from '../merge.ts';
import type { Part, PartResult } from '../part.ts';
import { refusedObjects } from '../refused-objects.ts';
import { inNamespace } from '../scope-of-kinds.ts';
import { excessiveValues, unsoundValues } from '../sound-values.ts';
import { effectiveBlock } from '../values.ts';
import type { WarningHandling } from './add-objects.ts';

/** Properties of every construct of a release. */
export interface ReleaseProps extends Omit<ContextOptions, 'namespace'> {
  /**
   * Release namespace: its name, or a Namespace of cdk8s-plus.
   * @default - the chart's namespace, `dynamo-system` when it has none
   */
  readonly namespace?: string | Pick<Namespace, 'name'>;
  /**
   * How warnings are handled at synth.
   * @default 'print'
   */
  readonly warnings?: WarningHandling;
}

/** The context options of a release: the props, with the namespace of the chart as default. */
export function releaseOptions(scope: Construct, props: ReleaseProps): ContextOptions {
  const { namespace = Chart.of(scope).namespace, ...rest } = props;
  return { ...rest, ...(namespace === undefined ? {} : { namespace: referencedName(namespace) }) };
}

/** One part of a release: its context, its effective values and its rendered objects. */
export interface PartOfRelease<R extends PartResult = PartResult> {
  readonly context: PlatformContext;
  readonly values: JsonObject;
  readonly rendered: R;
}

/** The values of a part: layers of its block, later ones override earlier ones, and the blocks `global` and `platform`. */
interface PartSource {
  readonly key: string;
  readonly layers: readonly (JsonObject | null | undefined)[];
  readonly global?: JsonObject | null | undefined;
  readonly settings?: JsonObject | null | undefined;
}

/** Builds the values tree of a release with one part. */
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

/** Renders one part alone, with the same checks of the values as a whole release. */
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
  const unrenderable = [...checked.structure, ...excessiveValues(tree)];
  const rendered = render(unrenderable.length > 0 ? part.defaults : values, context);
  const found = [...checked.scalars, ...unsoundValues(tree)];
  const refused =
    unrenderable.length > 0
      ? []
      : refusedObjects(
          draftsOf(rendered, context),
          tree,
          (fewer) => draftsOf(render(effectiveBlock(part, fewer).values, platformContext(fewer, options)), context),
          [...issues, ...found, ...rendered.issues],
        );
  const unsound = [...found, ...refused];
  const errors = [...issues, ...unrenderable, ...(strict ? unsound : [])];
  const warnings = [...(strict ? [] : unsound), ...checked.warnings];
  return {
    context,
    values,
    rendered: {
      ...rendered,
      objects: errors.length > 0 ? [] : inReleaseNamespace(rendered.objects, context),
      issues: unrenderable.length > 0 ? errors : [...errors, ...rendered.issues],
      warnings: [...warnings, ...rendered.warnings],
    },
  };
}

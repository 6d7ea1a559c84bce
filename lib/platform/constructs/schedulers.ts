import type { Construct } from 'constructs';
import { grove } from '../grove/index.ts';
import type { GroveValues } from '../grove/schema.ts';
import { kai, queues } from '../kai/index.ts';
import type { KaiValues } from '../kai/schema.ts';
import type { GlobalValues, SettingsValues } from '../values-schema.ts';
import { RenderedConstruct } from './add-objects.ts';
import { renderPart, valuesTree, type ReleaseProps } from './release.ts';

/** Properties of `GroveOperator`. */
export interface GroveOperatorProps extends ReleaseProps {
  /**
   * Values of the block `grove`.
   * @default - one operator
   */
  readonly values?: GroveValues;
  /**
   * Values of the block `global`.
   * @default - none
   */
  readonly global?: GlobalValues;
  /**
   * Values of the block `platform`.
   * @default - none
   */
  readonly settings?: SettingsValues;
}

/** The Grove operator, which runs the pods of multi-node graphs as gangs. Its CRDs must exist. */
export class GroveOperator extends RenderedConstruct {
  constructor(scope: Construct, id: string, props: GroveOperatorProps = {}) {
    const tree = valuesTree({ key: grove.key, layers: [props.values], global: props.global, settings: props.settings });
    super(scope, id, renderPart(scope, props, grove, tree, grove.render).rendered, props.warnings);
  }
}

/** Properties of `KaiScheduler`. */
export interface KaiSchedulerProps extends ReleaseProps {
  /**
   * Values of the block `kai-scheduler`.
   * @default - the scheduler with its controllers
   */
  readonly values?: KaiValues;
  /**
   * Values of the block `global`.
   * @default - none
   */
  readonly global?: GlobalValues;
  /**
   * Values of the block `platform`.
   * @default - none
   */
  readonly settings?: SettingsValues;
}

/** The KAI scheduler and the queues of graphs. Its CRDs must exist. */
export class KaiScheduler extends RenderedConstruct {
  /** Name of the queue that graphs are scheduled in unless they name another. */
  readonly queueName = 'dynamo';

  constructor(scope: Construct, id: string, props: KaiSchedulerProps = {}) {
    const tree = valuesTree({ key: kai.key, layers: [props.values], global: props.global, settings: props.settings });
    const { context, rendered } = renderPart(scope, props, kai, tree, kai.render);
    const objects = rendered.issues.length > 0 ? [] : [...rendered.objects, ...queues(context, true)];
    super(scope, id, { ...rendered, objects }, props.warnings);
  }
}

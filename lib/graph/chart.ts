import { ApiObject, Chart, JsonPatch, type ChartProps } from 'cdk8s';
import type { Namespace } from 'cdk8s-plus-28';
import type { Construct, IConstruct } from 'constructs';
import type { NamingStyle } from './worker-names.ts';
import { Platform } from './platform.ts';
import { plusNamespace, referencedName } from '../plus/index.ts';
import { authoringError } from './user-line.ts';

/** Properties of `DynamoChart`. */
export interface DynamoChartProps extends Omit<ChartProps, 'namespace'> {
  /**
   * Namespace of the objects: its name, or a cdk8s-plus Namespace.
   * @default - none; the namespace that the objects are applied to
   */
  readonly namespace?: string | Pick<Namespace, 'name'>;
  /**
   * Whether the chart includes the Namespace.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * Release, images and nodes that the graphs run on.
   * @default - release 0.9.0 on nodes with eight GPUs
   */
  readonly platform?: Platform;
  /**
   * How presets name the workers: `short` (`prefill`, `decode`, `worker`) or as NVIDIA's examples do (`VllmPrefillWorker`).
   * @default 'short'
   */
  readonly names?: NamingStyle;
  /**
   * Whether list items include values that the API server defaults; without them, GitOps tools report a permanent difference.
   * @default true
   */
  readonly explicitDefaults?: boolean;
  /**
   * What synth does with warnings: `print` them to stderr, `fail`, or `ignore` them; `graph.findings` always has them.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail' | 'ignore';
  /**
   * What synth does with errors: `fail`, or `print` them and write the manifests anyway, for imported manifests that are not valid yet.
   * @default 'fail'
   */
  readonly errors?: 'fail' | 'print';
}

/** A chart whose graphs share a platform; object names have no hashes. */
export class DynamoChart extends Chart {
  /** Release, images and nodes that the graphs run on. */
  readonly platform: Platform;
  /** How presets name the workers. */
  readonly names: NamingStyle;
  /** Whether list items include values that the API server defaults. */
  readonly explicitDefaults: boolean;
  /** What synth does with warnings. */
  readonly warnings: 'print' | 'fail' | 'ignore';
  /** What synth does with errors. */
  readonly errors: 'fail' | 'print';

  constructor(scope: Construct, id: string, props: DynamoChartProps = {}) {
    const { namespace, ...rest } = props;
    super(scope, id, {
      disableResourceNameHashes: true,
      ...rest,
      ...(namespace === undefined ? {} : { namespace: referencedName(namespace) }),
    });
    if (props.createNamespace === true) this.addNamespace();
    this.platform = props.platform ?? new Platform();
    this.names = props.names ?? 'short';
    this.explicitDefaults = props.explicitDefaults ?? true;
    this.warnings = props.warnings ?? 'print';
    this.errors = props.errors ?? 'fail';
  }

  /** The namespace of the objects, as a cdk8s-plus construct; undefined if the chart has none. */
  get kubernetesNamespace(): Namespace | undefined {
    return this.namespace === undefined ? undefined : plusNamespace(this, this.namespace);
  }

  private addNamespace(): void {
    const name = this.namespace;
    if (name === undefined) throw authoringError(`chart ${this.node.id} has no namespace to create; give it one`);
    const created = new ApiObject(this, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // cdk8s sets the namespace of the chart on all objects, and the API server rejects a Namespace that has one.
    created.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
}

// cdk8s overrides `instanceof` so that it is true for every chart; only a DynamoChart has a platform.
function isDynamoChart(construct: IConstruct): construct is DynamoChart {
  return 'platform' in construct && construct.platform instanceof Platform && construct instanceof Chart;
}

/** The nearest DynamoChart that contains a construct, if any. */
export function dynamoChartOf(construct: IConstruct): DynamoChart | undefined {
  return construct.node.scopes.findLast(isDynamoChart);
}

/** The platform of a construct: its chart's, or the default one. */
export function platformOf(construct: IConstruct): Platform {
  return dynamoChartOf(construct)?.platform ?? new Platform();
}

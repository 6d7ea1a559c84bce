import { ApiObject, Chart, JsonPatch, type ChartProps } from 'cdk8s';
import type { Namespace } from 'cdk8s-plus-28';
import type { Construct, IConstruct } from 'constructs';
import type { NamingStyle } from './worker-names.ts';
import { Platform } from './platform.ts';
import { plusNamespace, nameOf } from '../plus/index.ts';
import { authoringError } from './user-line.ts';

/** Properties of `DynamoChart`. */
export interface DynamoChartProps extends Omit<ChartProps, 'namespace'> {
  /**
   * Namespace of the objects: its name, or a Namespace of cdk8s-plus.
   * @default - none, the one that the objects are applied to
   */
  readonly namespace?: string | Pick<Namespace, 'name'>;
  /**
   * Whether the chart writes the namespace too.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * What the graphs run on.
   * @default - release 0.9.0 on nodes of eight GPUs
   */
  readonly platform?: Platform;
  /**
   * How presets name the workers: `short` (`prefill`, `decode`, `worker`) or as NVIDIA's examples do (`VllmPrefillWorker`).
   * @default 'short'
   */
  readonly names?: NamingStyle;
  /**
   * Whether list items spell out values the API server would fill in; without them GitOps tools report drift for ever.
   * @default true
   */
  readonly explicitDefaults?: boolean;
  /**
   * What happens to warnings at synth: printed to stderr, treated as errors, or left to `graph.findings`.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail' | 'ignore';
  /**
   * What happens to errors at synth: they fail it, or are printed and the manifests are written all the same, for imported files that are not right yet.
   * @default 'fail'
   */
  readonly errors?: 'fail' | 'print';
}

/** A chart whose graphs share a platform; names are given, not hashed. */
export class DynamoChart extends Chart {
  /** What the graphs run on. */
  readonly platform: Platform;
  /** How presets name the workers. */
  readonly names: NamingStyle;
  /** Whether list items spell out values the API server would fill in. */
  readonly explicitDefaults: boolean;
  /** What happens to warnings at synth. */
  readonly warnings: 'print' | 'fail' | 'ignore';
  /** What happens to errors at synth. */
  readonly errors: 'fail' | 'print';

  constructor(scope: Construct, id: string, props: DynamoChartProps = {}) {
    const { namespace, ...rest } = props;
    super(scope, id, {
      disableResourceNameHashes: true,
      ...rest,
      ...(namespace === undefined ? {} : { namespace: nameOf(namespace) }),
    });
    if (props.createNamespace === true) this.addNamespace();
    this.platform = props.platform ?? new Platform();
    this.names = props.names ?? 'short';
    this.explicitDefaults = props.explicitDefaults ?? true;
    this.warnings = props.warnings ?? 'print';
    this.errors = props.errors ?? 'fail';
  }

  /** The namespace of the objects, as cdk8s-plus holds it; undefined where the chart has none. */
  get kubernetesNamespace(): Namespace | undefined {
    return this.namespace === undefined ? undefined : plusNamespace(this, this.namespace);
  }

  private addNamespace(): void {
    const name = this.namespace;
    if (name === undefined) throw authoringError(`chart ${this.node.id} has no namespace to create; give it one`);
    const created = new ApiObject(this, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // A chart puts its own namespace on all objects, and the API server refuses a Namespace in one.
    created.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
}

// cdk8s answers `instanceof` for every chart alike, so the platform tells ours from others.
function isDynamoChart(construct: IConstruct): construct is DynamoChart {
  return 'platform' in construct && construct.platform instanceof Platform && construct instanceof Chart;
}

/** The nearest Dynamo chart around a construct, if there is one. */
export function dynamoChartOf(construct: IConstruct): DynamoChart | undefined {
  return construct.node.scopes.findLast(isDynamoChart);
}

/** The platform a construct's graphs run on: its chart's, or the default one. */
export function platformOf(construct: IConstruct): Platform {
  return dynamoChartOf(construct)?.platform ?? new Platform();
}

import type { Duration } from 'cdk8s';
import type { IConfigMap } from 'cdk8s-plus-28';
import type { ComponentOptions } from './component-props.ts';
import { Component, type Derived } from './component.ts';
import type { DynamoGraph } from './graph.ts';
import { referencedName } from '../plus/index.ts';
import { Worker } from './worker.ts';

/** Properties of a planner. */
export interface PlannerProps extends Omit<ComponentOptions, 'replicas'> {
  /**
   * Time between two scaling decisions.
   * @default Duration.seconds(60)
   */
  readonly adjustmentInterval?: Duration;
  /**
   * Target for the time to first token.
   * @default - the planner's default, 500 ms
   */
  readonly ttft?: Duration;
  /**
   * Target for the time between tokens.
   * @default - the planner's default, 50 ms
   */
  readonly itl?: Duration;
  /**
   * Maximum GPUs of all workers.
   * @default - the planner's default, 8
   */
  readonly maxGpuBudget?: number;
  /**
   * Minimum replicas of each worker.
   * @default - the planner's default, 1
   */
  readonly minEndpoint?: number;
  /**
   * Method that predicts load.
   * @default - the planner's default, `arima`
   */
  readonly loadPredictor?: 'constant' | 'arima' | 'kalman' | 'prophet';
  /**
   * ConfigMap with the profiling results of a graph request.
   * @default - `planner-profile-data`, which the profiler writes
   */
  readonly profile?: string | Pick<IConfigMap, 'name'>;
  /**
   * Whether to pass the GPUs per replica of each worker to the planner, which otherwise assumes one.
   * @default true
   */
  readonly tellGpus?: boolean;
  /**
   * Whether the planner only logs its decisions.
   * @default false
   */
  readonly noOperation?: boolean;
  /**
   * Arguments appended to all others.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
}

const profileFolder = '/workspace/profiling_results';

/** Scales prefill and decode workers to meet latency targets. */
export class Planner extends Component {
  private readonly props: PlannerProps;

  constructor(graph: DynamoGraph, name: string, props: PlannerProps) {
    super(graph, name, props);
    this.props = props;
  }

  protected derive(): Derived {
    const { props, graph } = this;
    const workers = graph.components.filter((c) => c instanceof Worker);
    const gpus = (role: string): number | undefined => {
      const worker = workers.find((w) => w.role === role);
      return worker === undefined || props.tellGpus === false ? undefined : worker.gpusPerPod * worker.nodes;
    };
    const backend = workers[0]?.engine.backend ?? graph.engine?.backend;
    const optional = {
      ttft: props.ttft?.toMilliseconds(),
      itl: props.itl?.toMilliseconds(),
      'max-gpu-budget': props.maxGpuBudget,
      'min-endpoint': props.minEndpoint,
      'load-predictor': props.loadPredictor,
      'prefill-engine-num-gpu': gpus('prefill'),
      'decode-engine-num-gpu': gpus('decode'),
    };
    return {
      type: 'planner',
      image: graph.image,
      workingDir: '/workspace/components/src/dynamo/planner',
      command: ['python3', '-m', 'planner_sla'],
      args: [
        '--environment=kubernetes',
        ...(backend === undefined ? [] : [`--backend=${backend}`]),
        `--adjustment-interval=${props.adjustmentInterval?.toSeconds() ?? 60}`,
        `--profile-results-dir=${profileFolder}`,
        ...Object.entries(optional).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
        ...(props.noOperation === true ? ['--no-operation'] : []),
        ...(props.extraArgs ?? []),
      ],
      envFromSecret: graph.tokenSecretName,
      volumes: [{ name: 'planner-profile-data', configMap: { name: referencedName(props.profile ?? 'planner-profile-data') } }],
      volumeMounts: [{ name: 'planner-profile-data', mountPath: profileFolder, readOnly: true }],
    };
  }
}

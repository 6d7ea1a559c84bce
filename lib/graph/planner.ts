import type { Duration } from 'cdk8s';
import type { IConfigMap } from 'cdk8s-plus-28';
import type { ComponentOptions } from './component-props.ts';
import { Component, type Derived } from './component.ts';
import type { DynamoGraph } from './graph.ts';
import { nameOf } from '../plus/index.ts';
import { Worker } from './worker.ts';

/** Properties of a planner. */
export interface PlannerProps extends Omit<ComponentOptions, 'replicas'> {
  /**
   * Time between two decisions.
   * @default Duration.seconds(60)
   */
  readonly adjustmentInterval?: Duration;
  /**
   * Time to first token to stay below.
   * @default - the planner's own, 500 ms
   */
  readonly ttft?: Duration;
  /**
   * Time between tokens to stay below.
   * @default - the planner's own, 50 ms
   */
  readonly itl?: Duration;
  /**
   * GPUs the planner may use in all.
   * @default - the planner's own, 8
   */
  readonly maxGpuBudget?: number;
  /**
   * Fewest replicas of each worker.
   * @default - the planner's own, 1
   */
  readonly minEndpoint?: number;
  /**
   * How load is predicted.
   * @default - the planner's own, `arima`
   */
  readonly loadPredictor?: 'constant' | 'arima' | 'kalman' | 'prophet';
  /**
   * ConfigMap with profiling results, made by a graph request.
   * @default - `planner-profile-data`, which the profiler writes
   */
  readonly profile?: string | Pick<IConfigMap, 'name'>;
  /**
   * Whether the planner is told how many GPUs a replica of each worker takes; without it, it counts one each.
   * @default true
   */
  readonly tellGpus?: boolean;
  /**
   * Whether decisions are only logged.
   * @default false
   */
  readonly noOperation?: boolean;
  /**
   * Arguments put after all others.
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
      volumes: [{ name: 'planner-profile-data', configMap: { name: nameOf(props.profile ?? 'planner-profile-data') } }],
      volumeMounts: [{ name: 'planner-profile-data', mountPath: profileFolder, readOnly: true }],
    };
  }
}

import type { Engine } from './engine/engine.ts';
import type { EppProps } from './epp.ts';
import type { FrontendProps } from './frontend.ts';
import type { DynamoGraph, DynamoGraphProps } from './graph.ts';
import type { Model } from './model.ts';
import { workerName } from './worker-names.ts';
import type { Role } from './engine/base.ts';
import type { PlannerProps } from './planner.ts';
import type { WorkerProps } from './worker.ts';

/** A worker of a preset: its properties and, where the preset's name does not do, its own. */
export interface PresetWorkerProps<E extends Engine> extends WorkerProps<E> {
  /**
   * Name of the component.
   * @default - by the chart's naming style: `worker`, `prefill`, `decode`
   */
  readonly name?: string;
}

/** What the presets have in common. */
export interface PresetProps<E extends Engine> extends Omit<DynamoGraphProps<E>, 'frontend' | 'model' | 'engine'> {
  /** The model workers serve. */
  readonly model: Model;
  /** The engine workers run. */
  readonly engine: E;
  /**
   * The HTTP frontend; `false` where another graph's serves.
   * @default - one frontend
   */
  readonly frontend?: FrontendProps | false;
  /**
   * An endpoint picker for an inference gateway.
   * @default - none
   */
  readonly epp?: EppProps;
}

/** Properties of `DynamoGraph.aggregated`. */
export interface AggregatedProps<E extends Engine = Engine> extends PresetProps<E> {
  /**
   * The workers.
   * @default - one replica
   */
  readonly worker?: PresetWorkerProps<NoInfer<E>>;
}

/** Properties of `DynamoGraph.disaggregated`. */
export interface DisaggregatedProps<E extends Engine = Engine> extends PresetProps<E> {
  /**
   * What prefill and decode workers have in common.
   * @default - nothing
   */
  readonly workers?: WorkerProps<NoInfer<E>>;
  /**
   * The prefill workers.
   * @default - one replica
   */
  readonly prefill?: PresetWorkerProps<NoInfer<E>>;
  /**
   * The decode workers.
   * @default - one replica
   */
  readonly decode?: PresetWorkerProps<NoInfer<E>>;
  /**
   * A planner that scales both.
   * @default - none
   */
  readonly planner?: PlannerProps;
}

function nameOf<E extends Engine>(
  graph: DynamoGraph<E>,
  role: Role,
  props: PresetProps<E>,
  worker: PresetWorkerProps<E>,
): string {
  return worker.name ?? workerName(graph.dynamoChart?.names ?? 'short', (worker.engine ?? props.engine).backend, role);
}

function addAround<E extends Engine>(graph: DynamoGraph<E>, props: PresetProps<E>): void {
  if (props.frontend !== false) graph.addFrontend(props.frontend);
  if (props.epp !== undefined) graph.addEpp(props.epp);
}

/** Fills a graph with a frontend and workers that serve whole requests. */
export function aggregated<E extends Engine>(graph: DynamoGraph<E>, props: AggregatedProps<E>): DynamoGraph<E> {
  const worker = props.worker ?? {};
  addAround(graph, props);
  graph.addWorker(nameOf(graph, 'aggregated', props, worker), worker);
  return graph;
}

/** Fills a graph with a frontend, prefill and decode workers and, if asked for, a planner. */
export function disaggregated<E extends Engine>(graph: DynamoGraph<E>, props: DisaggregatedProps<E>): DynamoGraph<E> {
  const prefill = mergeWorker(props.workers, props.prefill);
  const decode = mergeWorker(props.workers, props.decode);
  addAround(graph, props);
  graph.addPrefill(nameOf(graph, 'prefill', props, prefill), prefill);
  graph.addDecode(nameOf(graph, 'decode', props, decode), decode);
  if (props.planner !== undefined) graph.addPlanner(props.planner);
  return graph;
}

/** A role's properties over those of both roles; environment, pod and container are merged one level deep. */
function mergeWorker<E extends Engine>(both: WorkerProps<E> = {}, one: PresetWorkerProps<E> = {}): PresetWorkerProps<E> {
  return {
    ...both,
    ...one,
    env: { ...both.env, ...one.env },
    pod: { ...both.pod, ...one.pod },
    container: one.container ?? both.container,
  };
}

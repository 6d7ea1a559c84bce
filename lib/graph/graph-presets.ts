import type { ContainerFields } from './component-props.ts';
import type { Engine } from './engine/engine.ts';
import type { EppProps } from './epp.ts';
import type { FrontendProps } from './frontend.ts';
import type { DynamoGraph, DynamoGraphProps } from './graph.ts';
import type { Model } from './model.ts';
import { workerName } from './worker-names.ts';
import type { Role } from './engine/base.ts';
import type { PlannerProps } from './planner.ts';
import type { WorkerProps } from './worker.ts';

/** Properties of a worker in a preset. */
export interface PresetWorkerProps<E extends Engine> extends WorkerProps<E> {
  /**
   * Name of the component.
   * @default - `worker`, `prefill` or `decode`, or as the chart's `names` says
   */
  readonly name?: string;
}

/** Properties of every preset. */
export interface PresetProps<E extends Engine> extends Omit<DynamoGraphProps<E>, 'frontend' | 'model' | 'engine'> {
  /** Model that the workers serve. */
  readonly model: Model;
  /** Engine that the workers run. */
  readonly engine: E;
  /**
   * HTTP frontend; `false` if the frontend of another graph serves this one.
   * @default - one replica
   */
  readonly frontend?: FrontendProps | false;
  /**
   * Endpoint picker for an inference gateway.
   * @default - none
   */
  readonly epp?: EppProps;
}

/** Properties of `DynamoGraph.aggregated`. */
export interface AggregatedProps<E extends Engine = Engine> extends PresetProps<E> {
  /**
   * Workers.
   * @default - one replica
   */
  readonly worker?: PresetWorkerProps<NoInfer<E>>;
}

/** Properties of `DynamoGraph.disaggregated`. */
export interface DisaggregatedProps<E extends Engine = Engine> extends PresetProps<E> {
  /**
   * Properties that prefill and decode workers share.
   * @default - none
   */
  readonly workers?: WorkerProps<NoInfer<E>>;
  /**
   * Prefill workers.
   * @default - one replica
   */
  readonly prefill?: PresetWorkerProps<NoInfer<E>>;
  /**
   * Decode workers.
   * @default - one replica
   */
  readonly decode?: PresetWorkerProps<NoInfer<E>>;
  /**
   * Planner that scales the prefill and decode workers.
   * @default - none
   */
  readonly planner?: PlannerProps;
}

function presetWorkerName<E extends Engine>(
  graph: DynamoGraph<E>,
  role: Role,
  props: PresetProps<E>,
  worker: PresetWorkerProps<E>,
): string {
  return worker.name ?? workerName(graph.dynamoChart?.names ?? 'short', (worker.engine ?? props.engine).backend, role);
}

function addFrontendAndEpp<E extends Engine>(graph: DynamoGraph<E>, props: PresetProps<E>): void {
  if (props.frontend !== false) graph.addFrontend(props.frontend);
  if (props.epp !== undefined) graph.addEpp(props.epp);
}

/** Adds a frontend and workers that serve whole requests to a graph. */
export function aggregated<E extends Engine>(graph: DynamoGraph<E>, props: AggregatedProps<E>): DynamoGraph<E> {
  const worker = props.worker ?? {};
  addFrontendAndEpp(graph, props);
  graph.addWorker(presetWorkerName(graph, 'aggregated', props, worker), worker);
  return graph;
}

/** Adds a frontend, prefill and decode workers and an optional planner to a graph. */
export function disaggregated<E extends Engine>(graph: DynamoGraph<E>, props: DisaggregatedProps<E>): DynamoGraph<E> {
  const prefill = mergeWorker(props.workers, props.prefill);
  const decode = mergeWorker(props.workers, props.decode);
  addFrontendAndEpp(graph, props);
  graph.addPrefill(presetWorkerName(graph, 'prefill', props, prefill), prefill);
  graph.addDecode(presetWorkerName(graph, 'decode', props, decode), decode);
  if (props.planner !== undefined) graph.addPlanner(props.planner);
  return graph;
}

/** Merges the properties of a role into those of both roles; `env`, `pod` and `container` are merged one level deep. */
function mergeWorker<E extends Engine>(both: WorkerProps<E> = {}, one: PresetWorkerProps<E> = {}): PresetWorkerProps<E> {
  return {
    ...both,
    ...one,
    env: { ...both.env, ...one.env },
    pod: { ...both.pod, ...one.pod },
    container: mergeContainer(both.container, one.container),
  };
}

/** The command and arguments of one role belong together: a role that sets its command does not get the arguments of both roles. */
function mergeContainer(both: ContainerFields = {}, one: ContainerFields = {}): ContainerFields {
  if (one.command === undefined) return { ...both, ...one };
  const { args: _args, ...others } = both;
  return { ...others, ...one };
}

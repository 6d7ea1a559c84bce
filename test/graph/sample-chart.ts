import { App } from 'cdk8s';
import { DynamoChart, Engine, Model, type DynamoChartProps, type DynamoGraph } from '../../lib/graph/index.ts';

/** A chart in the namespace `llm` that keeps its warnings to itself. */
export function sampleChart(props: DynamoChartProps = {}): DynamoChart {
  return new DynamoChart(new App(), 'chart', { namespace: 'llm', warnings: 'ignore', ...props });
}

/** A small model. */
export const qwen = Model.huggingFace('Qwen/Qwen3-0.6B');

/** vLLM without options. */
export const vllm = Engine.vllm();

/** A component as a graph renders it. */
export function service(graph: DynamoGraph, name: string): Rendered {
  const { spec } = graph.toJson() as { spec: { services: Record<string, Rendered> } };
  const found = spec.services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}

/** The fields of a rendered component that tests look at. */
export interface Rendered {
  readonly [key: string]: unknown;
  readonly envs?: readonly { readonly name: string; readonly value?: string }[];
  readonly resources?: { readonly limits?: Record<string, unknown>; readonly requests?: Record<string, unknown> };
  readonly extraPodSpec: {
    readonly [key: string]: unknown;
    readonly mainContainer: {
      readonly command?: readonly string[];
      readonly args?: readonly string[];
      readonly [key: string]: unknown;
    };
  };
}

/** A component's arguments. */
export function args(graph: DynamoGraph, name: string): readonly string[] {
  return service(graph, name).extraPodSpec.mainContainer.args ?? [];
}

/** A component's environment by name. */
export function env(graph: DynamoGraph, name: string): Record<string, string | undefined> {
  return Object.fromEntries((service(graph, name).envs ?? []).map((e) => [e.name, e.value]));
}

// oxlint-disable typescript/no-explicit-any -- tests look into objects of any kind
/** The objects of a chart of one kind. */
export function objects(chart: DynamoChart, kind: string): readonly Record<string, any>[] {
  const all = chart.toJson() as { kind: string }[];
  return all.filter((o) => o.kind === kind);
}

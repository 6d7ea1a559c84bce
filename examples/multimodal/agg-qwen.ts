import { DynamoGraph, type DynamoChart } from '../../lib/graph/index.ts';
import { addMultimodalWorkers, qwenTemplate } from './workers.ts';

/** Qwen 2.5 VL: text and images. */
export const aggQwen = (chart: DynamoChart) => {
  const graph = new DynamoGraph(chart, 'agg-qwen', { backend: 'vllm' });
  graph.addFrontend();
  addMultimodalWorkers(graph, 'Qwen/Qwen2.5-VL-7B-Instruct', qwenTemplate);
};

import { DynamoGraph, type DynamoChart } from '../../lib/graph/index.ts';
import { addMultimodalWorkers } from './workers.ts';

/** LLaVA: text and images. */
export const aggLlava = (chart: DynamoChart) => {
  const graph = new DynamoGraph(chart, 'agg-llava', { backend: 'vllm' });
  graph.addFrontend();
  addMultimodalWorkers(graph, 'llava-hf/llava-1.5-7b-hf', String.raw`USER: <image>\n<prompt> ASSISTANT:`);
};

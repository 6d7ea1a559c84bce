import { App } from 'cdk8s';
import { expect, test } from 'vitest';
import { argocdObjects, ignoreDifferences, ownedReplicas } from '../../lib/gitops/index.ts';
import { DynamoChart, DynamoGraph, Engine, Model, Scaler } from '../../lib/graph/index.ts';
import { toyInput } from './toy-platform.ts';

const model = Model.huggingFace('Qwen/Qwen3-0.6B');
const engine = Engine.vllm();
const chart = (): DynamoChart => new DynamoChart(new App(), 'graphs', { namespace: 'llm', warnings: 'ignore' });

test('nothing of a graph that only Git changes is ignored', () => {
  expect(ignoreDifferences(DynamoGraph.disaggregated(chart(), 'g', { model, engine }))).toEqual([]);
});

test('replicas that a scaling adapter owns are ignored', () => {
  const graph = DynamoGraph.disaggregated(chart(), 'g', { model, engine });
  graph.component('decode').autoscale(Scaler.keda({ metric: 'itl-p95', threshold: 0.05, max: 4 }));
  expect(ignoreDifferences(graph)).toEqual([
    {
      group: 'nvidia.com',
      kind: 'DynamoGraphDeployment',
      name: 'g',
      namespace: 'llm',
      jsonPointers: ['/spec/services/decode/replicas'],
    },
  ]);
});

test('an adapter that is off owns nothing', () => {
  const graph = (enabled: boolean) => ({
    toJson: () => ({ metadata: { name: 'g' }, spec: { services: { 'a/b': { scalingAdapter: { enabled } } } } }),
  });
  expect(ignoreDifferences(graph(false))).toEqual([]);
  expect(ignoreDifferences(graph(true))).toEqual([
    { group: 'nvidia.com', kind: 'DynamoGraphDeployment', name: 'g', jsonPointers: ['/spec/services/a~1b/replicas'] },
  ]);
});

test('replicas that a planner owns are ignored, its own and those of the frontend are not', () => {
  const graph = DynamoGraph.disaggregated(chart(), 'g', { model, engine, planner: {} });
  expect(ignoreDifferences(graph).map((entry) => entry.jsonPointers)).toEqual([
    ['/spec/services/decode/replicas', '/spec/services/prefill/replicas'],
  ]);
});

test('Applications ignore what adapters and planners own in every graph', () => {
  const repository = { url: 'https://git.example.com/dynamo.git', revision: 'main', path: '' };
  expect(JSON.stringify(argocdObjects(toyInput(), repository))).toContain(JSON.stringify(ownedReplicas));
  expect(ownedReplicas.jqPathExpressions[1]).toBe(
    '.spec | select(any(.services[]; .componentType == "planner")) | .services[] | select(.componentType == ("worker", "prefill", "decode")) | .replicas',
  );
});

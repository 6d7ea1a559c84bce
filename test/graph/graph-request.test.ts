import { Duration } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { DynamoGraph, DynamoGraphRequest, Search } from '../../lib/graph/index.ts';
import { objects, qwen, sampleChart, vllm } from './sample-chart.ts';

describe('requests', () => {
  const sla = { isl: 3000, osl: 150, ttft: Duration.millis(500), itl: Duration.millis(30) };

  test('a request always says whether its result is deployed', () => {
    const chart = sampleChart();
    new DynamoGraphRequest(chart, 'r', {
      model: qwen,
      backend: 'trtllm',
      sla,
      search: Search.aiConfigurator({ system: 'h200_sxm' }),
    });
    expect(objects(chart, 'DynamoGraphDeploymentRequest')[0]?.['spec']).toMatchObject({
      autoApply: false,
      profilingConfig: { config: { sweep: { useAiConfigurator: true, aicSystem: 'h200_sxm' }, sla: { ttft: 500 } } },
    });
  });

  test('the graph to start from becomes the ConfigMap the request names', () => {
    const chart = sampleChart();
    const base = DynamoGraph.disaggregated(chart, 'base', { model: qwen, engine: vllm });
    new DynamoGraphRequest(chart, 'r', { model: qwen, backend: 'vllm', sla, base });
    const [map] = objects(chart, 'ConfigMap');
    expect(map?.['data']['disagg.yaml']).toContain('kind: DynamoGraphDeployment');
    expect(objects(chart, 'DynamoGraphDeploymentRequest')[0]?.['spec'].profilingConfig.configMapRef).toEqual({
      name: 'r-base',
      key: 'disagg.yaml',
    });
  });
});

import { Size } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { DynamoGraph, Engine, Platform } from '../../lib/graph/index.ts';
import { qwen, sampleChart } from './sample-chart.ts';

describe('sizing', () => {
  const shape = (engine: Engine, gpusPerNode = 8) => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine, worker: { gpusPerNode } });
    const { gpusPerPod, nodes } = graph.component('worker');
    return [gpusPerPod, nodes];
  };

  test.each([
    ['tensor parallelism', Engine.vllm({ parallel: { tensor: 4 } }), [4, 1]],
    ['tensor by pipeline by data', Engine.vllm({ parallel: { tensor: 2, pipeline: 2, data: 4 } }), [8, 2]],
    ['parallelism among further arguments', Engine.vllm({ extraArgs: ['-tp', '2'] }), [2, 1]],
    [
      'SGLang, whose data parallelism is inside tensor parallelism',
      Engine.sglang({ parallel: { tensor: 16, data: 16 } }),
      [8, 2],
    ],
    ['the configuration of TensorRT-LLM', Engine.trtllm({ config: { tensor_parallel_size: 32 } }), [8, 4]],
    ['the mocker', Engine.mocker(), [0, 1]],
  ])('GPUs and nodes follow from %s', (_, engine, expected) => {
    expect(shape(engine)).toEqual(expected);
  });

  test('a component may have smaller nodes than the platform', () => {
    expect(shape(Engine.vllm({ parallel: { tensor: 8 } }), 4)).toEqual([4, 2]);
  });

  test('GPUs that do not spread evenly are an error at synth', () => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 7 } }),
      worker: { gpusPerNode: 4 },
    });
    expect(() => chart.toJson()).toThrow(/DYN-GPU-001/);
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 3, pipeline: 3 } }),
    });
    expect(graph.findings.map((f) => [f.id, f.message])).toEqual([
      ['DYN-GPU-001', '9 GPUs cannot be spread evenly over nodes of 8; set gpusPerNode to a divisor of 9'],
    ]);
  });

  test('totals count replicas and nodes, and pack small pods together', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 2 } }),
      prefill: { replicas: 6 },
      decode: { replicas: 2, engine: Engine.vllm({ parallel: { tensor: 16 } }) },
    });
    expect(graph.totalGpus).toBe(6 * 2 + 2 * 16);
    expect(graph.totalNodes).toBe(2 + 4);
    expect(graph.component('decode').pods).toBe(4);
  });

  test('nodes are as few as pods of different sizes allow', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 3 } }),
      prefill: { replicas: 2 },
      decode: { replicas: 2, engine: Engine.vllm({ parallel: { tensor: 5 } }) },
    });
    expect(graph.totalNodes).toBe(2);
  });

  test('a pod larger than a node is a warning', () => {
    const graph = DynamoGraph.aggregated(sampleChart({ platform: new Platform({ gpusPerNode: 4 }) }), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 8 } }),
      worker: { gpusPerNode: 8, sharedMemory: Size.gibibytes(80) },
    });
    expect(graph.findings.map((f) => [f.id, f.severity])).toEqual([['DYN-GPU-006', 'warning']]);
  });
});

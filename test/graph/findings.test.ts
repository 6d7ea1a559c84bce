import { Duration } from 'cdk8s';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DynamoGraph, Engine, Model, Platform } from '../../lib/graph/index.ts';
import { qwen, sampleChart, service, vllm } from './sample-chart.ts';

describe('findings', () => {
  test('what the API server refuses fails the synth with its path', () => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm, worker: { replicas: -1 } });
    expect(() => chart.toJson()).toThrow(/\[chart\/g\].*spec\.services\.worker\.replicas/);
  });

  test('a grace period that is no whole number of seconds fails the synth with its path', () => {
    const chart = sampleChart();
    const worker = { terminationGracePeriod: Duration.millis(1500) };
    DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm, worker });
    expect(() => chart.toJson()).toThrow(/terminationGracePeriodSeconds: must be an integer, got 1\.5/);
  });

  test('what admission refuses fails the synth', () => {
    const chart = sampleChart();
    new DynamoGraph(chart, 'g');
    expect(() => chart.toJson()).toThrow(/must have at least one service/);
  });

  test('an error of lint fails the synth until it is suppressed with a reason', () => {
    const chart = sampleChart();
    const graph = DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      worker: { image: 'mine/vllm-runtime:latest' },
    });
    expect(() => chart.toJson()).toThrow(/DYN-VER-001/);
    expect(() => graph.suppress('DYN-VER-001', ' ')).toThrow('needs a reason');
    graph.suppress('DYN-VER-001', 'a nightly build under test');
    expect(chart.toJson().length).toBe(1);
  });

  test('an error that only the constructs can see is suppressed the same way', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: Number('0') } }),
    });
    expect(new Set(graph.findings.map(({ id }) => id))).toContain('DYN-GPU-001');
    graph.suppress('DYN-GPU-001', 'a test');
    expect(graph.findings.filter(({ id }) => id === 'DYN-GPU-001')).toEqual([]);
  });

  test('a warning is printed once, however often cdk8s validates the app', () => {
    const chart = sampleChart({ warnings: 'print' });
    DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 2 } }),
      worker: { sharedMemory: false },
    });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    for (let times = 0; times < 2; times += 1) chart.toJson();
    expect(write.mock.calls.filter(([line]) => String(line).includes('DYN-MEM-002'))).toHaveLength(1);
  });

  test('a tag that the platform says once is the author’s decision, and only worth a warning', () => {
    const chart = sampleChart({ platform: new Platform({ tag: 'latest' }) });
    const graph = DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm });
    expect(new Set(graph.findings.map((f) => `${f.severity} ${f.id}`))).toEqual(new Set(['warning DYN-VER-001']));
    expect(chart.toJson().length).toBe(1);
  });

  test('warnings fail the synth of a strict chart only', () => {
    const build = (warnings: 'fail' | 'ignore') => {
      const chart = sampleChart({ warnings });
      DynamoGraph.aggregated(chart, 'g', {
        model: qwen,
        engine: Engine.vllm({ parallel: { tensor: 2 } }),
        worker: { sharedMemory: false },
      });
      return chart;
    };
    expect(() => build('fail').toJson()).toThrow(/DYN-MEM-002/);
    expect(build('ignore').toJson().length).toBe(1);
  });

  test('a worker without a frontend is an error unless the author says so', () => {
    const ids = (frontend: boolean) => {
      const graph = new DynamoGraph(sampleChart(), 'g', { model: qwen, engine: vllm, frontend });
      graph.addWorker('worker');
      return graph.findings.map((f) => f.id);
    };
    expect(ids(true)).toEqual(['DYN-ROLE-006']);
    expect(ids(false)).toEqual([]);
  });

  test('a public model needs no token, and says so by leaving it out', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: Model.huggingFace('Qwen/Qwen3-0.6B', { token: false }),
      engine: vllm,
    });
    expect(service(graph, 'worker')['envFromSecret']).toBeUndefined();
    expect(graph.findings).toEqual([]);
  });
});

import { ApiObject, JsonPatch } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { DynamoGraph } from '../../lib/graph/index.ts';
import { objects, qwen, sampleChart, service, vllm } from './sample-chart.ts';

describe('everything else stays reachable', () => {
  const build = () => {
    const chart = sampleChart();
    return { chart, graph: DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm }) };
  };

  test('by fields of the API, by patches of a component, by patches of cdk8s', () => {
    const chart = sampleChart();
    const graph = DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      frontend: {
        spec: { ingress: { enabled: true, host: 'llm' } },
        pod: { schedulerName: 'kai' },
        container: { imagePullPolicy: 'Always' },
      },
    });
    graph.component('Frontend').addPatch(JsonPatch.add('/ingress/ingressControllerClassName', 'nginx'));
    graph.addPatch(JsonPatch.add('/metadata/annotations', { team: 'a' }));
    ApiObject.of(graph).addJsonPatch(JsonPatch.replace('/spec/services/Frontend/replicas', 2));
    expect(service(graph, 'Frontend')).toMatchObject({
      replicas: 2,
      ingress: { enabled: true, host: 'llm', ingressControllerClassName: 'nginx' },
      extraPodSpec: { schedulerName: 'kai', mainContainer: { imagePullPolicy: 'Always' } },
    });
    expect(graph.toJson()['metadata']).toMatchObject({ annotations: { team: 'a' } });
  });

  test('a patch changes no object of the author', () => {
    const { graph } = build();
    const ingress = { enabled: true, host: 'llm' };
    const custom = graph.addComponent('Extra', { type: 'default', spec: { ingress } });
    custom.addPatch(JsonPatch.replace('/ingress/host', 'other'));
    expect(service(graph, 'Extra')['ingress']).toEqual({ enabled: true, host: 'other' });
    expect(ingress.host).toBe('llm');
  });

  test('a field nobody models passes through a graph kept as YAML', () => {
    const chart = sampleChart({ namespace: undefined });
    const text = `
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: { name: legacy, labels: { a: b } }
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: { hostUsers: false, mainContainer: { image: 'a:1', resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }] } }
---
apiVersion: v1
kind: Secret
metadata: { name: s }
`;
    const graph = DynamoGraph.fromYaml(chart, 'legacy', text);
    expect(service(graph, 'Frontend').extraPodSpec).toEqual({
      hostUsers: false,
      mainContainer: { image: 'a:1', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
    });
    expect(graph.toJson()['metadata']).toEqual({ name: 'legacy', labels: { a: 'b' } });
    expect(objects(chart, 'Secret').length).toBe(1);
  });

  test('rejects YAML without a graph, and files that do not exist', () => {
    expect(() => DynamoGraph.fromYaml(sampleChart(), 'g', 'a: 1\nb: 2\n')).toThrow(
      'must contain one DynamoGraphDeployment, found 0',
    );
    expect(() => DynamoGraph.fromYaml(sampleChart(), 'g', 'nowhere.yaml')).toThrow('there is no such file');
  });
});

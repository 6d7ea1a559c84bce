/**
 * Profiling from end to end without GPUs: the whole operator, the real Job controller, the rendered sidecar's script run for real by the Job's own
 * account, and a graph that the operator brings up on nodes played by kwok. The test plays the kubelet of the profiling pod and nothing else.
 */
import { describe, expect, test } from 'vitest';
import { objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { profilingRules } from '../../lib/platform/operator/rbac-rules.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import {
  ended,
  graphYaml,
  jobComplete,
  plannerYaml,
  profilingPod,
  setPod,
  sidecarScript,
  until,
} from '../cluster/profiling-pod.ts';
import { hasMountNamespaces, runSidecar } from '../cluster/sidecar.ts';
import { succeeded } from '../control-plane/client.ts';
import { startOperator } from '../control-plane/operator.ts';
import { canRunOperator, operatorFlags, startOperatorCluster } from './operator-cluster.ts';

const dynamo = 'nvidia.com/v1alpha1';
const namespace = 'demo';

/** A worker besides, which needs GPUs. */
const workerYaml = `${graphYaml}    decode:
      componentType: worker
      subComponentType: decode
      replicas: 2
      resources:
        limits:
          gpu: '1'
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
          command: [python3, -m, dynamo.vllm]
          args: [--model, Qwen/Qwen3-0.6B]
`;

const request = {
  apiVersion: dynamo,
  kind: 'DynamoGraphDeploymentRequest',
  metadata: { name: 'ask', namespace },
  spec: {
    model: 'Qwen/Qwen3-0.6B',
    backend: 'vllm',
    autoApply: true,
    profilingConfig: {
      profilerImage: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0',
      config: { sla: { isl: 3000, ttft: 200 } },
    },
  },
};

const isLong = process.env['LONG'] !== undefined;

// An ordinary run plays a recorded request instead (request-scenarios.test.ts).
describe.skipIf(!isLong || !canRunOperator({ nodes: 1 }) || !hasMountNamespaces())('a deployment request', () => {
  test('is profiled, deployed and Ready with its graph', async () => {
    const cluster = await startOperatorCluster({ nodes: 1 });
    const { client } = cluster;
    const read = async (apiVersion: string, kind: string, name: string): Promise<JsonObject | undefined> => {
      const { status, body } = await client.get<JsonObject>({ apiVersion, kind, metadata: { namespace, name } });
      return status === 404 ? undefined : body;
    };
    const state = async (kind: string, name: string): Promise<string> =>
      stringAt(await read(dynamo, kind, name), 'status', 'state');
    const reaches = (kind: string, name: string, wanted: string): Promise<true> =>
      until(`${wanted} of ${kind} ${name}`, async () => ((await state(kind, name)) === wanted ? true : undefined));
    succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
    const metadata = { name: 'dynamo-platform-dynamo-operator-dgdr-profiling' };
    succeeded(await client.apply({ ...role, metadata, rules: profilingRules(false) }));
    // Until its script has run, no node takes the profiling pod: the test is its kubelet.
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'gpu-0' } };
    succeeded(await client.merge(node, { spec: { unschedulable: true } }));
    const { kubeconfig } = cluster.user('operator');
    await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });

    succeeded(await client.create(request));
    await reaches(request.kind, 'ask', 'Profiling');
    const pod = await profilingPod(client, namespace, 'ask');
    await setPod(client, pod, 'Running', ended(0), { running: {} });
    const account = await cluster.serviceAccount(namespace, 'dgdr-profiling-job');
    const sidecar = await runSidecar({
      script: sidecarScript(pod),
      podName: pod.metadata.name,
      kubeconfig: account.kubeconfig,
      data: { 'config_with_planner.yaml': `${plannerYaml}---\n${workerYaml}`, 'mocker_config_with_planner.yaml': workerYaml },
    });
    expect(sidecar).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('Saved profiling output to ConfigMap dgdr-output-ask'),
    });
    await setPod(client, pod, 'Succeeded', ended(0), ended(0));
    await jobComplete(client, namespace, 'ask');

    await reaches(request.kind, 'ask', 'Deploying');
    await until('the graph', () => read(dynamo, 'DynamoGraphDeployment', 'asked'));
    await reaches('DynamoGraphDeployment', 'asked', 'pending');
    succeeded(await client.merge(node, { spec: { unschedulable: false } }));
    await reaches('DynamoGraphDeployment', 'asked', 'successful');
    await reaches(request.kind, 'ask', 'Ready');
    expect(await read(dynamo, 'DynamoGraphDeployment', 'asked')).toMatchObject({
      metadata: { labels: { 'dgdr.nvidia.com/name': 'ask', 'dgdr.nvidia.com/namespace': namespace } },
      status: { services: { decode: { readyReplicas: 2 }, Frontend: { readyReplicas: 1 } } },
    });
    expect(objectAt(await read(dynamo, request.kind, 'ask'), 'status')).toMatchObject({
      profilingResults: 'configmap/dgdr-output-ask',
      generatedDeployment: { metadata: { name: 'asked' }, status: {} },
      deployment: { name: 'asked', namespace, state: 'successful', created: true },
      conditions: [
        { type: 'Validation', status: 'True' },
        { type: 'Profiling', status: 'True' },
        { type: 'SpecGenerated', status: 'True' },
        { type: 'DeploymentReady', status: 'True', message: 'DynamoGraphDeployment asked is ready' },
      ],
    });
    expect(await read('v1', 'ConfigMap', 'planner-profile-data')).toMatchObject({
      data: { 'prefill_raw_data.json': '{"prefill_isl": [100]}' },
    });

    succeeded(await client.delete(request));
    await until('deletion', async () => ((await read(dynamo, request.kind, 'ask')) === undefined ? true : undefined));
    const kept = await read('v1', 'ConfigMap', 'planner-profile-data');
    expect(objectAt(kept, 'metadata')['ownerReferences']).toMatchObject([{ kind: 'DynamoGraphDeployment', name: 'asked' }]);
    await until('collection of the output', async () =>
      (await read('v1', 'ConfigMap', 'dgdr-output-ask')) === undefined ? true : undefined,
    );
    expect(await state('DynamoGraphDeployment', 'asked')).toBe('successful');
  });
});

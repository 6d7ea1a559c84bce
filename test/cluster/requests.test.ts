/** Requests on a real API server with the real Job controller and the operator's own passes; the test acts as the kubelet. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '../../lib/json/index.ts';
import { profilingRules } from '../../lib/platform/operator/rbac-rules.ts';
import { chartConfig } from '../../lib/render/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { Passes } from './passes.ts';
import { ended, graphYaml, jobComplete, plannerYaml, profilingPod, setPod, until } from './profiling-pod.ts';

const dynamo = 'nvidia.com/v1alpha1';
/** Roles of its own: other tests let Helm make those of the chart. */
const config = chartConfig('requests');

interface Fixture {
  readonly namespace: string;
  readonly passes: Passes;
  readonly key: {
    readonly apiVersion: string;
    readonly kind: 'DynamoGraphDeploymentRequest';
    readonly namespace: string;
    readonly name: string;
  };
}

async function ask(spec: JsonObject = {}, name = 'ask'): Promise<Fixture> {
  const namespace = await newNamespace();
  const passes = await Passes.start(cluster().connection.kubeconfig, config);
  onTestFinished(() => passes.close());
  const object = {
    apiVersion: dynamo,
    kind: 'DynamoGraphDeploymentRequest' as const,
    metadata: { name, namespace },
    spec: {
      model: 'Qwen/Qwen3-0.6B',
      backend: 'vllm',
      profilingConfig: {
        profilerImage: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0',
        config: { sla: { isl: 3000, ttft: 200 } },
      },
      ...spec,
    },
  };
  succeeded(await cluster().client.create(object));
  return { namespace, passes, key: { apiVersion: dynamo, kind: 'DynamoGraphDeploymentRequest', namespace, name } };
}

async function read(apiVersion: string, kind: string, namespace: string, name: string): Promise<JsonObject | undefined> {
  const { status, body } = await cluster().client.get({ apiVersion, kind, metadata: { namespace, name } });
  return status === 404 ? undefined : (body as unknown as JsonObject);
}

async function statusOf({ key }: Fixture): Promise<JsonObject> {
  return objectAt(await read(key.apiVersion, key.kind, key.namespace, key.name), 'status');
}

/** Writes the profiler's output and has the Job end. */
async function finishJob(fixture: Fixture, output: string): Promise<void> {
  const { namespace, key } = fixture;
  const metadata = { name: `dgdr-output-${key.name}`, namespace };
  succeeded(
    await cluster().client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'config_with_planner.yaml': output },
    }),
  );
  const { client } = cluster();
  await setPod(client, await profilingPod(client, namespace, key.name), 'Succeeded', ended(0), ended(0));
  await jobComplete(client, namespace, key.name);
}

/** A graph whose variables repeat a text of 100,000 characters so many times. */
function grownYaml(times: number): string {
  const again = Array.from({ length: times }, (_, index) => `, {name: A${index}, value: *long}`);
  const envs = `[{name: A, value: &long ${'x'.repeat(100_000)}}${again.join('')}]`;
  return `kind: DynamoGraphDeployment\nmetadata: {name: asked}\nspec: {services: {a: {envs: ${envs}}}}\n`;
}

describeCluster('deployment requests', () => {
  beforeAll(async () => {
    const { profilingClusterRole, plannerClusterRole } = config;
    const roles = { [profilingClusterRole]: profilingRules(false), [plannerClusterRole]: [] };
    for (const [name, rules] of Object.entries(roles)) {
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
      succeeded(await cluster().client.apply(role));
    }
  });

  test('fails with the details of the pod where the profiler fails and its sidecar waits on', async () => {
    const fixture = await ask();
    await fixture.passes.settle(fixture.key);
    const { client } = cluster();
    const pod = await profilingPod(client, fixture.namespace, 'ask');
    await setPod(client, pod, 'Running', ended(3), { running: {} });
    await fixture.passes.settle(fixture.key);
    const message = `profiling job failed: the profiler ended with exit code 3. Details: Pod: ${pod.metadata.name}, Container: profiler, ExitCode: 3, Reason: Error`;
    expect(await statusOf(fixture)).toMatchObject({ state: 'Failed', conditions: [{}, { reason: 'ProfilingFailed', message }] });
  });

  test('stores a graph that the API server takes as it was recorded, and nothing of what is unknown', async () => {
    const fixture = await ask();
    await fixture.passes.settle(fixture.key);
    await finishJob(fixture, graphYaml.replace('spec:\n', 'spec:\n  odd: 1\n'));
    expect(await fixture.passes.settle(fixture.key)).toMatchObject({ errors: [] });
    expect(await statusOf(fixture)).toMatchObject({
      state: 'Ready',
      conditions: [
        { type: 'Validation', status: 'True' },
        { type: 'Profiling', status: 'True' },
        { type: 'SpecGenerated', status: 'True' },
      ],
      generatedDeployment: {
        apiVersion: dynamo,
        kind: 'DynamoGraphDeployment',
        metadata: { name: 'asked' },
        spec: {
          services: {
            Frontend: {
              componentType: 'frontend',
              replicas: 1,
              extraPodSpec: {
                containers: null,
                mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0', name: '', resources: {} },
              },
            },
          },
        },
        status: {},
      },
    });
  });

  test.each([
    ['a service that is a text', graphYaml.replace('replicas: 1', 'replicas: one'), /failed to convert to DynamoGraphDeployment/],
    ['no graph', plannerYaml, /no DynamoGraphDeployment found/],
    ['a graph that grows by aliases beyond what is stored', grownYaml(20), /has 2\d{6} bytes, more than the 1200000/],
  ])('ends in Failed, not in a loop, where the output has %s', async (_name, output, message) => {
    const fixture = await ask();
    await fixture.passes.settle(fixture.key);
    await finishJob(fixture, output);
    await fixture.passes.settle(fixture.key);
    expect(await fixture.passes.settle(fixture.key)).toEqual({ writes: [], events: [], errors: [] });
    expect(await statusOf(fixture)).toMatchObject({
      state: 'Failed',
      conditions: [
        {},
        { type: 'Profiling', status: 'True' },
        { reason: 'GenerationFailed', message: expect.stringMatching(message) },
      ],
    });
  });

  test.each(['', '..', 'a/b', 'a%2e', 'Upper'])('goes on where a ConfigMap in the output is called %j', async (name) => {
    const fixture = await ask();
    await fixture.passes.settle(fixture.key);
    const configMap = JSON.stringify({ kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
    await finishJob(fixture, `${configMap}\n---\n${graphYaml}`);
    const { events } = await fixture.passes.settle(fixture.key);
    expect(events).toContainEqual(
      expect.stringMatching(/^Warning ConfigMapCreationFailed: .*metadata.name: (Required|Invalid) value/),
    );
    expect(await statusOf(fixture)).toMatchObject({ state: 'Ready' });
  });

  test('tells why the API server does not take a graph, and stays where it is', async () => {
    const fixture = await ask({ autoApply: true });
    await fixture.passes.settle(fixture.key);
    await finishJob(fixture, graphYaml.replace('asked', 'Not Valid!'));
    const refused = await fixture.passes.settle(fixture.key);
    expect(refused.events.at(-1)).toMatch(/^Warning DeploymentCreationFailed: .*Not Valid!/);
    expect(refused.errors).toEqual([expect.stringContaining('Not Valid!')]);
    expect(await statusOf(fixture)).toMatchObject({
      state: 'Deploying',
      generatedDeployment: { metadata: { name: 'Not Valid!' } },
    });
    expect(await fixture.passes.settle(fixture.key)).toMatchObject({ writes: [] });
  });

  test('fails where its name is too long for a Job', async () => {
    const name = `a${'b'.repeat(59)}`;
    const fixture = await ask({}, name);
    await fixture.passes.settle(fixture.key);
    expect(await statusOf(fixture)).toMatchObject({
      state: 'Failed',
      conditions: [{}, { reason: 'JobCreationFailed', message: expect.stringContaining('63') }],
    });
  });

  test('leaves a graph of somebody else alone, and takes its place when it is gone', async () => {
    const fixture = await ask({ autoApply: true });
    const { namespace, passes, key } = fixture;
    const theirs = {
      apiVersion: dynamo,
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'asked', namespace },
      spec: { services: {} },
    };
    succeeded(await cluster().client.create(theirs));
    await passes.settle(key);
    await finishJob(fixture, graphYaml);
    expect(await passes.settle(key)).toMatchObject({ lookAgainSeconds: 60, errors: [] });
    expect(await statusOf(fixture)).toMatchObject({
      state: 'Deploying',
      conditions: [{}, {}, {}, { type: 'DeploymentReady', status: 'False', reason: 'DeploymentConflict' }],
    });
    expect(await read(dynamo, theirs.kind, namespace, 'asked')).toMatchObject({ spec: { services: {} } });
    await cluster().client.delete(theirs);
    await passes.settle(key);
    const ours = await read(dynamo, theirs.kind, namespace, 'asked');
    expect(stringAt(ours, 'metadata', 'labels', 'dgdr.nvidia.com/name')).toBe('ask');
    await cluster().client.delete(theirs);
    await passes.settle(key);
    expect(await statusOf(fixture)).toMatchObject({ state: 'DeploymentDeleted', deployment: { name: 'asked', created: true } });
  });

  test('refuses an edit once, follows the Job all the same, and goes by the spec it accepted', async () => {
    const fixture = await ask({ autoApply: true });
    const { namespace, passes, key } = fixture;
    await passes.settle(key);
    const path = `/apis/${dynamo}/namespaces/${namespace}/dynamographdeploymentrequests/ask`;
    const body = { spec: { model: 'other/model', autoApply: false } };
    succeeded(await cluster().client.request('PATCH', path, { body, contentType: 'application/merge-patch+json' }));
    const refused = await passes.settle(key);
    expect(refused.events).toEqual([
      expect.stringMatching(/^Warning SpecChangeRejected: Cannot modify spec in state 'Profiling'\./),
    ]);
    expect(await passes.settle(key)).toEqual({ writes: [], events: [], errors: [] });
    await finishJob(fixture, graphYaml);
    await passes.settle(key);
    expect(await statusOf(fixture)).toMatchObject({ state: 'Deploying', observedGeneration: 1, deployment: { name: 'asked' } });
  });

  test('replaces the Job of a spec that was edited before the status was stored, and its pod goes with it', async () => {
    const fixture = await ask();
    const { namespace, passes, key } = fixture;
    const { client } = cluster();
    await passes.settle(key);
    const first = await profilingPod(client, namespace, 'ask');
    const asked = { apiVersion: key.apiVersion, kind: key.kind, metadata: { namespace, name: 'ask' } };
    succeeded(await client.merge(asked, { status: { state: 'Pending', observedGeneration: 1 } }, 'status'));
    succeeded(await client.merge(asked, { spec: { model: 'Qwen/Qwen3-4B' } }));
    await until('another Job', async () => {
      await passes.settle(key);
      return stringAt(await statusOf(fixture), 'state') === 'Profiling' ? true : undefined;
    });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: first.metadata.name } };
    await until('the first pod to go', async () => {
      const { status, body } = await client.get<JsonObject>(pod);
      return status === 404 || objectAt(body, 'metadata')['deletionTimestamp'] !== undefined ? true : undefined;
    });
  });

  test('waits for the Job of an earlier request of its name, then makes its own', async () => {
    const fixture = await ask();
    const { namespace, passes, key } = fixture;
    await passes.settle(key);
    const first = await read('batch/v1', 'Job', namespace, 'profile-ask');
    const object = await read(key.apiVersion, key.kind, namespace, 'ask');
    await cluster().client.delete({ apiVersion: key.apiVersion, kind: key.kind, metadata: { namespace, name: 'ask' } });
    await passes.settle(key);
    succeeded(
      await cluster().client.create({
        apiVersion: key.apiVersion,
        kind: key.kind,
        metadata: { name: 'ask', namespace },
        spec: object?.['spec'],
      }),
    );
    await until('a Job of its own', async () => {
      await passes.settle(key);
      return stringAt(await statusOf(fixture), 'state') === 'Profiling' ? true : undefined;
    });
    const second = await read('batch/v1', 'Job', namespace, 'profile-ask');
    expect(stringAt(second, 'metadata', 'uid')).not.toBe(stringAt(first, 'metadata', 'uid'));
  });
});

/** The whole platform as a user installs it: rendered, applied and started. Every example graph becomes ready. */
import { describe, expect, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { addNode } from '../control-plane/nodes.ts';
import { until } from './acts.ts';
import { countGraphs, createExample, isMultinode, isStub, readExamples } from './examples.ts';
import { installPlatform } from './install-platform.ts';
import { refusedCalls } from './judge-rights.ts';
import { runManager } from './run-manager.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;
const sample = /^(backends\/vllm\/disagg-planner|backends\/vllm\/agg|recipes\/llama-3-70b\/vllm\/agg)$/;
/** Graphs over several nodes take Grove or LeaderWorkerSets: grove.test.ts and leader-worker-sets.test.ts bring them up. */
const examples = readExamples().filter((example) => !isMultinode(example) && (isLong || sample.test(example.name)));
const played = examples.filter((example) => !isStub(example));
/** Examples of upstream that cannot become ready, since the API server takes their pods from nobody, and what it says. */
const neverReady: Readonly<Record<string, string>> = {
  'cloud-gke-vllm-disagg': 'startupProbe: Required value: must specify a handler type',
};
const hasUpstream = isLong && process.env['DYNAMO_CORPUS'] !== undefined;

describe('installed', () => {
  test.each(['secure', 'parity'] as const)(`with the profile %s it brings up ${played.length} examples`, async (profile) => {
    const installation = await installPlatform({ profile, groups: ['inference.networking.k8s.io'] });
    const { client } = installation.cluster;
    for (let node = 0; node < (isLong ? 100 : 4); node += 1)
      await addNode(client, { name: `gpu-${node}`, labels: { 'nvidia.com/gpu.present': 'true' }, devices: { 'rdma/ib': '8' } });
    const manager = await runManager(installation);
    for (const example of played) await createExample(client, example);
    for (const example of examples.filter(isStub))
      await expect(createExample(client, example)).rejects.toThrow('spec.services must have at least one service');
    const faulty = played.filter(({ name }) => Object.hasOwn(neverReady, name));
    if (hasUpstream) expect(faulty.map(({ name }) => name)).toEqual(Object.keys(neverReady));
    const sound = played.filter((example) => !faulty.includes(example));
    const ready = await untilGraphsReady(
      client,
      faulty.map(({ namespace }) => namespace),
    );
    expect(ready).toBe(countGraphs(sound));
    for (const { name, namespace } of faulty) {
      const graphs = await items(client, 'nvidia.com/v1alpha1', 'DynamoGraphDeployment', namespace);
      expect(graphs.map((graph) => stringAt(graph, 'status', 'state'))).not.toContain('successful');
      await until(`an event that tells why ${name} is not ready`, async () => {
        const events = await items(client, 'v1', 'Event', namespace);
        return events.some((event) => stringAt(event, 'message').includes(neverReady[name] ?? ''));
      });
    }
    // The webhooks are asked, with the rendered configuration and through the rendered Service.
    const wrong = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'x', namespace: 'default' },
      spec: { services: {} },
    };
    const answer = await client.create(wrong);
    expect([answer.status, answer.body.message]).toEqual([
      403,
      expect.stringContaining('admission webhook "vdynamographdeployment.kb.io" denied'),
    ]);
    expect(await manager.stop()).toBe(0);
    expect(await refusedCalls(installation)).toEqual([]);
  });
});

/** The whole of it, as a user installs it: rendered, applied, started, and every graph of the examples brought up. */
import { describe, expect, test } from 'vitest';
import { stringAt, type JsonObject } from '../../lib/json/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { addNode } from '../control-plane/nodes.ts';
import { createExample, graphsOf, isMultinode, isStub, readExamples } from './examples.ts';
import { installPlatform } from './install-platform.ts';
import { runManager } from './run-manager.ts';
import { untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;
const sample = /^(backends\/vllm\/disagg-planner|backends\/vllm\/agg|recipes\/llama-3-70b\/vllm\/agg)$/;
/** Graphs over several nodes take Grove or LeaderWorkerSets: orchestrators.test.ts brings them up. */
const examples = readExamples().filter((example) => !isMultinode(example) && (isLong || sample.test(example.name)));
const played = examples.filter((example) => !isStub(example));
/** Examples of upstream that the API server takes from nobody, and what it says. */
const refusals: Readonly<Record<string, string>> = {
  'cloud-gke-vllm-disagg': 'startupProbe: Required value: must specify a handler type',
};
const profiles = isLong ? (['secure', 'parity'] as const) : (['secure'] as const);

describe('installed', () => {
  test.each(profiles)(`with the profile %s it brings up ${played.length} examples`, async (profile) => {
    const installation = await installPlatform({ profile, groups: ['inference.networking.k8s.io'] });
    const { client, audit } = installation.cluster;
    const { username } = installation.cluster.user('operator');
    for (let node = 0; node < (isLong ? 100 : 4); node += 1)
      await addNode(client, { name: `gpu-${node}`, labels: { 'nvidia.com/gpu.present': 'true' }, devices: { 'rdma/ib': '8' } });
    const manager = await runManager(installation);
    for (const example of played) await createExample(client, example);
    for (const example of examples.filter(isStub))
      await expect(createExample(client, example)).rejects.toThrow('spec.services must have at least one service');
    const faulty = played.filter(({ name }) => Object.hasOwn(refusals, name));
    const sound = played.filter((example) => !faulty.includes(example));
    const ready = await untilGraphsReady(
      client,
      faulty.map(({ namespace }) => namespace),
    );
    expect(ready).toBe(sound.flatMap(({ documents }) => graphsOf(documents)).length);
    for (const { name, namespace } of faulty) {
      const events = succeeded(await client.list<JsonObject>({ apiVersion: 'v1', kind: 'Event', namespace })).items;
      expect(events.map((event) => stringAt(event, 'message')).join()).toContain(refusals[name]);
    }
    const refused = (await audit.calls({ username })).filter(({ responseStatus }) => responseStatus?.code === 403);
    expect(refused.map(describeCall)).toEqual([]);
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
  });
});

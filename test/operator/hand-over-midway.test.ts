/**
 * An operator that takes over in the middle of work: a Lease that is no longer renewed, an adapter that has scaled before, an unfinished restart.
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isList, objectAt, stringAt, valueAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { addNode } from '../control-plane/nodes.ts';
import { startOperator, type RunningOperator } from '../control-plane/operator.ts';
import type { PlayedStep } from '../live/play-scenario.ts';
import { canRunOperator, operatorFlags, startOperatorCluster, writesUntilQuiet } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;
const dynamo = 'nvidia.com/v1alpha1';
const namespace = 'demo';
const key = (apiVersion: string, kind: string, name: string, of = namespace) => ({
  apiVersion,
  kind,
  metadata: { namespace: of, name },
});
const graphKey = key(dynamo, 'DynamoGraphDeployment', 'again');
const adapterKey = key(dynamo, 'DynamoGraphDeploymentScalingAdapter', 'again-decode');
const leaseKey = key('coordination.k8s.io/v1', 'Lease', 'dynamo.nvidia.com', 'dynamo-system');
const mainContainer = { image: 'nvcr.io/x/vllm-runtime:0.9.0' };
const worker = (role: string, more: JsonObject, pod: JsonObject = {}): JsonObject => ({
  componentType: 'worker',
  subComponentType: role,
  replicas: 1,
  resources: { limits: { gpu: '1' } },
  extraPodSpec: { mainContainer: { ...mainContainer, command: ['python3', '-m', 'dynamo.vllm'] }, ...pod },
  ...more,
});
const services = {
  Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer } },
  decode: worker('decode', { scalingAdapter: { enabled: true } }, { nodeSelector: { pool: 'wide' } }),
  prefill: worker('prefill', {}, { nodeSelector: { pool: 'full' } }),
};

describe.skipIf(!isLong || !canRunOperator({ nodes: 1 }))('what the original left half-done', () => {
  test('is brought to its end without touching what was done', async () => {
    const cluster = await startOperatorCluster({ nodes: 1 });
    const { client } = cluster;
    succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
    // A node without room for a second pod: the restart of the service on it waits until the node grows.
    await addNode(client, { name: 'full', gpus: 1, labels: { pool: 'full' } });
    await addNode(client, { name: 'wide', labels: { pool: 'wide' } });
    const first = await start(cluster);
    succeeded(await client.create({ ...graphKey, spec: { services } }));
    await untilStatus(cluster, (status) => stringAt(status, 'state') === 'successful');
    const order = ['decode', 'prefill', 'Frontend'];
    succeeded(await client.merge(graphKey, { spec: { restart: { id: 'r3', strategy: { type: 'Sequential', order } } } }));
    await untilStatus(cluster, (status) => inProgress(status) === 'prefill');
    await writesUntilQuiet(cluster, await cluster.audit.now());
    expect(await first.stop()).toBe(0);
    await leaveAsTheOriginalDoes(cluster);
    const before = await decodePods(cluster);

    const since = await cluster.audit.now();
    const second = await start(cluster);
    await second.line(({ msg }) => msg === 'Starting Controller');
    // It says that it leads, as the original does; it changes nothing.
    const isElectionEvent = (call: string): boolean => call.startsWith('create events dynamo-system/dynamo.nvidia.com.');
    const writes = (await writesUntilQuiet(cluster, since)).map(describeCall);
    expect(writes.filter((call) => !isElectionEvent(call))).toEqual([]);
    const lease = succeeded<JsonObject>(await client.get<JsonObject>(leaseKey));
    expect(objectAt(lease, 'spec')).toMatchObject({ leaseTransitions: 5, leaseDurationSeconds: 8 });

    const offers = { capacity: { 'nvidia.com/gpu': '8' }, allocatable: { 'nvidia.com/gpu': '8' } };
    succeeded(await client.merge({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'full' } }, { status: offers }, 'status'));
    const seen = await untilStatus(cluster, (status) => stringAt(status, 'restart', 'phase') === 'Completed');
    expect(seen.filter((one, index) => one !== seen[index - 1])).toEqual(['prefill', 'Frontend', '']);
    expect(await decodePods(cluster)).toEqual(before);
    const adapter = succeeded<JsonObject>(await client.get<JsonObject>(adapterKey));
    expect(stringAt(adapter, 'status', 'lastScaleTime')).toBe('2026-01-01T00:00:00Z');
    expect(await second.stop()).toBe(0);
    // What client-go leaves when it lets go of a Lease, so that the original takes it at once.
    const released = succeeded<JsonObject>(await client.get<JsonObject>(leaseKey));
    expect(objectAt(released, 'spec')).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 5 });
  });
});

async function start(cluster: Cluster): Promise<RunningOperator> {
  const { kubeconfig } = cluster.user('operator');
  const args = [...operatorFlags, '--leader-elect', '--leader-election-id=dynamo.nvidia.com'];
  const electionTiming = { leaseDuration: 8000, renewDeadline: 6000, retryPeriod: 500 };
  return startOperator({ args, namespace: 'dynamo-system', kubeconfig, controllers, place: { electionTiming } });
}

/** The Lease of a process that was killed, the time of an earlier scale, and the restart as the original was recorded to tell it. */
async function leaveAsTheOriginalDoes({ client }: Cluster): Promise<void> {
  const time = '2026-01-01T00:00:00.000000Z';
  const spec = { holderIdentity: 'dynamo-operator-0_4f1c', leaseTransitions: 4, renewTime: time, acquireTime: time };
  succeeded(await client.merge(leaseKey, { spec: { ...spec, leaseDurationSeconds: 15 } }));
  succeeded(await client.merge(adapterKey, { status: { lastScaleTime: '2026-01-01T00:00:00Z' } }, 'status'));
  const { steps }: { readonly steps: readonly PlayedStep[] } = JSON.parse(
    readFileSync('test/live/recorded/restart.component.json', 'utf8'),
  );
  const told = steps.flatMap(({ statuses }) => statuses.map(({ status }) => status));
  const midway = told.find((status) => inProgress(status) === 'prefill' && stringAt(status, 'restart', 'observedID') === 'r3');
  succeeded(await client.merge(graphKey, { status: { restart: objectAt(midway, 'restart') } }, 'status'));
}

function inProgress(status: Json): string {
  const names = valueAt(status, 'restart', 'inProgress');
  return isList(names) ? names.map((name) => stringAt(name)).join() : '';
}

/** Waits for a status of the graph; returns which services were restarting meanwhile. */
async function untilStatus({ client }: Cluster, isIt: (status: JsonObject) => boolean): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const status = objectAt(succeeded<JsonObject>(await client.get<JsonObject>(graphKey)), 'status');
    seen.push(inProgress(status));
    if (isIt(status)) return seen;
    await setTimeout(20);
  }
}

async function decodePods({ client }: Cluster): Promise<readonly string[]> {
  const list = succeeded(await client.list<JsonObject>({ apiVersion: 'v1', kind: 'Pod', namespace }));
  const isDecode = (pod: JsonObject): boolean => stringAt(pod, 'metadata', 'name').startsWith('again-decode');
  return list.items.filter(isDecode).map((pod) => stringAt(pod, 'metadata', 'uid'));
}

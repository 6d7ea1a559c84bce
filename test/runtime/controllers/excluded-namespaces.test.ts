/** A cluster-wide operator ignores a namespace with its own operator while that operator runs, and reconciles everything in it afterwards. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { microTime } from '../../../lib/runtime/lease-store.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import type { Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const leaseName = 'dynamo-operator-namespace-scope';
const leaseKey: ObjectKey = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'demo', name: leaseName };
const keyIn = (namespace: string): ObjectKey => ({ ...kinds.graph, namespace, name: 'g' });

async function rigOf(...namespaces: readonly string[]): Promise<ControllerRig> {
  const store = platformStore();
  for (const namespace of namespaces) store.create(graphOf('g', {}, { namespace }));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  return rig;
}

/** What a restricted operator writes: at the start, and at every renewal. */
const renewed =
  ({ clock }: ControllerRig) =>
  (store: Store): JsonObject => {
    const renewTime = microTime(clock.date());
    const spec = { holderIdentity: 'namespace-restricted-operator-v1.0.0', leaseDurationSeconds: 30, renewTime };
    const { apiVersion, kind, namespace, name } = leaseKey;
    if (store.get(leaseKey) === undefined) return store.create({ apiVersion, kind, metadata: { namespace, name }, spec });
    return store.update(leaseKey, (lease) => ({ ...lease, spec }));
  };

const scaled =
  (replicas: number) =>
  (store: Store): JsonObject =>
    store.update(keyIn('demo'), (graph) => {
      const services = objectAt(graph, 'spec', 'services');
      return { ...graph, spec: { services: { ...services, decode: { ...objectAt(services, 'decode'), replicas } } } };
    });

function replicasOf({ server }: ControllerRig): unknown {
  return objectAt(server.store.get({ ...kinds.deployment, namespace: 'demo', name: 'g-decode' }), 'spec')['replicas'];
}

/** Everything of a namespace: its graph and the three components. */
const all = (namespace: string): readonly string[] => [
  ...['decode', 'frontend', 'prefill'].map((service) => `component ${namespace}/g-${service}`),
  `graph ${namespace}/g`,
];

test('leaves what is queued and what changes alone, and looks at all of the namespace when its Lease is deleted', async () => {
  const rig = await rigOf('demo', 'elsewhere');
  // The change comes first and waits in the queue; the Lease comes before anybody works on it.
  const queued = await rig.queuedBy((store) => {
    const changed = scaled(2)(store);
    renewed(rig)(store);
    return changed;
  }, leaseKey);
  expect(queued).toEqual(['graph demo/g']);
  expect(replicasOf(rig)).toBe(1);
  await rig.queuedBy(scaled(3));
  expect(replicasOf(rig)).toBe(1);
  const back = await rig.queuedBy((store) => {
    const lease = store.get(leaseKey) ?? {};
    store.delete(leaseKey);
    return lease;
  });
  expect(back).toEqual(all('demo'));
  expect(replicasOf(rig)).toBe(3);
});

test('comes back by itself when the Lease is no longer renewed, and not while it is', async () => {
  const rig = await rigOf('demo', 'elsewhere');
  expect(await rig.queuedBy(renewed(rig))).toEqual([]);
  await rig.clock.advance(20_000);
  expect(await rig.queuedBy(renewed(rig))).toEqual([]);
  await rig.queuedBy(scaled(2));
  await rig.clock.advance(29_000);
  await rig.settle();
  expect(replicasOf(rig)).toBe(1);
  await rig.clock.advance(1_000);
  await rig.settle();
  expect(replicasOf(rig)).toBe(2);
  expect(rig.lines.filter(({ msg }) => typeof msg === 'string' && /^(Excluding|Resuming) namespace/.test(msg))).toMatchObject([
    { namespace: 'demo', holderIdentity: 'namespace-restricted-operator-v1.0.0' },
    { namespace: 'demo', reason: 'lease expired' },
  ]);
});

test('does not come back while the Lease is renewed and only its watch is late', async () => {
  const rig = await rigOf('demo', 'elsewhere');
  await rig.queuedBy(renewed(rig));
  const reads = (): number => rig.server.requests.filter(({ path }) => path.endsWith('/namespaces/demo/leases')).length;
  for (let renewal = 0; renewal < 7; renewal += 1) {
    // Stored, and told to no watch.
    renewed(rig)(rig.server.store);
    await rig.clock.advance(10_000);
    for (let turns = 0; turns < 100; turns += 1) await setImmediate();
    expect(rig.scope.includes('demo')).toBe(false);
  }
  expect(reads()).toBe(2);
  rig.server.act(renewed(rig));
  await rig.settle();
  await rig.clock.advance(30_000);
  await rig.settle();
  expect(rig.scope.includes('demo')).toBe(true);
});

test('watches no Leases but those of restricted operators', async () => {
  const rig = await rigOf('demo');
  const watches = rig.server.requests.filter(({ path }) => path.endsWith('/leases'));
  expect(watches.map(({ query }) => query.get('fieldSelector'))).toEqual([`metadata.name=${leaseName}`]);
});

test('leaves namespaces called ephemeral alone, and says so once for each', async () => {
  const rig = await rigOf('my-ephemeral-1', 'ephemeral', 'demo');
  rig.server.act((store) => store.update(keyIn('ephemeral'), (graph) => ({ ...graph, spec: {} })));
  await rig.settle();
  expect(rig.server.store.all().filter(({ kind }) => kind === 'Deployment')).toHaveLength(3);
  expect(rig.server.store.get(keyIn('ephemeral'))).not.toHaveProperty('status');
  expect(rig.lines.filter(({ msg }) => msg === 'Skipping namespace, its name contains ephemeral')).toMatchObject([
    { namespace: 'ephemeral' },
    { namespace: 'my-ephemeral-1' },
  ]);
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { componentGarbage } from '../../lib/reconcile/component/garbage.ts';
import { releaseModelService, syncModelService } from '../../lib/reconcile/model-service.ts';
import type { ChildSync } from '../../lib/reconcile/child.ts';
import type { Snapshot } from '../../lib/reconcile/snapshot.ts';
import { componentOf, platformStore, resourceKey } from './cluster.ts';
import { pass } from './shell.ts';

const lws = ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'];
const key = resourceKey('ComponentDeployment', 'solo');
const resource = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoComponentDeployment',
  metadata: { name: 'solo', namespace: 'demo', uid: 'c' },
};

test('LeaderWorkerSets come after their pod groups, the first pair before the others', () => {
  const store = platformStore();
  store.create(componentOf('solo', { replicas: 3, multinode: { nodeCount: 2 } }));
  const { writes } = pass(store, key, { apiGroups: lws });
  const made = writes.filter(({ target }) => ['PodGroup', 'LeaderWorkerSet', 'Deployment'].includes(target.kind));
  expect(made.map(({ verb, target }) => `${verb} ${target.kind} ${target.name}`)).toEqual([
    'create PodGroup solo-0',
    'create LeaderWorkerSet solo-0',
    'create PodGroup solo-1',
    'create PodGroup solo-2',
    'create LeaderWorkerSet solo-1',
    'create LeaderWorkerSet solo-2',
  ]);
  expect(new Set(writes.map(({ target }) => `${target.kind} ${target.name}`)).size).toBe(writes.length - 1);
});

test('a workload that cannot be rendered fails the pass', () => {
  const store = platformStore();
  store.create(componentOf('solo', { multinode: { nodeCount: 2 }, resources: {} }));
  const { error, writes } = pass(store, key, { apiGroups: lws });
  expect(error).toMatch(/^failed to reconcile the resources: .*GPU/i);
  expect(writes.map(({ target }) => target.kind)).not.toContain('LeaderWorkerSet');
});

describe('what a component no longer wants', () => {
  const owned = (apiVersion: string, kind: string, name: string, metadata: JsonObject = {}): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'demo', uid: `${kind}/${name}`, ownerReferences: [{ uid: 'c', controller: true }], ...metadata },
  });
  const deployment = owned('apps/v1', 'Deployment', 'solo');
  const debug = owned('apps/v1', 'Deployment', 'solo-debug');
  const set = owned('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', 'solo-0');
  const group = owned('scheduling.volcano.sh/v1beta1', 'PodGroup', 'solo-0');
  const service = owned('v1', 'Service', 'solo');
  const wanted = (...objects: readonly JsonObject[]): readonly ChildSync[] =>
    objects.map((desired) => ({ desired: desired as never, live: desired, state: 'same', steps: [] }));
  const removed = (children: readonly JsonObject[], syncs: readonly ChildSync[], ready: boolean): readonly string[][] =>
    componentGarbage({ resource } as unknown as Snapshot, children, syncs, ready).map((step) =>
      step.map(({ write }) => `${write.verb} ${write.target.kind} ${write.target.name}`),
    );

  test('goes, pod groups after their sets', () => {
    expect(removed([group, set, service, deployment], wanted(deployment), true)).toEqual([
      ['delete LeaderWorkerSet solo-0', 'delete Service solo'],
      ['delete PodGroup solo-0'],
    ]);
  });

  test('waits until its successor is ready where it is a workload of the other kind', () => {
    expect(removed([group, set, service, deployment], wanted(deployment), false)).toEqual([['delete Service solo'], []]);
    expect(removed([deployment, set, debug], wanted(set), false)).toEqual([['delete Deployment solo-debug'], []]);
    expect(removed([deployment, set], wanted(set), true)).toEqual([['delete Deployment solo'], []]);
  });

  test('is left alone where it belongs to somebody else or is going already', () => {
    const foreign = owned('v1', 'Service', 'x', { ownerReferences: [{ uid: 'other', controller: true }] });
    const going = owned('v1', 'Service', 'y', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(removed([foreign, going], [], true)).toEqual([[], []]);
  });

  test('says which set could not be deleted, as the original does', () => {
    const [step] = componentGarbage({ resource } as unknown as Snapshot, [set, service], [], true);
    expect(step?.map(({ chain }) => chain)).toEqual([
      'failed to reconcile the resources: failed to delete the LeaderWorkerSet: ',
      '',
    ]);
  });

  test('stays for its other owners where it is the Service of a model', () => {
    const shared = owned('v1', 'Service', 'dynamo-model-12345678', {
      ownerReferences: [{ uid: 'a', controller: true }, { uid: 'c' }],
      resourceVersion: '7',
    });
    expect(removed([shared], [], true)).toEqual([['patch Service dynamo-model-12345678'], []]);
    expect(releaseModelService(shared, resource, 'x: ')).toMatchObject([
      {
        chain: 'x: ',
        told: { verb: 'Update', kind: 'Service' },
        write: {
          verb: 'patch',
          patch: [{ op: 'test' }, { path: '/metadata/ownerReferences', value: [{ uid: 'a', controller: true }] }],
        },
      },
    ]);
    expect(releaseModelService(owned('v1', 'Service', 'dynamo-model-12345678'), resource, '')).toMatchObject([
      {
        told: { verb: 'Delete', kind: 'Service', name: 'dynamo-model-12345678' },
        write: { verb: 'delete', uid: 'Service/dynamo-model-12345678' },
      },
    ]);
  });
});

describe('the Service of a model', () => {
  const desired = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'dynamo-model-12345678', namespace: 'demo' },
    spec: { clusterIP: 'None' },
  };
  const live = (ownerReferences: readonly JsonObject[]): JsonObject => ({
    ...desired,
    metadata: { ...desired.metadata, resourceVersion: '7', ownerReferences },
  });
  const sync = (present: JsonObject | undefined) => syncModelService(desired, present, { parent: resource, chain: 'c: ' });
  const other = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', name: 'g', uid: 'g', controller: true };

  test('is made by the first, and owned by the others too', () => {
    expect(sync(undefined).state).toBe('created');
    const joined = sync(live([other]));
    expect(joined).toMatchObject({ state: 'same' });
    expect(joined.steps.flat().map(({ write }) => write)).toMatchObject([
      {
        verb: 'patch',
        patch: [
          { op: 'test' },
          {
            path: '/metadata/ownerReferences',
            value: [other, { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoComponentDeployment', name: 'solo', uid: 'c' }],
          },
        ],
      },
    ]);
    expect(sync(live([other, { uid: 'c' }]))).toMatchObject({ state: 'same', steps: [] });
  });

  test('of somebody else is left alone', () => {
    expect(sync(live([{ ...other, apiVersion: 'apps/v1' }]))).toMatchObject({ state: 'foreign', steps: [] });
    expect(sync({ ...live([other]), metadata: { ...desired.metadata, deletionTimestamp: 'x' } }).state).toBe('going');
  });
});

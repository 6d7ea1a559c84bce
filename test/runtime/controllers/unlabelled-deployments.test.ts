/**
 * Deployments without the label by which Deployments of graphs are watched: those of a graph get it back; those of a component without a graph need
 * none.
 */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { annotation, label } from '../../../lib/render/index.ts';
import { componentOf, graphOf, platformStore, resourceKey, runWorkloads } from '../../reconcile/cluster.ts';
import { Refused, type Store } from '../../reconcile/store.ts';
import type { SeenRequest } from '../memory-api-server.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const deployment = (name: string): ObjectKey => ({ ...kinds.deployment, namespace: 'demo', name });
const decode = deployment('g-decode');

/** Starts the controllers; resolves when what is stored is ready. */
async function start(store: Store): Promise<ControllerRig> {
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  await settle(rig);
  return rig;
}

/** Lets the controllers work until nothing is left, also after the back-off of a write that was refused. */
async function settle(rig: ControllerRig): Promise<void> {
  for (const milliseconds of [0, 5, 10]) {
    await rig.clock.advance(milliseconds);
    await rig.settle();
  }
}

function unlabel(store: Store): JsonObject {
  return store.update(decode, (object) => {
    const { [label.graph]: _graph, ...labels } = objectAt(object, 'metadata', 'labels');
    return { ...object, metadata: { ...objectAt(object, 'metadata'), labels } };
  });
}

/** The writes of the operator from the given request on, without its events. */
function writesSince({ server }: ControllerRig, first: number): readonly string[] {
  return server.requests.slice(first).flatMap(({ method, path }) => {
    const [, what = path] = path.split('/namespaces/demo/');
    return method === 'GET' || what.startsWith('events') ? [] : [`${method} ${what}`];
  });
}

const watchesOthers = ({ query }: SeenRequest): boolean => query.get('labelSelector') === `!${label.graph}`;
const refusedCreation = 'POST deployments';
const repair = 'PATCH deployments/g-decode';

function expectRepaired(rig: ControllerRig, before: JsonObject | undefined): void {
  const after = rig.server.store.get(decode) ?? {};
  expect(objectAt(after, 'metadata', 'labels')).toEqual(objectAt(before, 'metadata', 'labels'));
  expect([after['spec'], objectAt(after, 'metadata')['generation']]).toEqual([
    before?.['spec'],
    objectAt(before, 'metadata')['generation'],
  ]);
  expect(rig.cache.get(decode)?.value?.metadata.resourceVersion).toBe(objectAt(after, 'metadata')['resourceVersion']);
  expect(rig.cache.list(kinds.deployment, 'demo', { controllerUid: ownerOf(after) })?.value).toHaveLength(1);
  const { store } = rig.server;
  expect(store.get(resourceKey('Deployment', 'g'))).toMatchObject({ status: { state: 'successful' } });
  const told = store.all().flatMap(({ kind, reason }) => (kind === 'Event' && reason === 'UpdateDeployment' ? [reason] : []));
  expect(told).toHaveLength(1);
  expect(rig.lines.filter(({ msg }) => msg === 'Deployment updated.')).toHaveLength(1);
  expect(rig.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

function ownerOf(object: JsonObject): string {
  const [owner] = objectAt(object, 'metadata')['ownerReferences'] as readonly { readonly uid: string }[];
  return owner?.uid ?? '';
}

test('one that loses the label gets it back, and nothing else changes', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await start(store);
  const before = store.get(decode);
  const first = rig.server.requests.length;
  rig.server.act(unlabel);
  await settle(rig);
  expect(writesSince(rig, first)).toEqual([refusedCreation, repair]);
  expectRepaired(rig, before);
  expect(rig.server.requests.some(watchesOthers)).toBe(false);
  // It is watched as before.
  rig.server.act((all) => all.update(decode, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), replicas: 7 } })));
  await settle(rig);
  expect(objectAt(store.get(decode), 'spec')['replicas']).toBe(1);
});

test('one that lost the label while no operator ran gets it back', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  const before = store.get(decode);
  await rig.stop();
  unlabel(store);
  const later = await start(store);
  expect(writesSince(later, 0)).toEqual([refusedCreation, repair]);
  expectRepaired(later, before);
});

test('one that loses the label gets it back also where a quota allows no further Deployment', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await start(store);
  const before = store.get(decode);
  const first = rig.server.requests.length;
  rig.server.intercept = async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/deployments')) throw new Refused(403, 'Forbidden', 'exceeded quota');
  };
  rig.server.act(unlabel);
  await settle(rig);
  expect(writesSince(rig, first)).toEqual([refusedCreation, repair]);
  expectRepaired(rig, before);
});

test('one that is gone and may not be made again is looked for once for each attempt', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await start(store);
  rig.server.intercept = async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/deployments')) throw new Refused(403, 'Forbidden', 'exceeded quota');
  };
  const first = rig.server.requests.length;
  rig.server.act((all) => all.delete(decode));
  for (let minute = 0; minute < 5; minute += 1) {
    await rig.clock.advance(60_000);
    await rig.settle();
  }
  const since = rig.server.requests.slice(first);
  const attempts = since.filter(({ method, path }) => method === 'POST' && path.endsWith('/deployments'));
  const reads = since.filter(({ method, path }) => method === 'GET' && path.endsWith('/deployments/g-decode'));
  expect(attempts.length).toBeGreaterThan(5);
  expect(reads).toHaveLength(attempts.length);
});

test('one that loses the label while others without it are watched gets it back', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  store.create(componentOf('solo'));
  const rig = await start(store);
  expect(rig.server.requests.filter(watchesOthers)).toHaveLength(1);
  const before = store.get(decode);
  const first = rig.server.requests.length;
  rig.server.act(unlabel);
  await settle(rig);
  // The two watches tell of it in any order.
  expect(writesSince(rig, first).filter((write) => write !== refusedCreation)).toEqual([repair]);
  expectRepaired(rig, before);
});

test('one that nobody owns and that lacks the label is taken over', async () => {
  const store = platformStore();
  store.create({ ...kinds.deployment, metadata: { name: 'g-decode', namespace: 'demo' }, spec: { replicas: 3 } });
  store.create(graphOf('g'));
  const rig = await start(store);
  expect(store.get(resourceKey('Deployment', 'g'))).toMatchObject({ status: { state: 'successful' } });
  expect(store.get(decode)).toMatchObject({
    metadata: { labels: { [label.graph]: 'g' }, ownerReferences: [{ kind: 'DynamoComponentDeployment', name: 'g-decode' }] },
    spec: { replicas: 1 },
  });
  expect(rig.cache.get(decode)?.value?.metadata.name).toBe('g-decode');
});

test('that of a component alone is made, repaired and removed without the label', async () => {
  const store = platformStore();
  const rig = await start(store);
  const solo = deployment('solo');
  const component = resourceKey('ComponentDeployment', 'solo');
  rig.server.act((all) => all.create(componentOf('solo')));
  await settle(rig);
  const writes = writesSince(rig, 0);
  expect(writes.filter((write) => write.endsWith(' deployments'))).toEqual([refusedCreation]);
  expect(store.get(component)).toMatchObject({ status: { conditions: [{ type: 'Valid' }, { status: 'True' }] } });
  const before = store.get(solo);
  expect(objectAt(before, 'metadata', 'labels')).toEqual({});
  rig.server.act((all) => all.update(solo, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), replicas: 7 } })));
  await settle(rig);
  expect(objectAt(store.get(solo), 'spec')).toEqual(objectAt(before, 'spec'));
  rig.server.act((all) => all.delete(solo));
  await settle(rig);
  expect(objectAt(store.get(solo), 'spec')).toEqual(objectAt(before, 'spec'));
  expect(rig.cache.get(solo)?.value?.metadata.name).toBe('solo');
  rig.server.act((all) => all.delete(component));
  await settle(rig);
  // It is watched until the garbage collector has removed it.
  expect([store.get(component), rig.cache.get(solo)?.value?.metadata.name]).toEqual([undefined, 'solo']);
  rig.server.act((all) => all.collect());
  await settle(rig);
  expect([store.get(solo), rig.cache.get(solo)]).toEqual([undefined, { value: undefined, isCertain: false }]);
});

test('one that a component no longer wants is removed, also if the component gets the label at the same moment', async () => {
  const store = platformStore();
  store.create(componentOf('solo', { annotations: { [annotation.stealTraffic]: 'true' } }));
  const rig = await start(store);
  expect(store.get(deployment('solo-d'))).toMatchObject({ kind: 'Deployment' });
  rig.server.act((all) =>
    all.update(resourceKey('ComponentDeployment', 'solo'), (object) => {
      const metadata = { ...objectAt(object, 'metadata'), labels: { [label.graph]: 'g' } };
      return { ...object, metadata, spec: { ...objectAt(object, 'spec'), annotations: {} } };
    }),
  );
  await settle(rig);
  expect(store.get(deployment('solo-d'))).toBeUndefined();
  expect(objectAt(store.get(deployment('solo')), 'metadata', 'labels')).toEqual({ [label.graph]: 'g' });
});

test('that of a component goes from one watch to the other when the component gets the label and loses it', async () => {
  const store = platformStore();
  store.create(componentOf('solo'));
  const rig = await start(store);
  const solo = deployment('solo');
  const component = resourceKey('ComponentDeployment', 'solo');
  for (const labels of [{ [label.graph]: 'g' }, {}, { [label.graph]: 'h' }]) {
    const { uid } = objectAt(store.get(solo), 'metadata');
    const first = rig.server.requests.length;
    rig.server.act((all) =>
      all.update(component, (object) => ({ ...object, metadata: { ...objectAt(object, 'metadata'), labels } })),
    );
    await settle(rig);
    expect(objectAt(store.get(solo), 'metadata', 'labels')).toEqual(labels);
    expect(objectAt(store.get(solo), 'metadata')['uid']).toBe(uid);
    expect(rig.cache.get(solo)?.value?.metadata.labels ?? {}).toEqual(labels);
    // Its Services get the label too; its status stays as it is.
    const others = new Set([refusedCreation, ...['solo', 'solo-p', 'solo-d'].map((name) => `PATCH services/${name}`)]);
    expect(writesSince(rig, first).filter((write) => !others.has(write))).toEqual(['PATCH deployments/solo']);
  }
  expect(rig.server.requests.filter(watchesOthers)).toHaveLength(2);
  expect(rig.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

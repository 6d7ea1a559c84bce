/** Something on the way to the API server answers for a while that it knows no such path: nothing is taken for deleted. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, stringAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { ownKinds } from '../../../lib/runtime/controllers/watched-kinds.ts';
import { request } from '../../reconcile/request/snapshots.ts';
import { ProxyPage } from '../memory-api-server.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const graph: ObjectKey = { ...kinds.graph, namespace: 'demo', name: 'g' };
const component: ObjectKey = { ...kinds.component, namespace: 'demo', name: 'g-decode' };
const deployment: ObjectKey = { ...kinds.deployment, namespace: 'demo', name: 'g-decode' };

/** Lets a controller that waits longer after each failure try again. */
async function tryAgain(rig: ControllerRig): Promise<void> {
  for (let tries = 0; tries < 12; tries += 1) {
    await rig.clock.advance(1000);
    await rig.settle();
  }
}

const replicate = (key: ObjectKey, path: string, replicas: number) => (rig: ControllerRig) =>
  rig.server.act((store) => store.patch(key, [{ op: 'add', path, value: replicas }]));

// Without the component in its cache, the operator would never come to rest.
test(
  'a component that could not be repaired meanwhile is repaired afterwards, and follows its graph',
  { timeout: 60_000 },
  async () => {
    const store = platformStore();
    store.create(graphOf('g'));
    const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
    onTestFinished(() => rig.stop());
    let pages = 0;
    rig.server.intercept = ({ path, isWatch }) => {
      if (isWatch || !path.startsWith('/apis/nvidia.com/')) return undefined;
      pages += 1;
      throw new ProxyPage(404);
    };
    replicate(component, '/spec/replicas', 5)(rig);
    await rig.settle();
    await tryAgain(rig);
    expect(pages).toBeGreaterThan(1);
    rig.server.intercept = () => undefined;
    await tryAgain(rig);
    expect(rig.server.store.get(component)).toMatchObject({ spec: { replicas: 1 } });
    replicate(graph, '/spec/services/decode/replicas', 2)(rig);
    await rig.settle();
    await tryAgain(rig);
    expect(rig.server.store.get(deployment)).toMatchObject({ spec: { replicas: 2 } });
  },
);

test('a kind that is not served is no reason to fail before the API server refuses to create its object', async () => {
  const store = platformStore();
  const epp: JsonObject = {
    componentType: 'epp',
    replicas: 1,
    eppConfig: { config: {} },
    extraPodSpec: { mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/frontend:0.9.0' } },
  };
  const made = graphOf('g');
  store.create({ ...made, spec: { services: { ...objectAt(made, 'spec', 'services'), Epp: epp } } });
  const rig = await ControllerRig.start({ flags: [...flags, '--epp-cluster-role-name=epp'], store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  const asked = rig.server.requests.filter(({ path }) => path.includes('/inferencepools')).map(({ method }) => method);
  expect(asked).toContain('POST');
});

test.each(['/jobs', '/dynamographdeploymentrequests/ask'])('no request fails for good over a page about %s', async (path) => {
  const store = platformStore();
  const { metadata: _, ...asked } = request();
  store.create({ ...asked, metadata: { namespace: 'demo', name: 'ask' } });
  const rig = await ControllerRig.start({ flags: [...flags, '--dgdr-profiling-cluster-role-name=planner'], store });
  onTestFinished(() => rig.stop());
  const ask: ObjectKey = { ...ownKinds.request, namespace: 'demo', name: 'ask' };
  const state = (): string => stringAt(rig.server.store.get(ask), 'status', 'state');
  expect(state()).toBe('Profiling');
  const job: ObjectKey = { ...kinds.job, namespace: 'demo', name: 'profile-ask' };
  let pages = 0;
  rig.server.intercept = (asks) => {
    if (asks.method === 'GET' || !asks.path.endsWith(path)) return undefined;
    pages += 1;
    throw new ProxyPage(404);
  };
  rig.server.act((store) => {
    store.delete(job);
    store.status({ ...store.get(ask), status: { state: 'Pending' } }, stringAt(store.get(ask), 'metadata', 'resourceVersion'));
    return store.patch(ask, [{ op: 'add', path: '/spec/autoApply', value: true }]);
  });
  await rig.settle();
  await tryAgain(rig);
  expect(pages).toBeGreaterThan(1);
  expect(state()).toBe('Pending');
  rig.server.intercept = () => undefined;
  await tryAgain(rig);
  expect(state()).toBe('Profiling');
});

/** Events about pods that waiting does not make ready: the reason of the pod, once, on its component. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, stringAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds } from '../../../lib/reconcile/index.ts';
import { label } from '../../../lib/render/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { groveGroups, runGrove } from '../../reconcile/grove.ts';
import { keyOf, type Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

const waiting = (reason: string): JsonObject => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'main', restartCount: 0, state: { waiting: { reason, message: 'not found' } } }],
});

function podOf(name: string, reason: string, more: JsonObject = {}): JsonObject {
  const labels = { [label.graph]: 'g', [label.component]: 'decode' };
  return { ...kinds.pod, metadata: { name, namespace: 'demo', labels, ...more }, status: waiting(reason) };
}

async function rigOf(onGrove = false): Promise<ControllerRig> {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({
    flags,
    store,
    groups: onGrove ? groveGroups : [],
    move: onGrove ? runGrove : runWorkloads,
  });
  onTestFinished(() => rig.stop());
  return rig;
}

/** The events about stuck pods after a change: on what, how often, and what they say. */
async function toldAfter(rig: ControllerRig, change: (store: Store) => unknown): Promise<readonly string[]> {
  rig.server.act(change);
  await rig.settle();
  return rig.server.store
    .all()
    .filter(({ reason, type }) => reason === 'PodStuck' && type === 'Warning')
    .map((event) => {
      const { kind, name } = keyOf({ ...objectAt(event, 'involvedObject'), metadata: objectAt(event, 'involvedObject') });
      return `${kind} ${name} ${Number(event['count'])}: ${stringAt(event, 'message')}`;
    });
}

const pulling = 'DynamoComponentDeployment g-decode 1: Pod p: ImagePullBackOff: container main: not found';

test('the reason of a pod is told once, and another one again; a pod that merely starts is not told of', async () => {
  const rig = await rigOf();
  expect(await toldAfter(rig, (store) => store.create(podOf('starting', 'ContainerCreating')))).toEqual([]);
  expect(await toldAfter(rig, (store) => store.create(podOf('p', 'ImagePullBackOff')))).toEqual([pulling]);
  const key = { ...kinds.pod, namespace: 'demo', name: 'p' };
  const again = (reason: string) => (store: Store) =>
    store.update(key, (pod) => ({ ...pod, status: { ...waiting(reason), message: 'still' } }));
  expect(await toldAfter(rig, again('ImagePullBackOff'))).toEqual([pulling]);
  expect(await toldAfter(rig, again('CrashLoopBackOff'))).toEqual([pulling, pulling.replace('ImagePull', 'CrashLoop')]);
});

test('on Grove, where there are no components, the graph is told', async () => {
  const rig = await rigOf(true);
  expect(await toldAfter(rig, (store) => store.create(podOf('p', 'ImagePullBackOff')))).toEqual([
    pulling.replace('DynamoComponentDeployment g-decode', 'DynamoGraphDeployment g'),
  ]);
});

/** `status` against an API server in this process, where the operator's controllers have brought a graph up or are about to. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../lib/cli/program.ts';
import { kinds } from '../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../reconcile/cluster.ts';
import { Refused } from '../reconcile/store.ts';
import { ControllerRig } from '../runtime/controllers/controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

/** A cluster with a graph whose Deployments do what they should, or nothing. */
async function rigOf(isWorking: boolean): Promise<ControllerRig> {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, ...(isWorking && { move: runWorkloads }) });
  onTestFinished(() => rig.stop());
  return rig;
}

/** Runs `status`; what it prints can be waited for. */
function status(kubeconfig: string, ...argv: readonly string[]) {
  let [out, err] = ['', ''];
  let wake = (): void => {};
  const io = {
    out: (text: string) => {
      out += text;
      wake();
    },
    err: (text: string) => {
      err += text;
      wake();
    },
    stdin: async () => new Uint8Array(),
    cwd: '.',
    env: {},
    colour: { out: false, err: false },
  };
  const ended = runProgram(['status', '--kubeconfig', kubeconfig, '-n', 'demo', ...argv], io, '0.0.0');
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { ended, until, out: () => out, err: () => err };
}

test('draws a graph that is ready, as text and as JSON, and exits 0', async () => {
  const rig = await rigOf(true);
  const kubeconfig = await rig.server.kubeconfig();
  const text = status(kubeconfig, 'g');
  expect([await text.ended, text.err()]).toEqual([0, '']);
  expect(text.out()).toMatch(/^DynamoGraphDeployment\/g in demo {2}successful, 0 GPUs\n.*Frontend {2}1 of 1 replica ready/);
  const json = status(kubeconfig, '-o', 'json');
  expect(await json.ended).toBe(0);
  expect(JSON.parse(json.out())).toMatchObject({
    apiVersion: 'dynamo-cdk8s/v1',
    kind: 'GraphStatusList',
    items: [{ name: 'g', namespace: 'demo', isReady: true }],
  });
});

test('exits 1 for a graph that is not ready, for one that is not there, and for a namespace without any', async () => {
  const rig = await rigOf(false);
  const kubeconfig = await rig.server.kubeconfig();
  const waiting = status(kubeconfig, 'g');
  expect(await waiting.ended).toBe(1);
  expect(waiting.out()).toMatch(/^DynamoGraphDeployment\/g in demo {2}pending/);
  const absent = status(kubeconfig, 'absent');
  expect([await absent.ended, absent.out(), absent.err()]).toEqual([
    1,
    '',
    'error: no DynamoGraphDeployment absent in namespace demo; name another with -n\n',
  ]);
  for (const name of ['', '..', 'a/b']) expect(await status(kubeconfig, name).ended).toBe(1);
  const empty = status(kubeconfig, '-n', 'empty');
  expect([await empty.ended, empty.err()]).toEqual([1, 'no DynamoGraphDeployment in namespace empty; name another with -n\n']);
});

test('exits 2 where the cluster cannot tell, and says what to do', async () => {
  const rig = await rigOf(true);
  rig.server.intercept = ({ path }) => {
    if (path.endsWith('/pods')) throw new Refused(403, 'Forbidden', 'pods is forbidden: you may not');
    return undefined;
  };
  const forbidden = status(await rig.server.kubeconfig(), 'g');
  expect([await forbidden.ended, forbidden.out(), forbidden.err()]).toEqual([
    2,
    '',
    'error: pods is forbidden: you may not; ask for the verbs get and list\n',
  ]);
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const address = nobody.address();
  nobody.close();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const kubeconfig = await rig.server.kubeconfig(`http://127.0.0.1:${port}`);
  const unreachable = status(kubeconfig);
  expect([await unreachable.ended, unreachable.out()]).toEqual([2, '']);
  expect(unreachable.err()).toMatch(/^error: .*ECONNREFUSED.*; check the kubeconfig and that the API server can be reached\n$/);
});

test('follows a graph until it is ready, shows each state once, and outlasts an API server that restarts', async () => {
  const rig = await rigOf(false);
  const watching = status(await rig.server.kubeconfig(), 'g', '--watch');
  await watching.until(() => watching.out() !== '');
  const drawings = (): readonly string[] => watching.out().split(/^(?=DynamoGraphDeployment\/g)/m);
  // The second look finds what the first one did; the third finds nobody.
  let looks = 1;
  rig.server.intercept = ({ path }) => {
    if (path.endsWith('/pods') && ++looks > 2) throw new Refused(503, 'ServiceUnavailable', 'the server is starting');
    return undefined;
  };
  await watching.until(() => watching.err() !== '');
  expect(watching.err()).toBe('warning: the server is starting; trying again\n');
  expect(drawings()).toHaveLength(1);
  rig.server.act(runWorkloads);
  await rig.settle();
  rig.server.intercept = () => undefined;
  expect(rig.server.store.get({ ...kinds.graph, namespace: 'demo', name: 'g' })).toMatchObject({
    status: { state: 'successful' },
  });
  expect(await watching.ended).toBe(0);
  expect(drawings()).toHaveLength(2);
  expect(drawings()[1]).toMatch(/successful/);
});

/** An operator that a scenario starts and stops, in a cluster of its own with a namespace to play in. */
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { startOperator, type RunningOperator } from '../control-plane/operator.ts';
import type { OperatorSwitch } from '../live/play-scenario.ts';
import { hurriedClock } from './hurried-clock.ts';
import { operatorFlags, startOperatorCluster } from './operator-cluster.ts';

/** Starts a cluster with four nodes and an operator whose waits are so many times shorter. */
export async function startScenario(times = 1): Promise<{ readonly cluster: Cluster; readonly operator: OperatorSwitch }> {
  const cluster = await startOperatorCluster({ nodes: 4 });
  succeeded(await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }));
  const { kubeconfig } = cluster.user('operator');
  const place = { clock: hurriedClock(times) };
  let running: RunningOperator | undefined;
  const operator = {
    start: async () => {
      running = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers, place });
    },
    stop: async () => void (await running?.stop()),
  };
  await operator.start();
  return { cluster, operator };
}

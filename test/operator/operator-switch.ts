/** An operator that a scenario starts and stops, in a cluster of its own with a namespace to play in. */
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { startOperator, type RunningOperator } from '../control-plane/operator.ts';
import type { OperatorSwitch } from '../live/play-scenario.ts';
import { hurriedClock } from './hurried-clock.ts';
import { operatorFlags, startOperatorCluster } from './operator-cluster.ts';

/** How to start it. */
interface ScenarioOptions {
  /**
   * How many times shorter the operator's waits are.
   * @default 1
   */
  readonly times?: number;
  /**
   * What to do with the cluster before the operator starts.
   * @default - nothing
   */
  readonly prepare?: (cluster: Cluster) => Promise<void>;
}

/** Starts a cluster with four nodes and an operator. */
export async function startScenario({ times = 1, prepare }: ScenarioOptions = {}): Promise<{
  readonly cluster: Cluster;
  readonly operator: OperatorSwitch;
}> {
  const cluster = await startOperatorCluster({ nodes: 4 });
  await prepare?.(cluster);
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

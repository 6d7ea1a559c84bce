/** A control plane of its own with everything the operator expects of a platform, for tests that run the whole operator. */
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { crds } from '../../lib/api/crds.ts';
import { missingTools } from '../../tools/find.ts';
import type { AuditEvent, AuditMoment } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { Cluster } from '../control-plane/connect.ts';
import { addNode } from '../control-plane/nodes.ts';
import { standInCrds, type StandInGroup } from '../control-plane/stand-in-crds.ts';
import { type ControlPlane, neededTools, startControlPlane, type ControlPlaneOptions } from '../control-plane/start.ts';

/** Roles the platform's chart makes; the operator binds accounts to them. */
const roles = ['planner', 'dgdr-profiling', 'epp'].map((role) => `dynamo-platform-dynamo-operator-${role}`);
const secret = 'mpi-run-ssh-secret';
const home = 'dynamo-system';

/** Flags of an operator that the platform's chart installed. */
export const operatorFlags: readonly string[] = [
  '--natsAddr=nats://n:4222',
  '--etcdAddr=e:2379',
  `--mpi-run-ssh-secret-name=${secret}`,
  `--mpi-run-ssh-secret-namespace=${home}`,
  `--planner-cluster-role-name=${roles[0]}`,
  `--dgdr-profiling-cluster-role-name=${roles[1]}`,
  `--epp-cluster-role-name=${roles[2]}`,
];

/** What a test wants of its cluster. */
export interface OperatorClusterOptions {
  /** API groups of other projects to serve, by CRDs with an open schema. */
  readonly groups?: readonly StandInGroup[];
  /** Nodes with eight GPUs each, played by kwok; none means that pods stay pending. */
  readonly nodes?: number;
  /** Controllers of Kubernetes that the test plays itself. */
  readonly withoutControllers?: readonly string[];
}

/** Whether such a cluster can be started here. */
export function canRunOperator(options: OperatorClusterOptions = {}): boolean {
  return missingTools(neededTools(planeOptions(options))).length === 0;
}

/** Starts a cluster; it ends with the test that asked for it. */
export async function startOperatorCluster(options: OperatorClusterOptions = {}): Promise<Cluster> {
  const plane = await startControlPlane(planeOptions(options));
  onTestFinished(() => plane.stop());
  const cluster = new Cluster(plane.connection);
  onTestFinished(() => cluster.close());
  await furnish(cluster, options);
  return cluster;
}

/** A cluster for several tests, which its owner stops. */
export interface OwnedCluster {
  readonly plane: ControlPlane;
  readonly cluster: Cluster;
  readonly stop: () => Promise<void>;
}

/** Starts a cluster for several tests. */
export async function openOperatorCluster(options: OperatorClusterOptions = {}): Promise<OwnedCluster> {
  const plane = await startControlPlane(planeOptions(options));
  const cluster = new Cluster(plane.connection);
  const stop = async (): Promise<void> => {
    await cluster.close();
    await plane.stop();
  };
  await furnish(cluster, options);
  return { plane, cluster, stop };
}

async function furnish(cluster: Cluster, options: OperatorClusterOptions): Promise<void> {
  const { client } = cluster;
  const rbac = 'rbac.authorization.k8s.io/v1';
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } }));
  succeeded(
    await client.create({
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'operator' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: cluster.user('operator').username }],
    }),
  );
  for (const name of roles)
    succeeded(await client.create({ apiVersion: rbac, kind: 'ClusterRole', metadata: { name }, rules: [] }));
  const data = { 'private.key': 'eA==', 'private.key.pub': 'eQ==' };
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: secret, namespace: home }, data }));
  for (let node = 0; node < (options.nodes ?? 0); node += 1) await addNode(client, { name: `gpu-${node}` });
}

function planeOptions({ nodes = 0, groups = [], withoutControllers = [] }: OperatorClusterOptions): ControlPlaneOptions {
  const played = nodes > 0 ? { scheduler: true, kwok: true } : {};
  return { withoutControllers, crds: [...crds(), ...standInCrds(groups)], ...played };
}

const lookMs = 100;

/** What the operator wrote since a moment, once it has been quiet for a while; Leases do not count. */
export async function writesUntilQuiet(cluster: Cluster, since: AuditMoment, quietMs = 3000): Promise<readonly AuditEvent[]> {
  const { username } = cluster.user('operator');
  // Looks, each with an answer of the API server, not seconds: on a busy machine all who take part are slow together.
  for (let last = -1, quiet = 0; ; await setTimeout(lookMs)) {
    succeeded(await cluster.client.list({ apiVersion: 'v1', kind: 'Namespace' }));
    const writes = (await cluster.audit.writes({ username, since })).filter(({ objectRef }) => objectRef?.resource !== 'leases');
    [last, quiet] = writes.length === last ? [last, quiet + 1] : [writes.length, 0];
    if (quiet * lookMs > quietMs) return writes;
  }
}

/**
 * Compares the rights that the rendered roles give the operator with its requests to the API server, and simulates a server that makes it use all of
 * them.
 */
import { onTestFinished } from 'vitest';
import { objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { describeCall, type AuditEvent } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { judgePermissions, permissionsOf, type Exemption, type Judgement } from '../control-plane/permissions.ts';
import { openWay } from '../operator/fault-rig.ts';
import type { FaultProxy } from '../runtime/fault-proxy.ts';
import { renderedManager, type Installation } from './install-platform.ts';
import { runManager, type RunningManager } from './run-manager.ts';

/** Other projects whose APIs the operator uses where they are served. */
const projects = {
  'grove.io': 'Grove',
  'leaderworkerset.x-k8s.io': 'LeaderWorkerSet',
  'scheduling.volcano.sh': 'Volcano',
  'scheduling.run.ai': 'KAI scheduler',
  'networking.istio.io': 'Istio',
  'inference.networking.k8s.io': 'inference gateway',
} as const;

/** API group of another project. */
export type ProjectGroup = keyof typeof projects;

const discovery =
  'the Role with which the workers of a graph find each other grants it, and nobody may grant what he does not hold';

/** Rights that the operator holds only in order to grant them. */
const heldToGrant: readonly Exemption[] = [
  { apiGroup: '', resource: 'endpoints', verbs: ['get', 'list', 'watch'], reason: discovery },
  { apiGroup: 'discovery.k8s.io', resource: 'endpointslices', verbs: ['get'], reason: discovery },
  {
    apiGroup: 'nvidia.com',
    resource: 'dynamoworkermetadatas',
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    reason: discovery,
  },
];

/**
 * Starts the manager behind a server of an older version, which streams no lists. Of each kind it loses the first answer to a creation, and meets the
 * first status with a conflict.
 */
export async function runDisturbedManager(
  installation: Installation,
): Promise<{ readonly manager: RunningManager; readonly proxy: FaultProxy }> {
  const { cluster, namespace } = installation;
  const user = await cluster.serviceAccount(namespace, accountOf(installation));
  const { proxy, kubeconfig, close } = await openWay({ connection: cluster.connection, user: () => user });
  onTestFinished(close);
  proxy.inject(({ query }) => query.get('sendInitialEvents') === 'true', { answer: 400, reason: 'BadRequest' }, Infinity);
  const seen = new Set<string>();
  const isFirst = (what: string): boolean => !seen.has(what) && seen.add(what) !== undefined;
  proxy.inject(({ method, path }) => method === 'POST' && isFirst(path.split('/').at(-1) ?? ''), { drop: 'answer' }, Infinity);
  const conflict = { answer: 409, reason: 'Conflict' } as const;
  const isStatus = (path: string): boolean => path.endsWith('/status') && isFirst(`status of ${path.split('/').at(-3)}`);
  proxy.inject(({ method, path }) => method === 'PUT' && isStatus(path), conflict, Infinity);
  return { manager: await runManager(installation, { environment: { KUBECONFIG: kubeconfig } }), proxy };
}

/** Every call of the operator that was refused, in a few words. */
export async function refusedCalls(installation: Installation): Promise<readonly string[]> {
  const refused = (await callsOf(installation)).filter(({ responseStatus }) => responseStatus?.code === 403);
  return refused.map((call) => `${describeCall(call)}: ${call.responseStatus?.message ?? ''}`);
}

/** Compares the operator's rights with all it asked; those on groups that the cluster does not serve are skipped, and said so. */
export async function judgeRights(
  installation: Installation,
  isJudged: (apiGroup: string) => boolean,
): Promise<Omit<Judgement, 'skipped'>> {
  const { cluster, objects, namespace } = installation;
  const calls = await callsOf(installation);
  const { groups } = succeeded(await cluster.client.request<JsonObject>('GET', '/apis'));
  const served = new Set(objectsAt({ groups: groups ?? [] }, 'groups').map((group) => stringAt(group, 'name')));
  const absent = new Map(Object.entries(projects).filter(([group]) => !served.has(group)));
  const permissions = permissionsOf(objects, accountOf(installation), namespace).filter(({ apiGroup }) => isJudged(apiGroup));
  const exemptions = heldToGrant.filter(({ apiGroup }) => isJudged(apiGroup));
  const { skipped, ...judgement } = judgePermissions({ permissions, calls, absent, exemptions });
  for (const line of skipped) process.stderr.write(`skipped: rights for ${line}\n`);
  return judgement;
}

/** Everything the operator asked of the API server; throws where that is nothing, since nothing could then be refused. */
async function callsOf(installation: Installation): Promise<readonly AuditEvent[]> {
  const username = `system:serviceaccount:${installation.namespace}:${accountOf(installation)}`;
  const calls = await installation.cluster.audit.calls({ username });
  if (calls.length === 0) throw new Error(`${username} has not asked the API server anything`);
  return calls;
}

function accountOf(installation: Installation): string {
  return stringAt(renderedManager(installation).pod, 'serviceAccountName');
}

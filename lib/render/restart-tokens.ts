import type { DynamoGraphDeployment, Restart } from '../api/index.ts';
import type { LiveGraph, RestartStatus } from './render-context.ts';
import { restartOrder } from './restart-order.ts';
import { sortedKeys } from '../json/index.ts';

/** The restart token of each service that has one: that of the current restart, else the one on its live objects. */
export function restartTokens(graph: DynamoGraphDeployment, live: LiveGraph | undefined): ReadonlyMap<string, string> {
  const services = sortedKeys(graph.spec?.services ?? {});
  const restart = graph.spec?.restart;
  const status = live?.restart ?? firstStatus(restart, services, graph.status?.restart);
  const tokens = new Map(Object.entries(live?.restartTokens ?? {}));
  const { token, chosen } = selection(restart, status, services);
  if (token !== undefined) for (const service of chosen) tokens.set(service, token);
  return tokens;
}

/** The restart status after the first reconciliation, which observes no components yet. */
function firstStatus(
  restart: Restart | undefined,
  services: readonly string[],
  old: RestartStatus | undefined,
): RestartStatus | undefined {
  const ended = old?.phase === 'Completed' || old?.phase === 'Failed';
  if (!restart?.id) return ended ? old : undefined;
  if (old?.observedID === restart.id && (ended || (old.inProgress ?? []).length > 0)) return old;
  const inProgress = restart.strategy?.type === 'Parallel' ? services : restartOrder(restart, services).slice(0, 1);
  return { observedID: restart.id, phase: 'Restarting', inProgress };
}

interface Selection {
  readonly token?: string;
  readonly chosen: readonly string[];
}

function selection(restart: Restart | undefined, status: RestartStatus | undefined, services: readonly string[]): Selection {
  if (status === undefined) return { chosen: [] };
  if (!restart?.id) return status.observedID ? { token: status.observedID, chosen: services } : { chosen: [] };
  const token = restart.id;
  const completed = status.observedID === token && status.phase === 'Completed';
  if (completed || restart.strategy?.type === 'Parallel') return { token, chosen: services };
  const order = restartOrder(restart, services);
  const inProgress = status.inProgress ?? [];
  if (status.phase === 'Pending' || inProgress.length === 0) return { token, chosen: order.slice(0, 1) };
  const last = Math.max(...inProgress.map((service) => order.indexOf(service)));
  return { token, chosen: order.slice(0, last + 1) };
}

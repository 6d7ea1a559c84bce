import type { ServedApis } from './api/discovery.ts';
import type { Logger } from './logger.ts';

/** Optional components for running graphs that the cluster has, judged by the API groups it serves. */
interface Capabilities {
  readonly grove: boolean;
  readonly lws: boolean;
  readonly volcano: boolean;
  readonly kaiScheduler: boolean;
  readonly inferencePool: boolean;
}

/** The capabilities of a set of API groups; LeaderWorkerSets also need Volcano. */
export function capabilitiesOf(groups: ReadonlySet<string>): Capabilities {
  const volcano = groups.has('scheduling.volcano.sh');
  return {
    grove: groups.has('grove.io'),
    lws: groups.has('leaderworkerset.x-k8s.io') && volcano,
    volcano,
    kaiScheduler: groups.has('scheduling.run.ai'),
    inferencePool: groups.has('inference.networking.k8s.io'),
  };
}

/** Logs which orchestrators are installed; called again when that changes. */
export function logCapabilities({ groups }: ServedApis, log: Logger): void {
  for (const group of ['grove.io', 'leaderworkerset.x-k8s.io', 'scheduling.volcano.sh', 'scheduling.run.ai'])
    log.info(groups.has(group) ? 'API group is available' : 'API group not available', { group });
  const { grove, lws, volcano, kaiScheduler } = capabilitiesOf(groups);
  log.info('Detected orchestrators availability', { grove, lws, volcano, 'kai-scheduler': kaiScheduler });
}

/** Host names and ranks by which the pods of one multinode replica address each other. */
export interface Deployer {
  readonly name: 'grove' | 'lws';
  readonly leaderHost: (service: string) => string;
  /** Expression for the rank of a worker; a shell must evaluate it. */
  readonly workerRank: string;
  /** Host names of the workers, in ascending order of rank. */
  readonly workerHosts: (service: string, nodes: number) => readonly string[];
  /** Whether the leader must wait until the host names of the workers resolve. */
  readonly waitsForDns: boolean;
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const groveHost = (service: string, pod: string): string =>
  `$(GROVE_PCSG_NAME)-$(GROVE_PCSG_INDEX)-${service.toLowerCase()}-${pod}.$(GROVE_HEADLESS_SERVICE)`;

/** The deployers, with the environment variables that Grove and LeaderWorkerSet set in their pods. */
export const deployers = {
  grove: {
    name: 'grove',
    leaderHost: (service) => groveHost(service, 'ldr-0'),
    workerRank: '$((GROVE_PCLQ_POD_INDEX + 1))',
    workerHosts: (service, nodes) => range(0, nodes - 1).map((k) => groveHost(service, `wkr-${k}`)),
    waitsForDns: false,
  },
  lws: {
    name: 'lws',
    leaderHost: () => '$LWS_LEADER_ADDRESS',
    workerRank: '$(LWS_WORKER_INDEX)',
    workerHosts: (_service, nodes) => range(1, nodes).map((k) => `$(echo "$LWS_LEADER_ADDRESS" | sed 's/\\./-${k}\\./')`),
    waitsForDns: true,
  },
} as const satisfies Record<string, Deployer>;

/** The ports of containers and Services. */
export const port = {
  http: 8000,
  system: 9090,
  plannerMetrics: 9085,
  eppGrpc: 9002,
  eppHealth: 9003,
  eppMetrics: 9090,
  mpiSsh: 2222,
} as const;

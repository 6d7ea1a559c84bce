/** Addresses of the cluster that Argo CD runs in. */
const ownServers: ReadonlySet<string> = new Set([
  'https://kubernetes.default.svc',
  'https://kubernetes.default.svc.cluster.local',
  'https://kubernetes.default',
]);

/** Validates the address of an API server; returns an error message, or undefined if the address is valid. */
export function checkServerAddress(address: string): string | undefined {
  const isAddress = /^https:\/\/[^\s/@]+(?:\/\S*)?$/.test(address) && URL.canParse(address);
  return isAddress ? undefined : `must be the https address of an API server, got '${address}'`;
}

/** Normalizes the address of an API server; empty for the cluster that the controller runs in. */
export function normalizeServerAddress(server: string): string {
  if (checkServerAddress(server) !== undefined) return server;
  const { origin, pathname } = new URL(server);
  if (ownServers.has(origin)) return '';
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`;
}

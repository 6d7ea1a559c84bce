/** Addresses by which Argo CD calls the cluster it runs in. */
const ownServers: ReadonlySet<string> = new Set([
  'https://kubernetes.default.svc',
  'https://kubernetes.default.svc.cluster.local',
  'https://kubernetes.default',
]);

/** What is wrong with the address of an API server, or undefined. */
export function checkServerAddress(text: string): string | undefined {
  const isAddress = /^https:\/\/[^\s/@]+(?:\/\S*)?$/.test(text) && URL.canParse(text);
  return isAddress ? undefined : `must be the https address of an API server, got '${text}'`;
}

/** An address of an API server in one spelling, empty for the cluster that the controller runs in. */
export function clusterOf(server: string): string {
  if (checkServerAddress(server) !== undefined) return server;
  const { origin, pathname } = new URL(server);
  if (ownServers.has(origin)) return '';
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`;
}

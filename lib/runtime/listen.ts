import { once } from 'node:events';
import type { Server } from 'node:net';

/** The address that a server listens on. */
export interface ListenAddress {
  /** All interfaces when absent. */
  readonly host?: string;
  readonly port: number;
}

/** Parses an address as Go writes it (`:8080`, `127.0.0.1:8080`, `[::1]:8080`); `0` and the empty string mean off. */
export function parseListenAddress(address: string): ListenAddress | 'off' | { readonly problem: string } {
  if (address === '' || address === '0') return 'off';
  const colon = address.lastIndexOf(':');
  if (colon < 0) return { problem: `listen tcp: address ${address}: missing port in address` };
  const [host, port] = [address.slice(0, colon), address.slice(colon + 1)];
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) return { problem: `listen tcp: address ${address}: invalid port` };
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (bare.includes(':') && bare === host) return { problem: `listen tcp: address ${address}: too many colons in address` };
  return bare === '' ? { port: Number(port) } : { host: bare, port: Number(port) };
}

/** Binds a server and returns its port; rejects when the address is taken. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  const failed = once(server, 'error').then(([error]) => {
    throw error;
  });
  server.listen(host === undefined ? { port } : { host, port });
  await Promise.race([once(server, 'listening'), failed]);
  const bound = server.address();
  return bound !== null && typeof bound === 'object' ? bound.port : port;
}

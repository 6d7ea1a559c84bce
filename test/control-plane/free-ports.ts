/** Finds TCP ports nobody listens on. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Distinct free ports on loopback. Another process may take one before it is used: be ready to try again. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

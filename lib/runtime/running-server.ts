import type { Server, Socket } from 'node:net';
import { listen, type ListenAddress, parseListenAddress } from './listen.ts';

/** A server that listens. */
export interface RunningServer {
  readonly port: number;
  /** Accepts no more connections, waits for running calls, and closes the open connections. */
  readonly close: () => Promise<void>;
}

/** Starts a server at an address of a flag; nothing when the flag turns it off. */
export async function startServer(server: Server, address: string): Promise<RunningServer | undefined> {
  const parsed = parseListenAddress(address);
  if (parsed === 'off') return undefined;
  if ('problem' in parsed) throw new Error(parsed.problem);
  return startServerAt(server, parsed);
}

/** Starts a server at a port; `drained` resolves when no call is running. */
export async function startServerAt(
  server: Server,
  address: ListenAddress,
  drained: () => Promise<void> = async () => {},
): Promise<RunningServer> {
  // Node closes idle connections itself, but treats one that has not sent anything yet as busy.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server, address);
  return {
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await drained();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

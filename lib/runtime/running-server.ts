import type { Server } from 'node:net';
import { listen, type ListenAddress, parseListenAddress } from './listen.ts';

/** A server that listens. */
export interface RunningServer {
  readonly port: number;
  /** Takes no more connections and ends those there are: idle ones at once, busy ones when their call is answered. */
  readonly close: () => Promise<void>;
}

interface Closable {
  closeIdleConnections?: () => void;
}

/** Starts a server at an address of a flag; nothing when the flag turns it off. */
export async function startServer(server: Server & Closable, address: string): Promise<RunningServer | undefined> {
  const parsed = parseListenAddress(address);
  if (parsed === 'off') return undefined;
  if ('problem' in parsed) throw new Error(parsed.problem);
  return startServerAt(server, parsed);
}

/** Starts a server at a port. */
export async function startServerAt(server: Server & Closable, address: ListenAddress): Promise<RunningServer> {
  const port = await listen(server, address);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections?.();
      }),
  };
}

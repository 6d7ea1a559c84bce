import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpEffect } from '../../../lib/runtime/effects/call-worker.ts';

/** A call to a test's server. */
export function call(url: string, more: Partial<HttpEffect> = {}): HttpEffect {
  return { effect: 'http', id: url, method: 'POST', url, body: { lora_name: 'a' }, timeoutSeconds: 10, ...more };
}

/** A worker over real HTTP for the time of a test; returns where it listens and how many connections it has had at once. */
export async function worker(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<{
  readonly url: string;
  readonly port: number;
  readonly mostConnections: () => number;
  readonly connections: () => number;
}> {
  let now = 0;
  let most = 0;
  let all = 0;
  const server = createServer(answer);
  server.on('connection', (socket) => {
    most = Math.max(most, ++now);
    all++;
    socket.on('close', () => now--);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, mostConnections: () => most, connections: () => all };
}

/** A server that speaks no HTTP of its own accord. */
export async function tcpServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  const port = await listen(server, () => sockets.forEach((socket) => socket.destroy()));
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server | TcpServer, onEnd = (): void => {}): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(async () => {
    onEnd();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

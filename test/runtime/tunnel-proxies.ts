/** Two small proxies that tunnel to wherever they are asked, for a user name and a password. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A running proxy. */
export interface TunnelProxy {
  /** With user name and password. */
  readonly url: string;
  /** Hosts and ports it was asked for, each once. */
  readonly targets: string[];
  readonly stop: () => Promise<void>;
}

/** A proxy that understands `CONNECT`; names that only it knows are given with their addresses. */
export async function startHttpProxy(
  user: string,
  password: string,
  names: Readonly<Record<string, string>> = {},
): Promise<TunnelProxy> {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const targets: string[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onOpen = (): void => void socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    join(socket, request.url ?? '', targets, onOpen, names);
  });
  return listen(server, `http://${user}:${password}@`, targets);
}

/** A proxy that speaks SOCKS5. */
export async function startSocksProxy(user: string, password: string): Promise<TunnelProxy> {
  const targets: string[] = [];
  const server = createServer((socket) => {
    serveSocks(socket, `${user}:${password}`, targets).catch(() => socket.destroy());
  });
  return listen(server, `socks5://${user}:${password}@`, targets);
}

async function serveSocks(socket: Socket, expected: string, targets: string[]): Promise<void> {
  const next = async (): Promise<Buffer> => {
    const [data]: Buffer[] = await once(socket, 'data');
    return data ?? Buffer.alloc(0);
  };
  await next();
  socket.write(Buffer.from([5, 2]));
  const login = await next();
  const userLength = login[1] ?? 0;
  const given = `${login.subarray(2, 2 + userLength).toString()}:${login.subarray(3 + userLength).toString()}`;
  socket.write(Buffer.from([1, given === expected ? 0 : 1]));
  if (given !== expected) return;
  const request = await next();
  const length = request[4] ?? 0;
  const host = request.subarray(5, 5 + length).toString();
  const port = request.readUInt16BE(5 + length);
  join(socket, `${host}:${port}`, targets, () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
}

function join(
  socket: Socket,
  target: string,
  targets: string[],
  onOpen: () => void,
  names: Readonly<Record<string, string>> = {},
): void {
  if (!targets.includes(target)) targets.push(target);
  const [host = '', port = ''] = target.split(':');
  const upstream = connect(Number(port), names[host] ?? host, () => {
    onOpen();
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  for (const [one, other] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

async function listen(server: Server, start: string, targets: string[]): Promise<TunnelProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `${start}127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    targets,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

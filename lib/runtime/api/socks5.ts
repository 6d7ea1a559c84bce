/** The SOCKS5 handshake (RFC 1928, RFC 1929): enough to open one connection by name. */
import { connect, type Socket } from 'node:net';
import { ConnectionError } from './errors.ts';

/** Opens a connection to a host through a SOCKS5 proxy, which resolves the name. */
export function openSocks5(proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port) || 1080 });
  return new Promise((resolve, reject) => {
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      socket.removeListener('error', finish);
      if (error === undefined) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ConnectionError('unreachable', `no way through the SOCKS proxy ${proxy.host}`, { cause: error }));
    };
    const timer = setTimeout(() => finish(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    socket.once('error', finish);
    handshake(socket, proxy, host, port).then(() => finish(), finish);
  });
}

async function handshake(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const hasPassword = proxy.username !== '';
  socket.write(hasPassword ? Buffer.from([5, 2, 0, 2]) : Buffer.from([5, 1, 0]));
  const [version, method] = await readBytes(socket, 2);
  if (version !== 5) throw new Error('it does not speak SOCKS5');
  if (method === 2) {
    const user = Buffer.from(decodeURIComponent(proxy.username));
    const password = Buffer.from(decodeURIComponent(proxy.password));
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
    const [, refused] = await readBytes(socket, 2);
    if (refused !== 0) throw new Error('it refused user name and password');
  } else if (method !== 0) throw new Error('it accepts none of our ways to authenticate');
  const name = Buffer.from(host);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]));
  const [, code, , addressType] = await readBytes(socket, 4);
  if (code !== 0) throw new Error(`it answered ${code} to the request for ${host}:${port}`);
  const addressLength = addressType === 1 ? 4 : addressType === 4 ? 16 : ((await readBytes(socket, 1))[0] ?? 0);
  await readBytes(socket, addressLength + 2);
}

async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(count);
    if (bytes instanceof Buffer) return bytes;
    await new Promise<void>((resolve, reject) => {
      const settle = (ended: boolean) => (): void => {
        socket.removeListener('readable', onReadable);
        socket.removeListener('close', onClose);
        if (ended) reject(new Error('it closed the connection'));
        else resolve();
      };
      const onReadable = settle(false);
      const onClose = settle(true);
      socket.once('readable', onReadable);
      socket.once('close', onClose);
    });
  }
}

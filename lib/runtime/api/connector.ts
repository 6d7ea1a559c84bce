/** Opens connections to the API server: directly, or through a proxy that tunnels. */
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { TlsMaterial } from './credentials.ts';
import { ConfigError, ConnectionError } from './errors.ts';
import { openSocks5 } from './socks5.ts';

/** Options of a connector. */
interface ConnectorOptions {
  readonly tls: TlsMaterial;
  readonly serverName: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly proxy: string | undefined;
  readonly timeoutMs: number;
}

/** A function that undici calls for every new connection. */
export function createConnector({
  tls,
  serverName,
  insecureSkipTlsVerify,
  proxy,
  timeoutMs,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    ...tls,
    ...(serverName === undefined ? {} : expectName(serverName)),
    rejectUnauthorized: !insecureSkipTlsVerify,
    timeout: timeoutMs,
    // The kernel then notices a lost peer after about 40 s: Node probes every second, ten times.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  if (proxy === undefined) return connect;
  const openTunnel = tunnelOf(proxy, timeoutMs);
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    openTunnel(options.hostname.replace(/^\[|\]$/g, ''), port).then(
      (socket) =>
        options.protocol === 'https:' ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

// A certificate may be issued to an IP address, but a client may not send one as server name (RFC 6066, section 3).
function expectName(name: string): ConnectionOptions {
  return isIP(name) === 0
    ? { servername: name }
    : { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}

type OpenTunnel = (host: string, port: number) => Promise<Socket>;

function tunnelOf(proxy: string, timeoutMs: number): OpenTunnel {
  if (!URL.canParse(proxy)) throw new ConfigError('the proxy URL cannot be parsed; it looks like http://HOST:PORT');
  const url = new URL(proxy);
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return (host, port) => openHttpTunnel(url, host, port, timeoutMs);
    case 'socks5:':
    case 'socks5h:':
      return (host, port) => openSocks5(url, host, port, timeoutMs);
    default:
      throw new ConfigError(`the proxy URL must start with http, https or socks5, got ${url.protocol}//`);
  }
}

async function openHttpTunnel(proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const client = new Client(proxy.origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs });
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
    });
    if (statusCode === 200 && 'setKeepAlive' in socket) return socket as Socket;
    socket.destroy();
    throw new ConnectionError(
      'unreachable',
      `the proxy ${proxy.host} answered ${statusCode} when asked for a tunnel to ${target}`,
    );
  } finally {
    void client.close();
  }
}

function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

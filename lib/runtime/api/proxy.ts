/**
 * The proxy for a URL, from the proxy variables as Go reads them: https://pkg.go.dev/golang.org/x/net/http/httpproxy. Only for the API server: pods are
 * called directly.
 */
import { BlockList, isIP } from 'node:net';

/** Environment variables by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The proxy for a URL by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; `undefined` for a direct connection. */
export function proxyFromEnvironment(target: URL, env: EnvironmentVariables): string | undefined {
  const [upper, lower] = target.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const proxy = env[upper] || env[lower];
  if (!proxy || !usesProxy(target, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function usesProxy(target: URL, noProxy: string): boolean {
  const host = target.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isLoopback(host)) return false;
  return !noProxy.split(',').some((entry) => excludes(entry.trim().toLowerCase(), host, port));
}

function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(entry, host);
  const { name, entryPort } = splitPort(entry);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return isIP(name) !== 0 && sameAddress(name, host);
  if (name.startsWith('*.') || name.startsWith('.')) return host.endsWith(name.slice(name.indexOf('.')));
  return host === name || host.endsWith(`.${name}`);
}

function splitPort(entry: string): { readonly name: string; readonly entryPort: string | undefined } {
  if (isIP(entry) === 6) return { name: entry, entryPort: undefined };
  const [, bracketed, plain, entryPort] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, entryPort };
}

function inRange(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(network);
  const prefix = Number(bits);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, familyName(family));
  return list.check(host, familyName(family));
}

function sameAddress(a: string, b: string): boolean {
  const family = isIP(a);
  if (isIP(b) !== family) return false;
  const list = new BlockList();
  list.addAddress(a, familyName(family));
  return list.check(b, familyName(family));
}

function isLoopback(host: string): boolean {
  return host.startsWith('127.') ? isIP(host) === 4 : isIP(host) === 6 && sameAddress('::1', host);
}

function familyName(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6';
}

import { describe, expect, test } from 'vitest';
import { proxyFromEnvironment } from '../../../lib/runtime/api/proxy.ts';

const proxy = 'http://proxy:3128';
const chosen = (server: string, noProxy: string): string | undefined =>
  proxyFromEnvironment(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: noProxy });

describe('NO_PROXY', () => {
  test.each([
    ['https://api.example.com:6443', 'example.com', 'the domain covers its hosts'],
    ['https://example.com', 'example.com', 'and itself'],
    ['https://api.example.com', '.example.com', 'a leading dot covers hosts'],
    ['https://api.example.com', '*.example.com', 'as does a star'],
    ['https://API.Example.com', 'example.COM', 'letters of any case'],
    ['https://api.example.com.', 'example.com', 'a name that ends with a dot'],
    ['https://10.96.0.1:443', '10.96.0.0/12', 'a range'],
    ['https://10.96.0.1:443', ' 192.168.0.1 , 10.96.0.1', 'an address among others with blanks'],
    ['https://10.96.0.1:443', '10.96.0.1:443', 'an address and its port'],
    ['https://[fd00::1]:6443', 'fd00::/8', 'a range of version 6'],
    ['https://[fd00::1]:6443', '[fd00:0::1]:6443', 'an address of version 6 written otherwise'],
    ['https://[fd00::1]:6443', 'fd00::1', 'without brackets'],
    ['https://anything', '*', 'a star alone'],
    ['https://localhost:6443', '', 'this machine by name'],
    ['https://127.1.2.3:6443', '', 'this machine by address'],
    ['https://[::1]:6443', '', 'this machine by address of version 6'],
  ])('goes straight to %s with NO_PROXY=%s: %s', (server, noProxy) => {
    expect(chosen(server, noProxy)).toBeUndefined();
  });

  test.each([
    ['https://example.com', '.example.com', 'a leading dot does not cover the domain itself'],
    ['https://badexample.com', 'example.com', 'another domain with the same end'],
    ['https://example.com:6443', 'example.com:443', 'another port'],
    ['https://10.96.0.1', '10.112.0.0/12', 'another range'],
    ['https://10.96.0.1', '96.0.1', 'the end of an address is no domain'],
    ['https://10.96.0.1', '10.96.0.0/33', 'a range that is none'],
    ['https://10.96.0.1', 'fd00::/8', 'a range of the other version'],
    ['https://127.evil.com', '', 'a name that begins as an address'],
    ['https://api.example.com', '', 'nothing excluded'],
    ['https://api.example.com', ',,', 'empty entries'],
  ])('takes the proxy to %s with NO_PROXY=%s: %s', (server, noProxy) => {
    expect(chosen(server, noProxy)).toBe(proxy);
  });
});

test('takes the variable of the scheme, upper case first, and adds a scheme where it has none', () => {
  const https = new URL('https://api.example.com');
  expect(proxyFromEnvironment(https, { HTTP_PROXY: proxy })).toBeUndefined();
  expect(proxyFromEnvironment(https, { https_proxy: 'lower:1', HTTPS_PROXY: 'upper:1' })).toBe('http://upper:1');
  expect(proxyFromEnvironment(https, { https_proxy: 'socks5://lower:1' })).toBe('socks5://lower:1');
  expect(proxyFromEnvironment(new URL('http://api.example.com'), { http_proxy: proxy })).toBe(proxy);
  expect(proxyFromEnvironment(https, { HTTPS_PROXY: proxy, no_proxy: 'example.com' })).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { printConfig } from '../../../lib/platform/nats/config-text.ts';
import { templateString } from '../../../lib/platform/go-values.ts';
import { nats } from '../../../lib/platform/nats/index.ts';
import { dig, objectOf, podOf, renderPart } from '../render-part.ts';

function configOf(block: JsonObject, profile: 'parity' | 'secure' = 'parity'): string {
  return templateString(dig(objectOf(renderPart(nats, block, { profile }), 'ConfigMap'), 'data', 'nats.conf'));
}

/** The configuration without the lines every configuration has. */
function extra(block: JsonObject): string {
  return configOf({
    config: { jetstream: { enabled: false }, monitor: { enabled: false }, merge: { max_payload: 1 }, ...(block as object) },
  })
    .split('\n')
    .filter((line) => !/lame_duck|pid_file|"port": 4222|server_name|max_payload/.test(line))
    .map((line) => line.trim().replace(/,$/, ''))
    .slice(1, -2)
    .join(' ');
}

describe('the text of nats.conf', () => {
  test('prints bare what stands between << and >>, and includes where a key says so', () => {
    const text = printConfig({ b: '<< $TOKEN >>', a$include: './a.conf', c: ['<< 1GB >>', 'plain'], d: 'a << b >>' });
    expect(text).toBe('{\n  include ./a.conf;\n  "b": $TOKEN,\n  "c": [\n    1GB,\n    "plain"\n  ],\n  "d": "a << b >>"\n}\n');
  });

  test('keeps every digit of large integers, and escapes as Go does', () => {
    expect(printConfig({ big: 9223372036854775807n, html: '<a & b>', line: 'a\u2028b', list: [], map: {} })).toBe(
      '{\n  "big": 9223372036854775807,\n  "html": "<a & b>",\n  "line": "a\\u2028b",\n  "list": [],\n  "map": {}\n}\n',
    );
  });
});

describe('blocks of the configuration', () => {
  test.each<[string, JsonObject, string]>([
    ['monitoring', { monitor: { enabled: true, port: 8333 } }, '"http_port": 8333'],
    ['monitoring with TLS', { monitor: { enabled: true, tls: { enabled: true } } }, '"https_port": 8222'],
    ['profiling', { profiling: { enabled: true } }, '"prof_port": 65432'],
    ['leaf nodes', { leafnodes: { enabled: true } }, '"leafnodes": { "no_advertise": true "port": 7422 }'],
    ['mqtt', { mqtt: { enabled: true, port: '1884' } }, '"mqtt": { "port": 1884 }'],
    ['websocket', { websocket: { enabled: true } }, '"websocket": { "no_tls": true "port": 8080 }'],
    [
      'websocket with TLS',
      { websocket: { enabled: true, tls: { enabled: true, secretName: 'ws', dir: '/certs/' } } },
      '"websocket": { "port": 8080 "tls": { "cert_file": "/certs/tls.crt" "key_file": "/certs/tls.key" } }',
    ],
    ['TLS without a Secret', { nats: { tls: { enabled: true } } }, '"tls": {}'],
    ['a gateway', { gateway: { enabled: true } }, '"gateway": { "name": "r-nats" "port": 7222 }'],
    [
      'a resolver',
      { resolver: { enabled: true, merge: { type: 'full' } } },
      '"resolver": { "dir": "/data/resolver" "type": "full" }',
    ],
    [
      'files without a size',
      { jetstream: { enabled: true, fileStore: { pvc: { enabled: false } } } },
      '"jetstream": { "max_memory_store": 0 "store_dir": "/data" }',
    ],
    [
      'memory only',
      { jetstream: { enabled: true, fileStore: { enabled: false }, memoryStore: { enabled: true } } },
      '"jetstream": { "max_file_store": 0 "max_memory_store": 1Gi }',
    ],
    [
      'memory without a limit',
      { jetstream: { enabled: true, fileStore: { enabled: false }, memoryStore: { enabled: true, maxSize: null } } },
      '"jetstream": { "max_file_store": 0 }',
    ],
    [
      'no word on memory',
      { jetstream: { enabled: true, fileStore: { enabled: false }, memoryStore: null } },
      '"jetstream": { "max_file_store": 0 }',
    ],
  ])('%s', (_name, config, text) => {
    expect(extra(config)).toBe(text);
  });

  test('routes carry credentials, scheme and whole names where the values ask for them', () => {
    const cluster = {
      enabled: true,
      replicas: 1,
      tls: { enabled: true },
      routeURLs: { user: 'a b', password: 'p@:(/', useFQDN: true, k8sClusterDomain: 'corp.local' },
    };
    expect(extra({ cluster })).toBe(
      '"cluster": { "authorization": { "password": "p@:(/" "user": "a b" } "name": "r-nats" "no_advertise": true "port": 6222 ' +
        '"routes": [ "tls://a+b:p%40%3A%28%2F@r-nats-0.r-nats-headless.ns.svc.corp.local:6222" ] "tls": {} }',
    );
  });

  test('a patch comes after merge, and its failure names the operation', () => {
    const config = { merge: { debug: true }, patch: [{ op: 'replace', path: '/debug', value: false }] };
    expect(configOf({ config })).toContain('"debug": false');
    const { issues } = renderPart(nats, { config: { patch: [{ op: 'remove', path: '/none' }] } });
    expect(issues).toEqual([
      expect.objectContaining({ path: ['nats', 'config', 'patch', 0], message: 'nothing is at /none to remove' }),
    ]);
  });

  test('a null in merge is printed with a warning, and taken out in the secure profile', () => {
    const block = { config: { merge: { max_payload: null } } };
    expect(configOf(block)).toContain('"max_payload": null');
    expect(renderPart(nats, block).warnings).toMatchObject([{ path: ['nats', 'config', 'merge', 'max_payload'] }]);
    expect(configOf(block, 'secure')).not.toContain('max_payload');
  });

  test('a size given as a number keeps its digits in the secure profile', () => {
    const block = { config: { jetstream: { fileStore: { maxSize: 10737418240 } } } };
    expect(configOf(block, 'secure')).toContain('"max_file_store": 10737418240');
    expect(configOf(block)).toContain('"max_file_store": 1.073741824e+10');
  });
});

test('the reloader watches certificates and included files, each as often as it is named', () => {
  const rendered = renderPart(nats, {
    config: {
      nats: { tls: { enabled: true, secretName: 'a' } },
      leafnodes: { enabled: true, tls: { enabled: true, secretName: 'b', dir: '/etc/nats-certs/nats' } },
      merge: { $include: '/abs.conf', nested: { z$include: '../up/./x.conf' } },
    },
  });
  const args = dig(podOf(objectOf(rendered, 'StatefulSet')), 'containers', 'reloader', 'args') as readonly string[];
  expect(args.slice(4).filter((arg) => arg !== '-config')).toEqual([
    '/etc/nats-config/abs.conf',
    '/etc/nats-certs/nats/tls.crt',
    '/etc/nats-certs/nats/tls.key',
    '/etc/up/x.conf',
    '/etc/nats-certs/nats/tls.crt',
    '/etc/nats-certs/nats/tls.key',
  ]);
});

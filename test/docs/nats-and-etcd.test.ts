import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { inventory } from '../platform/render-part.ts';

const page = readFileSync(new URL('../../docs/nats-and-etcd.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text) as JsonObject);
const [values = {}, certificate = {}, graph = {}] = blocks;

test('the values of the page render, with addresses that say TLS and Secrets that exist already', () => {
  const rendered = renderPlatform(values, { profile: 'secure' });
  expect(rendered.issues).toEqual([]);
  const text = JSON.stringify(rendered.objects);
  expect(text).toContain('--natsAddr=tls://dynamo-platform-nats.dynamo-system.svc.cluster.local:4222');
  for (const secret of ['nats-auth', 'nats-tls', 'etcd-root', 'etcd-tls']) expect(text).toContain(`"${secret}"`);
  expect(inventory(rendered).filter((name) => /^Secret .*(nats|etcd)/.test(name))).toEqual([]);
});

test('the certificate of the page is valid for the names that are used', () => {
  const rendered = renderPlatform(
    { nats: { ...(values['nats'] as JsonObject), config: { cluster: { enabled: true } } } },
    { profile: 'secure' },
  );
  const names = (certificate['spec'] as { readonly dnsNames: readonly string[] }).dnsNames;
  const hosts = [...JSON.stringify(rendered.objects).matchAll(/tls:\/\/([a-z0-9.-]+):/g)].map(([, host = '']) => host);
  expect(hosts).toHaveLength(4);
  for (const host of hosts) expect(names.some((name) => name === host || name === host.replace(/^[^.]+/, '*'))).toBe(true);
});

test('the graph of the page names variables and a mount for its authority', () => {
  expect(JSON.stringify(graph)).toMatch(/"SSL_CERT_FILE","value":"\/etc\/platform-ca\/ca.crt".*"mountPath":"\/etc\/platform-ca"/);
});

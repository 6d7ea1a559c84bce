import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { nats } from '../../lib/platform/nats/index.ts';
import { effectiveBlock } from '../../lib/platform/values.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { contextOf, recordings } from '../platform/recorded.ts';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'nats-config-'));
afterAll(() => rmSync(root, { recursive: true }));

let server = '';

/** Writes a certificate and its key where the configuration expects them, below the test's folder. */
async function writeFiles(): Promise<void> {
  const [crt, key] = [join(root, 'tls.crt'), join(root, 'tls.key')];
  const subject = ['-subj', '/CN=nats', '-days', '30', '-nodes', '-newkey', 'rsa:2048'];
  await run('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', crt]);
  const protocols = ['nats', 'leafnodes', 'websocket', 'mqtt', 'cluster', 'gateway'];
  for (const folder of protocols.map((name) => `nats-certs/${name}`)) {
    write(`/etc/${folder}/tls.crt`, readFileSync(crt, 'utf8'));
    write(`/etc/${folder}/tls.key`, readFileSync(key, 'utf8'));
  }
  write('/etc/nats-ca-cert/ca.crt', readFileSync(crt, 'utf8'));
  write(
    '/etc/nats-auth/auth.conf',
    'authorization { user: "graphs", password: "$2a$11$0123456789012345678901uLkAYdUvFMzC5e7jN.CkfkJ1b6w1bS2" }\n',
  );
  for (const name of ['first.conf', 'last.conf']) write(`/etc/nats-config/${name}`, 'debug: false\n');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The nats.conf that a set of values gives, with its paths moved below the test's folder. */
function configOf(values: JsonObject, profile: 'parity' | 'secure'): string {
  const rendered = nats.render(effectiveBlock(nats, values).values, contextOf('dynamo-platform', 'dynamo-system', profile));
  expect(rendered.issues).toEqual([]);
  const text = rendered.objects.find((object) => object.kind === 'ConfigMap')?.['data'] as { readonly 'nats.conf': string };
  return text['nats.conf'].replaceAll('"/etc/', `"${root}/etc/`).replaceAll('"/data', `"${root}/data`);
}

async function verdict(config: string): Promise<string> {
  write('/etc/nats-config/nats.conf', config);
  const file = join(root, '/etc/nats-config/nats.conf');
  const env = { SERVER_NAME: 'nats-0', TOKEN: 'secret' };
  const { stderr } = await run(server, ['-t', '-c', file], { env }).catch((error: { stderr: string }) => error);
  return stderr.trim().split('\n').at(-1) ?? '';
}

const tls = (name: string) => ({ enabled: true, tls: { enabled: true, secretName: name } });

/** Values whose configuration the real server must accept, beside the recorded ones. */
const cases: Readonly<Record<string, JsonObject>> = {
  defaults: {},
  'every protocol with TLS': {
    tlsCA: { enabled: true, configMapName: 'ca' },
    config: {
      nats: { tls: { enabled: true, secretName: 'nats', merge: { verify: true } } },
      leafnodes: tls('leaf'),
      websocket: tls('ws'),
      mqtt: tls('mqtt'),
      cluster: { ...tls('cluster'), replicas: 3, routeURLs: { useFQDN: true } },
      gateway: tls('gateway'),
      monitor: { tls: { enabled: true } },
      profiling: { enabled: true },
      serverNamePrefix: 'east-',
    },
  },
  'a resolver': {
    config: {
      resolver: { enabled: true, merge: { type: 'full', interval: '2m', timeout: '1.9s' } },
    },
  },
  'JetStream in memory': {
    config: {
      jetstream: { fileStore: { enabled: false }, memoryStore: { enabled: true, maxSize: '512Mi' }, merge: { domain: 'hub' } },
    },
  },
  'security from Secrets': {
    config: { cluster: { enabled: true } },
    security: {
      auth: { enabled: true, secretName: 'nats-auth' },
      tls: { enabled: true, secretName: 'nats-tls', verifyClients: true },
    },
  },
};

const usable = missingTools(['nats-server']).length === 0 && spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!usable)('the real NATS server', () => {
  beforeAll(async () => {
    server = await findTool('nats-server');
    await writeFiles();
  });

  for (const [name, values] of Object.entries(cases)) {
    for (const profile of ['parity', 'secure'] as const) {
      test(`reads the configuration of ${name} (${profile})`, async () => {
        expect(await verdict(configOf({ nats: values }, profile))).toMatch(/configuration file .* is valid/);
      });
    }
  }

  test('reads credentials of routes with any characters in them', async () => {
    const cluster = { enabled: true, routeURLs: { user: 'a b', password: 'p@ss:w/r"d' } };
    expect(await verdict(configOf({ nats: { config: { cluster } } }, 'parity'))).toMatch(/is valid/);
  });

  test('reads text with quotes, commands, templates and line ends in it as text', async () => {
    const texts = [
      'a"b',
      "a'b",
      'a\\b',
      'a\nadmin: true',
      'a\tb\r',
      '$(id)',
      '`id`',
      '{{ x }}',
      '<<x>>',
      '<< x',
      '} x',
      '# x',
      '$TOKEN',
    ];
    for (const text of texts) {
      const merge = { server_tags: [text] };
      expect(await verdict(configOf({ nats: { config: { merge } } }, 'parity')), JSON.stringify(text)).toMatch(/is valid/);
    }
  });

  test('starts without a setting that a null takes out, which the original prints', async () => {
    const values = { nats: { config: { merge: { max_payload: null } } } };
    expect(await verdict(configOf(values, 'secure'))).toMatch(/is valid/);
    expect(await verdict(configOf(values, 'parity'))).toMatch(/interface conversion/);
  });

  test('reads the configuration of every recorded case', async () => {
    const accepted: string[] = [];
    const answers: Record<string, string> = {};
    const rendered = recordings().filter(
      ({ ok, values }) => ok && (values['nats'] as JsonObject | undefined)?.['enabled'] !== false,
    );
    for (const { id, values } of rendered) {
      const answer = await verdict(configOf(values, 'parity'));
      if (/is valid/.test(answer)) accepted.push(id);
      else answers[id] = answer;
    }
    // a null is no number for NATS either: the original prints it all the same
    expect(Object.keys(answers)).toEqual(['p105-nulls']);
    expect(accepted.length).toBeGreaterThan(40);
  });

  test('rejects a configuration that is not one', async () => {
    expect(await verdict('{ "port": }')).not.toMatch(/is valid/);
  });
});

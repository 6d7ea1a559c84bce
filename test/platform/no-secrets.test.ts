import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import * as platformPresets from '../../lib/platform/values-presets.ts';
import { recordings } from './recorded.ts';

/** Every place where the original takes a credential, with something to grep for. */
const credentials: readonly (readonly [string, JsonObject])[] = [
  [
    'registry password',
    {
      'dynamo-operator': {
        dynamo: { dockerRegistry: { useKubernetesSecret: true, server: 's', username: 'u', password: 'hunter2hunter2' } },
      },
    },
  ],
  ['etcd root password', { etcd: { auth: { rbac: { create: true, rootPassword: 'hunter2hunter2' } } } }],
  [
    'NATS route password',
    { nats: { config: { cluster: { enabled: true, routeURLs: { user: 'u', password: 'hunter2hunter2' } } } } },
  ],
  ['NATS authorization', { nats: { config: { merge: { authorization: { token: 'hunter2hunter2' } } } } }],
  ['NATS accounts', { nats: { config: { merge: { accounts: { A: { users: [{ user: 'a', password: 'hunter2hunter2' }] } } } } } }],
  [
    'nats-box credentials',
    { nats: { natsBox: { enabled: true, contexts: { default: { creds: { contents: 'hunter2hunter2' } } } } } },
  ],
  ['nats-box seed', { nats: { natsBox: { enabled: true, contexts: { default: { nkey: { contents: 'hunter2hunter2' } } } } } }],
];

const encoded = [
  /hunter2hunter2/,
  new RegExp(Buffer.from('hunter2hunter2').toString('base64').slice(0, 12)),
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];

describe('the profile secure', () => {
  test.each(credentials)('renders nothing with a %s, and says where it belongs instead without repeating it', (_what, values) => {
    const { objects, byPart, issues, warnings, notes } = renderPlatform(values, { profile: 'secure' });
    expect([objects, [...byPart]]).toEqual([[], []]);
    expect(issues.map(({ code }) => code)).toEqual([expect.stringMatching(/^(?:secret_in_values|credentials_in_values)$/)]);
    expect(issues[0]?.message).toContain('Git');
    for (const pattern of encoded) expect(JSON.stringify([issues, warnings, notes])).not.toMatch(pattern);
  });

  test('has no Secret with anything but the environment of the operator', () => {
    const all = [
      platformPresets.dev(),
      platformPresets.production({ etcd: true }),
      platformPresets.sharedTest(),
      platformPresets.tenantHub(),
      {},
    ];
    for (const values of all)
      for (const secret of renderPlatform(values, { profile: 'secure' }).objects.filter((o) => o.kind === 'Secret')) {
        const held = [secret['data'], secret['stringData']].flatMap((data) =>
          Object.entries((data ?? {}) as Readonly<Record<string, string>>),
        );
        const told = held.filter(([key, value]) => key !== 'INTERNAL_IMAGES_DEBUGGER' && value !== '');
        expect(told).toEqual([]);
      }
  });

  test('has no hook, no Job of a hook, no floating image in any recorded case it accepts', () => {
    for (const { values, release, namespace } of recordings()) {
      const { objects } = renderPlatform(mergeLayers([values]), { profile: 'secure', release, namespace });
      const text = JSON.stringify(objects);
      expect(text).not.toContain('helm.sh/hook');
      expect(text).not.toMatch(/"image":"[^"]*:latest"/);
      expect(text).not.toMatch(/"image":"[^":@]+"/);
    }
  });
});

describe('the profile parity', () => {
  test.each(credentials)('prints the %s where Helm does, with a warning', (_what, values) => {
    const { objects, warnings, issues } = renderPlatform(values, { profile: 'parity' });
    expect(issues).toEqual([]);
    const decoded = JSON.stringify(objects).replaceAll(/"([A-Za-z0-9+/]{16,}={0,2})"/g, (_m, base64: string) =>
      Buffer.from(base64, 'base64').toString(),
    );
    expect(decoded).toContain('hunter2hunter2');
    expect(warnings.map((w) => w.code)).not.toEqual([]);
  });

  test('leaves random data empty under the same key and warns', () => {
    const { objects, warnings } = renderPlatform({ etcd: { auth: { rbac: { create: true } } } }, { profile: 'parity' });
    const secrets = objects.filter((o) => o.kind === 'Secret' && o.metadata.name.includes('etcd'));
    const data = Object.assign({}, ...secrets.map((s) => s['data'])) as Readonly<Record<string, string>>;
    expect(data).toEqual({ 'jwt-token.pem': '', 'etcd-root-password': '' });
    expect(warnings.filter((w) => w.path[0] === 'etcd').length).toBeGreaterThanOrEqual(2);
  });
});

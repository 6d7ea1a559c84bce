import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { switches, type SwitchName } from '../../lib/platform/switches.ts';
import { profilesPage } from '../../scripts/generate/profiles-page.ts';
import { platformValidatorFiles } from '../../scripts/generate/platform-validator.ts';

const names = Object.keys(switches) as readonly SwitchName[];
const everything = (on: boolean): Record<SwitchName, boolean> =>
  Object.fromEntries(names.map((n) => [n, on])) as Record<SwitchName, boolean>;
const apiVersions = ['monitoring.coreos.com/v1', 'scheduling.run.ai/v2'];

/** Values under which every switch has something to change. */
const rich: JsonObject = {
  'dynamo-operator': { controllerManager: { replicas: 2 }, webhook: { certManager: { enabled: true } } },
  nats: {
    config: { cluster: { enabled: true } },
    promExporter: { enabled: true, podMonitor: { enabled: true } },
    natsBox: { enabled: true },
  },
  etcd: { replicaCount: 3, defrag: { enabled: true } },
  grove: { enabled: true, replicaCount: 2 },
  'kai-scheduler': { enabled: true, operator: { replicaCount: 2 } },
  global: { imageRegistry: 'mirror.example.com', security: { allowInsecureImages: true } },
  platform: { monitoring: { labels: { team: 'ml' } } },
};

describe('profiles', () => {
  test('differ by their switches and by nothing else', () => {
    const options = { apiVersions };
    expect(renderPlatform(rich, { ...options, profile: 'secure', switches: everything(false) }).objects).toEqual(
      renderPlatform(rich, { ...options, profile: 'parity' }).objects,
    );
    expect(renderPlatform(rich, { ...options, profile: 'parity', switches: everything(true) }).objects).toEqual(
      renderPlatform(rich, { ...options, profile: 'secure' }).objects,
    );
  });

  /** Switches that judge values or choose by values that `rich` does not hold; each is tested with the rule it belongs to. */
  const silent: readonly SwitchName[] = [
    'sound-values',
    'no-secrets',
    'registry-by-reference',
    'security-blocks',
    'target-namespace',
    'derived-addresses',
    'gaie-repairs',
    'nats-nulls',
  ];

  const base = {
    secure: JSON.stringify(renderPlatform(rich, { apiVersions, profile: 'secure' }).objects),
    parity: JSON.stringify(renderPlatform(rich, { apiVersions, profile: 'parity' }).objects),
  };

  test.each(names.filter((name) => !silent.includes(name)))('%s changes something when it alone is turned off or on', (name) => {
    const flipped = (profile: 'secure' | 'parity') =>
      JSON.stringify(renderPlatform(rich, { apiVersions, profile, switches: { [name]: profile === 'parity' } }).objects);
    expect(flipped('secure') !== base.secure || flipped('parity') !== base.parity).toBe(true);
  });

  test.each(names)('%s alone leaves everything renderable', (name) => {
    for (const profile of ['secure', 'parity'] as const)
      expect(renderPlatform({}, { release: 'r', profile, switches: { [name]: profile === 'parity' } }).issues).toEqual([]);
  });

  test('are chosen by the values, and the options win over them', () => {
    const managers = (values: JsonObject, options = {}) => renderPlatform(values, options).context.managedBy;
    expect(managers({})).toBe('dynamo-cdk8s');
    expect(managers({ platform: { profile: 'parity' } })).toBe('Helm');
    expect(managers({ platform: { profile: 'parity', switches: { 'managed-by': true } } })).toBe('dynamo-cdk8s');
    expect(managers({ platform: { switches: { 'managed-by': true } } }, { switches: { 'managed-by': false } })).toBe('Helm');
    expect(managers({ platform: { profile: 'secure' } }, { profile: 'parity' })).toBe('Helm');
  });
});

describe('generated files', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

  test('docs/profiles.md is in step with the table', async () => {
    expect(read('docs/profiles.md')).toBe(await profilesPage());
  });

  test('the validator of the values is in step with the schemas', async () => {
    const files = await platformValidatorFiles();
    for (const [name, text] of Object.entries(files))
      expect(read(`lib/platform/generated/${name}`) === text, `${name}: run npm run generate`).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { isList, isObject, objectAt, type Json, type JsonObject, type Path } from '../../lib/json/index.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import type { ValuesSchema } from '../../lib/platform/part.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { valuesSchema } from '../../lib/platform/values-schema.ts';

/** Values of each part with which all of its scripts and most of nats.conf are rendered. */
const everything: Readonly<Record<string, JsonObject>> = {
  'dynamo-operator': {
    'dynamo-operator': { dynamo: { mpiRun: { sshKeygen: { enabled: true } } } },
    platform: { certificates: { mode: 'jobs' } },
    nats: { enabled: false },
  },
  nats: {
    'dynamo-operator': { enabled: false },
    nats: {
      config: {
        cluster: { enabled: true, replicas: 3, routeURLs: { useFQDN: true, user: 'u' } },
        leafnodes: { enabled: true },
        websocket: { enabled: true },
        mqtt: { enabled: true },
        gateway: { enabled: true },
        monitor: { enabled: true },
        profiling: { enabled: true },
        resolver: { enabled: true },
        jetstream: { enabled: true, memoryStore: { enabled: true, maxSize: '1Gi' } },
        nats: { tls: { enabled: true, secretName: 'tls' } },
      },
      natsBox: { enabled: true },
      promExporter: { enabled: true },
    },
  },
  etcd: {
    'dynamo-operator': { enabled: false },
    nats: { enabled: false },
    global: { security: { allowInsecureImages: true } },
    etcd: {
      enabled: true,
      volumePermissions: { enabled: true },
      defrag: { enabled: true },
      disasterRecovery: { enabled: true },
      preUpgradeJob: { enabled: true },
    },
  },
};

const most = ['a"; EVIL; "\'; EVIL; \'$(EVIL)`EVIL`', '<< 1, EVIL: true >>'];
const single = [
  'a"; EVIL; "',
  "a'; EVIL; '",
  '$(EVIL)',
  '`EVIL`',
  'a\nEVIL',
  'a\u2028EVIL',
  'a\u001bEVIL',
  '{{ EVIL }}',
  '1 } EVIL',
];
const hostile = process.env['LONG'] === undefined ? most : [...most, ...single];

/** The paths of all values that are one word or number. */
function scalars(schema: ValuesSchema, path: Path = []): readonly Path[] {
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([key, child]) => scalars(child, [...path, key]));
  return [schema.type].flat().some((type) => type === 'string' || type === 'integer' || type === 'number') ? [path] : [];
}

function nest(path: Path, value: Json): JsonObject {
  return path.reduceRight<Json>((inner, key) => ({ [String(key)]: inner }), value) as JsonObject;
}

/** The scripts of an object: what a shell is given to run. */
function scripts(value: Json | undefined): readonly string[] {
  if (isList(value)) {
    const strings = value.filter((item) => typeof item === 'string');
    const shell = strings.findIndex((item) => /^(?:\/bin\/)?(?:ba)?sh$/.test(item));
    return shell < 0 ? value.flatMap((item: Json) => scripts(item)) : strings.slice(shell + 1);
  }
  return isObject(value) ? Object.values(value).flatMap((member) => scripts(member)) : [];
}

/** What nats-server reads: JSON, but for variables and sizes, which stand alone. */
function parseConfig(text: string): unknown {
  const bare = /(?<=": )(?!\d+,?$|true,?$|false,?$|null,?$)\$?[A-Za-z0-9_][A-Za-z0-9_.+-]*(?=,?$)/gm;
  return JSON.parse(text.replaceAll(bare, '"$&"'));
}

function configs(objects: readonly Json[]): readonly string[] {
  return objects.flatMap((object) => {
    const text = objectAt(objectAt(object)['data'])['nats.conf'];
    return typeof text === 'string' ? [text] : [];
  });
}

/** How a hostile value at a path came through; undefined where it is refused or harmless. */
function harm(path: Path, text: string, base: JsonObject): string | undefined {
  const { issues, objects } = renderPlatform(mergeLayers([base, nest(path, text)]), { profile: 'parity' });
  if (issues.length > 0) {
    const isNamed = issues.some((issue) => issue.path.join('.') === path.join('.'));
    return isNamed ? undefined : `refused for ${issues.map((issue) => issue.path.join('.')).join(', ')}`;
  }
  const rendered = objects as unknown as readonly Json[];
  if (scripts(rendered).some((script) => script.includes('EVIL'))) return 'in a script';
  try {
    configs(rendered).forEach(parseConfig);
    return undefined;
  } catch (error) {
    return `in nats.conf: ${String(error)}`;
  }
}

test.each(Object.entries(everything))('no value of %s becomes a command or a setting', { timeout: 300_000 }, (part, base) => {
  const { issues, objects } = renderPlatform(base, { profile: 'parity' });
  expect(issues).toEqual([]);
  const rendered = objects as unknown as readonly Json[];
  expect(scripts(rendered).length).toBeGreaterThan(0);
  expect(configs(rendered)).toHaveLength(part === 'nats' ? 1 : 0);
  const harmful = scalars(valuesSchema())
    .filter(([block]) => block === part)
    .flatMap((path) =>
      hostile.flatMap((text) => {
        const found = harm(path, text, base);
        return found === undefined ? [] : [`${path.join('.')} ${JSON.stringify(text)}: ${found}`];
      }),
    );
  expect(harmful).toEqual([]);
});

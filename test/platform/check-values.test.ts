import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';
import { checkValues } from '../../lib/platform/check-values.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { editorSchema } from '../../lib/platform/values-schema.ts';

const lines = (issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]) =>
  issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);

describe('values of the wrong type', () => {
  test('are named with what is allowed and how to mend it', () => {
    const { scalars, structure } = checkValues({
      'dynamo-operator': {
        webhook: { enabled: 'true', failurePolicy: 'Maybe', timeoutSeconds: 0 },
        controllerManager: { replicas: [2], tolerations: {} },
        imagePullSecrets: '[]',
      },
      nats: { config: 'x' },
    });
    expect(lines(scalars)).toMatchInlineSnapshot(`
      [
        "dynamo-operator.webhook.enabled: must be true or false, got "true"; remove the quotes",
        "dynamo-operator.webhook.failurePolicy: must be one of Fail, Ignore, got "Maybe"",
        "dynamo-operator.webhook.timeoutSeconds: must be at least 1, got 0",
      ]
    `);
    expect(lines(structure)).toMatchInlineSnapshot(`
      [
        "dynamo-operator.imagePullSecrets: must be a list, got "[]"; on the command line use --set-json for an empty list",
        "dynamo-operator.controllerManager.replicas: must be a whole number or a string, got [2]",
        "dynamo-operator.controllerManager.tolerations: must be a list, got {}",
        "nats.config: must be a map, got "x"",
      ]
    `);
  });

  test('are errors in the profile secure and warnings where the original would render them', () => {
    const values = { 'dynamo-operator': { dynamo: { istio: { enabled: 'yes', gateway: 'g' } } } };
    expect(renderPlatform(values, { profile: 'secure' }).issues).toHaveLength(1);
    const parity = renderPlatform(values, { profile: 'parity' });
    expect(parity.issues).toEqual([]);
    expect(parity.warnings.map((w) => w.code)).toContain('wrong_type');
    expect(JSON.stringify(parity.objects)).toContain('--istio-virtual-service-gateway=g');
  });

  test('a big number is shown, not thrown on', () => {
    expect(checkValues({ nats: { enabled: 12345678901234567890n } }).scalars).toHaveLength(1);
  });
});

describe('keys that do nothing', () => {
  test('are warned about with the nearest known name or the place they belong to', () => {
    const { warnings } = checkValues({
      natz: {},
      nats: { enbled: true, config: { clutser: {} } },
      webhook: { enabled: false },
      etcd: { zzzzzz: 1 },
    });
    expect(lines(warnings)).toMatchInlineSnapshot(`
      [
        "natz: is not a known value and has no effect; did you mean nats?",
        "nats.enbled: is not a known value and has no effect; did you mean enabled?",
        "nats.config.clutser: is not a known value and has no effect; did you mean cluster?",
        "webhook: is not a known value and has no effect; did you mean dynamo-operator.webhook?",
        "etcd.zzzzzz: is not a known value and has no effect",
      ]
    `);
  });

  test('that only the documentation of the original knows are told what to use instead', () => {
    const { warnings } = checkValues({
      'dynamo-operator': { webhook: { certManager: { issuerRef: { name: 'ca' } } }, namespaceRestriction: { namespace: 'x' } },
    });
    expect(lines(warnings)).toEqual([
      'dynamo-operator.webhook.certManager.issuerRef: has no effect; use platform.certificates.issuerRef',
      'dynamo-operator.namespaceRestriction.namespace: has no effect; use namespaceRestriction.targetNamespace',
    ]);
  });

  test('of later charts are told with their release', () => {
    const later: readonly (readonly [JsonObject, string])[] = [
      [{ 'dynamo-operator': { upgradeCRD: true } }, 'dynamo-operator.upgradeCRD'],
      [{ 'dynamo-operator': { checkpoint: { enabled: true, storage: { type: 'pvc' } } } }, 'dynamo-operator.checkpoint'],
      [{ 'dynamo-operator': { gpuDiscovery: { enabled: true } } }, 'dynamo-operator.gpuDiscovery'],
      [{ global: { grove: { install: true } } }, 'global.grove'],
      [{ global: { 'kai-scheduler': { enabled: true } } }, 'global.kai-scheduler'],
      [{ global: { etcd: { install: true } } }, 'global.etcd'],
    ];
    for (const [values, path] of later) {
      const { warnings } = checkValues(values);
      expect(warnings.map((w) => [formatPath(w.path), w.code])).toEqual([[path, 'later_chart']]);
      expect(warnings[0]?.message).toContain('belongs to the chart of release 1.0.0 and later and has no effect here');
    }
  });

  test('are named as dead when they differ from their default', () => {
    const dead = (values: JsonObject) =>
      checkValues(values)
        .warnings.filter((w) => w.code === 'dead_value')
        .map((w) => formatPath(w.path));
    expect(
      dead({
        'dynamo-operator': { dynamo: { dockerRegistry: { secure: false }, virtualServiceSupportsHTTPS: true } },
        grove: { affinity: { a: {} } },
      }),
    ).toEqual([
      'dynamo-operator.dynamo.dockerRegistry.secure',
      'dynamo-operator.dynamo.virtualServiceSupportsHTTPS',
      'grove.affinity',
    ]);
    expect(dead({ 'dynamo-operator': { dynamo: { dockerRegistry: { secure: true } } } })).toEqual([]);
  });

  test('numbers that are printed otherwise than written are warned about', () => {
    const { warnings } = checkValues({
      'dynamo-operator': { controllerManager: { manager: { image: { tag: 1.1 } } }, natsAddr: 20240101 },
    });
    expect(warnings.map((w) => w.code)).toEqual(['quote_number', 'quote_number']);
  });
});

describe('the schema for editors', () => {
  type Node = {
    readonly properties?: Readonly<Record<string, Node>>;
    readonly items?: Node;
    readonly description?: string;
    readonly default?: unknown;
    readonly additionalProperties?: unknown;
  };
  const root = editorSchema() as unknown as Node;
  const walk = (node: Node, path: string, visit: (node: Node, path: string) => void): void => {
    visit(node, path);
    for (const [key, child] of Object.entries(node.properties ?? {})) walk(child, `${path}.${key}`, visit);
  };

  test('describes every key', () => {
    const silent: string[] = [];
    walk(root, '', (node, path) => {
      if (node.description === undefined || node.description === '') silent.push(path);
    });
    expect(silent).toEqual([]);
  });

  test('knows defaults and underlines unknown keys', () => {
    const operator = root.properties?.['dynamo-operator'];
    expect(operator?.properties?.['discoveryBackend']?.default).toBe('kubernetes');
    expect(operator?.properties?.['dynamo']?.properties?.['groveTerminationDelay']?.default).toBe('4h');
    expect(operator?.additionalProperties).toBe(false);
  });
});

const corpus = process.env['DYNAMO_CORPUS'];
const file = join(corpus ?? '', 'upstream/values/platform-values.yaml');

test.skipIf(corpus === undefined || !existsSync(file))(
  "the original's own values file raises no warning and renders as the defaults do, and the key it asks for",
  () => {
    const values = readManifests(readFileSync(file, 'utf8'), file).documents[0]?.value as JsonObject;
    expect(checkValues(values)).toEqual({ structure: [], scalars: [], warnings: [] });
    expect(renderPlatform(values, { profile: 'parity' }).objects).toEqual(renderPlatform({}, { profile: 'parity' }).objects);
    // Without hooks a key is made only for those who write that they want one, as this file does.
    const defaults = renderPlatform({}, { profile: 'secure' }).objects;
    const added = renderPlatform(values, { profile: 'secure' }).objects.filter(
      ({ metadata }) => !metadata.name.endsWith('-ssh-keygen'),
    );
    expect(added).toEqual(defaults);
  },
);

test.each(['two', '2.5', '-1'])('a number of replicas is whole: rejects %j, which Kubernetes would refuse', (replicas) => {
  const { scalars } = checkValues({ 'dynamo-operator': { controllerManager: { replicas } } });
  expect(scalars.map(({ message }) => message)).toEqual([`must be a whole number, got "${replicas}"`]);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt } from '../../lib/json/index.ts';
import { atPath } from '../../lib/platform/go-values.ts';
import { mergeLayers } from '../../lib/platform/merge.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { runCommand } from '../command-line.ts';

const both: JsonObject = { nats: { enabled: true }, etcd: { enabled: true } };
const policy = (more: JsonObject): JsonObject => mergeLayers([both, { platform: { networkPolicy: more } }]);
const labelled = policy({ clientNamespaceLabels: { graphs: 'yes' } });

/** Who may reach a port of NATS or etcd. */
function peers(values: JsonObject, part: 'nats' | 'etcd', port: number): unknown {
  const found = renderPlatform(values).objects.find(
    (o) => o.kind === 'NetworkPolicy' && o.metadata.name === `dynamo-platform-${part}`,
  );
  const rule = listAt(atPath(found, 'spec.ingress')).find((r) =>
    listAt(atPath(r, 'ports')).some((p) => atPath(p, 'port') === port),
  );
  return atPath(rule, 'from');
}

const everyPod = [{ namespaceSelector: {} }];
const open = (values: JsonObject, options = {}) =>
  renderPlatform(values, options)
    .warnings.filter(({ code }) => code === 'open_to_all')
    .map(({ path }) => path.join('.'));

describe.each([
  ['nats', 4222],
  ['etcd', 2379],
] as const)('clients of %s', (part, port) => {
  test('are all pods of the cluster unless the values name namespaces', () => {
    expect(peers(both, part, port)).toEqual(everyPod);
    expect(peers(labelled, part, port)).toEqual([{ podSelector: {} }, { namespaceSelector: { matchLabels: { graphs: 'yes' } } }]);
  });

  test('are those of the managed namespace where the operator is restricted to one', () => {
    const restricted = (targetNamespace: string) =>
      mergeLayers([both, { 'dynamo-operator': { namespaceRestriction: { enabled: true, targetNamespace } } }]);
    for (const [target, name] of [
      ['', 'dynamo-system'],
      ['team', 'team'],
    ] as const)
      expect(peers(restricted(target), part, port)).toEqual([
        { podSelector: {} },
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
      ]);
    expect(peers(mergeLayers([restricted('team'), policy({ allowAllNamespaces: true })]), part, port)).toEqual(everyPod);
    expect(open(restricted(''))).toEqual([]);
  });

  test('may use DNS on 53 and, for OpenShift, on 5353', () => {
    const found = renderPlatform(both).objects.find((o) => o.kind === 'NetworkPolicy' && o.metadata.name.endsWith(part));
    const ports = listAt(atPath(found, 'spec.egress')).flatMap((rule) => listAt(atPath(rule, 'ports')));
    for (const [number, protocol] of [
      [53, 'UDP'],
      [53, 'TCP'],
      [5353, 'UDP'],
      [5353, 'TCP'],
    ] as const)
      expect(ports).toContainEqual({ port: number, protocol });
  });
});

test('who scrapes may reach the ports with metrics, whoever is a client', () => {
  const scraped = mergeLayers([
    labelled,
    { nats: { promExporter: { enabled: true } }, etcd: { metrics: { enabled: true } } },
    { platform: { monitoring: { namespaceLabels: { team: 'monitoring' } } } },
  ]);
  const scrapers = { namespaceSelector: { matchLabels: { team: 'monitoring' } } };
  for (const port of [7777, 8222]) expect(peers(scraped, 'nats', port)).toEqual([scrapers]);
  expect(peers(scraped, 'etcd', 2379)).toContainEqual(scrapers);
  expect(peers(scraped, 'nats', 4222)).not.toContainEqual(scrapers);
});

describe('a part that is open to every namespace', () => {
  test('is warned of', () => {
    expect(open(both)).toEqual(['nats', 'etcd']);
    expect(open({ etcd: { enabled: false } })).toEqual(['nats']);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['namespaces are named', labelled, []],
    ['it is meant', policy({ allowAllNamespaces: true }), []],
    ['NATS authenticates', { nats: { security: { auth: { enabled: true, secretName: 's' } } } }, ['etcd']],
    [
      'NATS wants certificates',
      { nats: { security: { tls: { enabled: true, secretName: 's', verifyClients: true } } } },
      ['etcd'],
    ],
    ['NATS has accounts', { nats: { config: { merge: { accounts: { A: { users: [{ nkey: 'U' }] } } } } } }, ['etcd']],
    ['etcd authenticates', { etcd: { security: { auth: { enabled: true, secretName: 's' } } } }, ['nats']],
    [
      'etcd wants certificates',
      { etcd: { security: { tls: { enabled: true, secretName: 's', verifyClients: true } } } },
      ['nats'],
    ],
    ['a policy of its own closes etcd', { etcd: { networkPolicy: { allowExternal: false } } }, ['nats']],
  ])('is not where %s', (_why, values, left) => expect(open(values)).toEqual(left));

  test('is still, where TLS only encrypts', () => {
    expect(open({ nats: { security: { tls: { enabled: true, secretName: 's' } } } })).toContain('nats');
  });

  test.each<[string, JsonObject, string]>([
    ['has no policy', { etcd: { networkPolicy: { enabled: false } } }, 'set etcd.networkPolicy.enabled to true'],
    ['is served outside of the cluster', { etcd: { service: { type: 'NodePort' } } }, 'set etcd.service.type to ClusterIP'],
  ])('is where etcd %s, whoever the clients are', (_why, values, fix) => {
    const { warnings } = renderPlatform(mergeLayers([labelled, values]));
    expect(warnings).toMatchObject([{ path: ['etcd'], code: 'open_to_all', message: expect.stringContaining(fix) }]);
  });

  test('is rendered as recorded in the profile parity, and nothing is said', () => {
    expect(open(both, { profile: 'parity' })).toEqual([]);
  });

  test('fails with --strict, and passes once it is said who the clients are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'open-'));
    const said = await runCommand(folder, ['platform']);
    expect(said).toMatchObject({
      code: 0,
      err: expect.stringContaining('warning: nats: is open to the pods of every namespace'),
    });
    expect(await runCommand(folder, ['platform', '--strict'])).toMatchObject({ code: 1, out: '' });
    const closed = ['platform', '--strict', '--set', 'platform.networkPolicy.clientNamespaceLabels.graphs=yes'];
    expect(await runCommand(folder, closed)).toMatchObject({ code: 0 });
    rmSync(folder, { recursive: true });
  });
});

test('the namespaces that gitops writes for graphs carry the labels, and graphs elsewhere are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'labelled-'));
  const frontend = { componentType: 'frontend', extraPodSpec: { mainContainer: { image: 'example.com/frontend:1' } } };
  const graph = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'qwen' },
    spec: { services: { Frontend: frontend } },
  };
  writeFileSync(join(folder, 'graph.json'), JSON.stringify(graph));
  const write = ['gitops', '--layout', 'plain', '--graph', 'graph.json', '-o', 'out'];
  const gitops = (label: string) =>
    runCommand(folder, [...write, '--set', `platform.networkPolicy.clientNamespaceLabels.${label}`]);
  expect(await gitops('kubernetes\\.io/metadata\\.name=elsewhere')).toMatchObject({
    code: 1,
    err: expect.stringContaining('DynamoGraphDeployment models/qwen cannot reach NATS and etcd'),
  });
  expect(await gitops('graphs=yes')).toMatchObject({ code: 0 });
  const files = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' });
  const namespace = files.find((file) => file.endsWith('namespace-models.yaml')) ?? '';
  expect(readFileSync(join(folder, 'out', namespace), 'utf8')).toContain('graphs: "yes"');
  rmSync(folder, { recursive: true });
});

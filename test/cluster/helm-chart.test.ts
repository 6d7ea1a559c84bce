import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputFile } from '../../lib/gitops/layout.ts';
import { findTool, missingTools } from '../../tools/find.ts';
import { built } from '../built.ts';
import { runCommand, succeed } from '../command-line.ts';
import { helmTemplate } from '../gitops/helm/go-template/helm-template.ts';
import { accepted, operator, refused, sets } from './helm-chart-values.ts';

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: qwen}
spec: {services: {Frontend: {componentType: frontend, extraPodSpec: {mainContainer: {image: example.com/frontend:1}}}}}
`;

/** Every eighth case; all of them in a long run. */
const sample = <T>(cases: readonly T[]): readonly T[] =>
  process.env['LONG'] === undefined ? cases.filter((_, index) => index % 8 === 0) : cases;
const folder = mkdtempSync(join(tmpdir(), 'helm-chart-'));
const chart = join(folder, 'chart');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string): ReadonlyMap<string, KubernetesObject> =>
  new Map(
    parseAllDocuments(text)
      .map((d): KubernetesObject | null => d.toJS())
      .filter((o) => o !== null)
      .map((o) => [`${o.kind} ${o.metadata.namespace ?? ''}/${o.metadata.name}`, o]),
  );

/** Makes a chart with the built command, which takes a third of the time of the sources in a test runner. */
const makeChart = (...options: readonly string[]): void => {
  execFileSync(process.execPath, [built('cli/dynamo-cdk8s.js'), 'gitops', '--layout', 'helm', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
};

/** The files of a chart on disk. */
const readChart = (of: string): readonly OutputFile[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path: relative(of, path), text: readFileSync(path, 'utf8') }));

describe.skipIf(missingTools(['helm']).length > 0)('the generated Helm chart', () => {
  let helm = '';
  const cluster = ['--kube-version', '1.34.0'];
  const template = (chart: string, ...more: readonly string[]): string =>
    execFileSync(helm, ['template', 'dynamo-platform', chart, '-n', 'dynamo-system', ...cluster, ...more], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  const objects = (chart: string, ...more: readonly string[]): ReadonlyMap<string, KubernetesObject> =>
    read(template(chart, ...more, '--skip-tests'));
  beforeAll(async () => {
    helm = await findTool('helm');
    writeFileSync(join(folder, 'none.json'), '{}');
    makeChart('-f', 'none.json', '-o', 'chart');
    const own = ['--set', 'platform.operator.kind=dynamo-cdk8s', '--set', 'platform.operator.image=example.com/made:0'];
    makeChart(...own, '-o', 'own');
  });

  test('passes helm lint', () => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', ...cluster, chart], { encoding: 'utf8' });
    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(status).toBe(0);
  });

  test.each(sample(Object.keys(sets)))('renders the same objects as our own platform command: %s', async (name) => {
    const { values, apiVersions = [], release = 'dynamo-platform', own = false } = sets[name] ?? { values: {} };
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const versions = apiVersions.flatMap((v) => ['--api-versions', v]);
    const made = own ? join(folder, 'own') : chart;
    const command = ['template', release, made, '-n', 'dynamo-system', '-f', file, '--skip-tests', ...cluster, ...versions];
    const theirs = read(execFileSync(helm, command, { encoding: 'utf8', maxBuffer: 1 << 28 }));
    const ours = read(await succeed(folder, 'platform', '-f', 'values.json', '--release', release, ...versions));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
    // unit tests ask an evaluator of their own what helm would make of a chart
    const evaluated = helmTemplate(readChart(made), { values, name: release, apiVersions });
    expect(Object.fromEntries(evaluated)).toEqual(Object.fromEntries(theirs));
  });

  test.each(sample(Object.entries(refused)))('refuses what our own platform command refuses: %s', async (_, values) => {
    writeFileSync(join(folder, 'refused.json'), JSON.stringify(values));
    const ours = await runCommand(folder, ['platform', '-f', 'refused.json']);
    expect(ours.code).toBe(1);
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '-f', join(folder, 'refused.json')], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    const path = /(?:dynamo-operator|platform|nats|etcd)\.[\w.]+(?=: )/.exec(ours.err)?.[0] ?? '';
    expect(stderr).toContain(stderr.includes('execution error') ? path : `at '/${path.replaceAll('.', '/')}`);
  });

  test.each(sample(Object.entries(accepted)))('takes what our own platform command takes: %s', async (_, values) => {
    writeFileSync(join(folder, 'accepted.json'), JSON.stringify(values));
    expect((await runCommand(folder, ['platform', '-f', 'accepted.json'])).code).toBe(0);
    objects(chart, '-f', join(folder, 'accepted.json'));
  });

  test.each([
    ['dynamo-operator.natsAddr=nats://user:pw@elsewhere:4222', 'must not hold a user and password'],
    ['dynamo-operator.etcdAddr=http://user:pw@elsewhere:2379', 'must not hold a user and password'],
    ['dynamo-operator.dynamo.metrics.prometheusEndpoint=http://u:p@x', 'must not hold a user and password'],
    ['dynamo-operator.modelExpressURL=http://u:p@x', 'must not hold a user and password'],
    ['nats.config.jetstream.fileStore.pvc.size=10Gi\\, store_dir: /evil', 'does not match pattern'],
  ])('refuses %s', (set, message) => {
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '--set', set], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });

  test('a line of a configuration file cannot be left by a value, with or without the schema', () => {
    for (const size of ['10Gi\n---\nkind: Pod', '10Gi", evil: "x']) {
      writeFileSync(
        join(folder, 'line.json'),
        JSON.stringify({ nats: { config: { jetstream: { fileStore: { pvc: { size } } } } } }),
      );
      const flags = ['-f', join(folder, 'line.json'), '--skip-schema-validation'];
      const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, ...flags], { encoding: 'utf8' });
      expect(status).not.toBe(0);
      expect(stderr).toContain('must not contain quotes, backslashes or control characters');
    }
  });

  test('works in any namespace', async () => {
    const text = execFileSync(helm, ['template', 'mine', chart, '-n', 'other', ...cluster, '--skip-tests'], { encoding: 'utf8' });
    expect(text).not.toContain('dynamo-system');
    const ours = read(await succeed(folder, 'platform', '--release', 'mine', '-n', 'other'));
    const theirs = read(text);
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('is a dependency of an umbrella chart with globals and a condition', () => {
    const umbrella = join(folder, 'umbrella');
    mkdirSync(join(umbrella, 'charts'), { recursive: true });
    cpSync(chart, join(umbrella, 'charts/dynamo-platform'), { recursive: true });
    const dependency = { name: 'dynamo-platform', version: '*', condition: 'dynamo-platform.enabled' };
    writeFileSync(
      join(umbrella, 'Chart.yaml'),
      JSON.stringify({ apiVersion: 'v2', name: 'umbrella', version: '1.0.0', dependencies: [dependency] }),
    );
    writeFileSync(
      join(umbrella, 'values.yaml'),
      JSON.stringify({ global: { team: 'x', imagePullSecrets: ['pull'] }, 'dynamo-platform': { enabled: true } }),
    );
    const pods = [...objects(umbrella).values()].filter((o) => o.kind === 'StatefulSet' || o.kind === 'Deployment');
    expect(pods).toHaveLength(3);
    for (const pod of pods) expect(pod).toMatchObject({ spec: { template: { spec: { imagePullSecrets: [{ name: 'pull' }] } } } });
    expect(objects(umbrella, '--set', 'dynamo-platform.enabled=false').size).toBe(0);
  });

  test('helm test connects to every Service that the release brings', () => {
    const script = (...more: readonly string[]): string =>
      parseAllDocuments(template(chart, '-s', 'templates/tests/connection.yaml', ...more))[0]?.toJS().spec.containers[0]
        .command[2];
    expect(script().match(/^nc .*$/gm)).toEqual([
      'nc -z -w 10 dynamo-platform-dynamo-operator-webhook-service 443',
      'nc -z -w 10 dynamo-platform-nats 4222',
      'nc -z -w 10 dynamo-platform-etcd 2379',
    ]);
    expect(script('--set', 'etcd.enabled=false,dynamo-operator.webhook.enabled=false').match(/^nc .*$/gm)).toEqual([
      'nc -z -w 10 dynamo-platform-nats 4222',
    ]);
  });

  describe('with graphs and braces in it', () => {
    const braces = '{{ .Release.Name }} }} {{ "{{" }} {{/* x */}} {{- fail "no" -}}';
    const fixed = {
      'dynamo-operator': { controllerManager: { serviceAccount: { annotations: { braces } } } },
      nats: { container: { env: { BRACES: braces } }, podTemplate: { merge: { metadata: { annotations: { braces } } } } },
    };
    const made = join(folder, 'graphs');
    beforeAll(() => {
      const configMap = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: braces}\ndata: {a: ${JSON.stringify(braces)}}\n`;
      writeFileSync(join(folder, 'fixed.json'), JSON.stringify(fixed));
      writeFileSync(join(folder, 'graph.yaml'), `${graph}---\n${configMap}`);
      makeChart('-f', 'fixed.json', '--graph', 'graph.yaml', '--chart-version', '3.2.1', '-o', 'graphs');
    });

    test('graphs come when they are asked for, in their own namespace', () => {
      const keys = (...more: readonly string[]): readonly string[] => [...objects(made, ...more).keys()];
      expect(keys()).not.toContain('DynamoGraphDeployment models/qwen');
      expect(keys('--set', 'graphs.enabled=true')).toContain('DynamoGraphDeployment models/qwen');
      expect(keys('--set', 'graphs.enabled=true')).toContain('Namespace /models');
      expect(execFileSync(helm, ['show', 'chart', made], { encoding: 'utf8' })).toContain('version: 3.2.1');
    });

    test('braces stay what they are, whether they are fixed in the chart or given to it', async () => {
      const given = operator({
        modelExpressURL: `http://${braces}`,
        dynamo: { ingress: { enabled: true, className: braces }, ingressHostSuffix: braces },
      });
      writeFileSync(join(folder, 'given.json'), JSON.stringify(given));
      const theirs = objects(made, '-f', join(folder, 'given.json'), '--set', 'graphs.enabled=true');
      const ours = read(await succeed(folder, 'platform', '-f', 'fixed.json', '-f', 'given.json'));
      expect(JSON.stringify([...ours.values()]).split(JSON.stringify(braces).slice(1, -1)).length).toBeGreaterThan(5);
      for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
      expect(theirs.get('ConfigMap models/braces')).toMatchObject({ data: { a: braces } });
    });
  });

  test('the chart of CRDs passes helm lint and holds them as the command prints them', async () => {
    await succeed(folder, 'gitops', '--layout', 'helm', '--chart', 'crds', '-o', 'crds');
    const lint = spawnSync(helm, ['lint', '--strict', ...cluster, join(folder, 'crds')], { encoding: 'utf8' });
    expect(lint.status, lint.stdout).toBe(0);
    const theirs = objects(join(folder, 'crds'));
    const ours = read(await succeed(folder, 'crds'));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, crd] of ours) expect(theirs.get(key)).toMatchObject({ spec: (crd as unknown as { spec: object }).spec });
  });

  test('refuses a value that it would not read', () => {
    const { status, stderr } = spawnSync(helm, ['template', 'x', chart, ...cluster, '--set', 'nats.natsBox.enabled=true'], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/additional propert/i);
  });

  test('holds what no value of the chart decides about, as the values said when it was made', async () => {
    const values = {
      platform: { monitoring: { rules: true, dashboards: 'monitoring', scrapeConfig: true } },
      grove: { enabled: true },
      'kai-scheduler': { enabled: true },
    };
    writeFileSync(join(folder, 'full.json'), JSON.stringify(values));
    makeChart('-f', 'full.json', '--api-versions', 'scheduling.run.ai/v2', '-o', 'full');
    const theirs = objects(join(folder, 'full'), '--api-versions', 'scheduling.run.ai/v2');
    const ours = read(await succeed(folder, 'platform', '-f', 'full.json', '--api-versions', 'scheduling.run.ai/v2'));
    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [key, object] of ours) expect(theirs.get(key), key).toEqual(object);
  });

  test('brings the six CRDs', () => {
    expect([...objects(chart, '--include-crds').keys()].filter((k) => k.startsWith('CustomResourceDefinition'))).toHaveLength(6);
  });
});

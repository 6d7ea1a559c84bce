import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findingsOf } from '../../lib/graph/validation.ts';
import { DynamoGraph, Platform } from '../../lib/graph/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { buildLintIndex, lintResource } from '../../lib/lint/index.ts';
import { run, type Ran } from '../cli/run.ts';

const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: demo
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: {mainContainer: {image: ${image}}}
    Worker:
      componentType: worker
      replicas: 1
      envFromSecret: hf-token-secret
      resources:
        limits: {gpu: "1", cpu: "8", memory: 64Gi}
      extraPodSpec:
        mainContainer: {image: ${image}, command: [python3, -m, dynamo.vllm], args: [--model, Qwen/Qwen3-0.6B]}
`;

const commands: Readonly<Record<string, readonly string[]>> = {
  validate: [],
  lint: [],
  render: ['-o', 'name'],
  fit: ['--nodes', '4', '--gpus-per-node', '8'],
  import: [],
  normalize: [],
};

/** Commands whose standard output is made from the objects, so that only standard error holds findings. */
const printsObjects: ReadonlySet<string> = new Set(['import', 'normalize']);

async function all(text: string, ...more: readonly string[]): Promise<readonly (Ran & { readonly command: string })[]> {
  return await Promise.all(
    Object.entries(commands).map(async ([command, argv]) => ({
      command,
      ...(await run([command, '-f', 'g.yaml', ...argv, ...more], { files: { 'g.yaml': text } })),
    })),
  );
}

/** What synth says against one object. */
function synth(text: string): string {
  const { apiVersion, kind, ...rest } = parse(text) as JsonObject;
  const object = new ApiObject(new Chart(new App(), 'c'), 'o', { ...rest, apiVersion, kind } as never);
  const found = findingsOf({ object, platform: new Platform(), suppressed: new Map() });
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => `${path}: ${message}\n`)
    .join('');
}

test('a good graph passes every command and synth', async () => {
  expect((await all(graph)).map(({ command, code }) => [command, code])).toEqual(Object.keys(commands).map((name) => [name, 0]));
  expect(synth(graph)).toBe('');
});

const refused: readonly (readonly [string, string, string, RegExp])[] = [
  [
    'a misspelt kind',
    'kind: DynamoGraphDeployment',
    'kind: DynamoGraphDeploymnt',
    /kind: unknown kind .* did you mean DynamoGraphDeployment/,
  ],
  [
    'a wrong version',
    'nvidia.com/v1alpha1',
    'nvidia.com/v1',
    /apiVersion: no DynamoGraphDeployment in .* did you mean nvidia\.com\/v1alpha1/,
  ],
  [
    'a wrong group',
    'nvidia.com/v1alpha1',
    'apps/v1',
    /apiVersion: no DynamoGraphDeployment in .* did you mean nvidia\.com\/v1alpha1/,
  ],
  [
    'a later version',
    'nvidia.com/v1alpha1',
    'nvidia.com/v1beta1',
    /of nvidia\.com\/v1beta1 is served by Dynamo 1\.2\.1 and later/,
  ],
  ['a later kind', 'kind: DynamoGraphDeployment', 'kind: DynamoCheckpoint', /is served by Dynamo 1\.0\.0 and later/],
  ['a string for a number', 'replicas: 1', 'replicas: "1"', /spec\.services\.Frontend\.replicas: must be an integer/],
  ['memory of GB', 'memory: 64Gi', 'memory: 64GB', /resources\.limits\.memory: .*got "64GB"/],
  ['cores in words', 'cpu: "8"', 'cpu: 2 cores', /resources\.limits\.cpu: .*got "2 cores"/],
  ['GPUs in words', 'gpu: "1"', 'gpu: two', /resources\.limits\.gpu: .*got "two"/],
  ['a device in words', 'gpu: "1"', 'gpu: "1", custom: {rdma/ib: all}', /resources\.limits\.custom\.rdma\/ib: .*got "all"/],
  ['what the webhook refuses', 'replicas: 1', 'sharedMemory: {}', /sharedMemory\.size:? is required when disabled is false/],
];

describe.each(refused)('%s', (_what, from, to, message) => {
  const text = graph.replace(from, to);

  test('is refused by every command for the same reason, and nothing else is said of it', async () => {
    for (const { command, code, out, err } of await all(text)) {
      const talk = printsObjects.has(command) ? err : `${out}${err}`;
      expect([command, code, talk]).toEqual([command, 1, expect.stringMatching(message)]);
      expect([command, talk.split('\n').filter((line) => line.startsWith('g.yaml')).length]).toEqual([command, 1]);
    }
  });

  test('fails synth', () => expect(synth(text)).toMatch(message));
});

test('gitops refuses all of these, tells every reason and writes nothing', async () => {
  const files = Object.fromEntries(refused.map(([, from, to], index) => [`graphs/${index}.yaml`, graph.replace(from, to)]));
  const argv = ['gitops', '-f', 'values.yaml', '--graph', 'graphs', '--layout', 'plain', '-o', 'out'];
  const { code, out, err } = await run(argv, { files: { ...files, 'values.yaml': '{}' } });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  for (const [, , , message] of refused) expect(err).toMatch(message);
});

test.each([
  ['a key given twice', `${graph}kind: DynamoGraphDeployment\n`, /g\.yaml:19:1 key "kind" is given twice/],
  [
    'a graph inside an object that has items',
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nitems:\n- ${graph.replace('replicas: 1', 'replicas: -1').replaceAll('\n', '\n  ').trimEnd()}\n`,
    /replicas: must be 0 or more, got -1/,
  ],
  ['items that are no list', 'apiVersion: v1\nkind: ConfigMap\nitems: 1\n', /items must be a list/],
  ['a kind without a version', 'kind: Pod\nmetadata: {name: p}\n', /apiVersion: must be a string, got nothing/],
  ['something that is no object', '- 1\n', /must be an object/],
])('%s is refused by every command', async (_what, text, message) => {
  for (const { command, code, out, err } of await all(text))
    expect([command, code, `${out}${err}`]).toEqual([command, 1, expect.stringMatching(message)]);
});

test('one of our names in the group of someone else is told by every command and fails none that has something to do', async () => {
  const foreign = 'apiVersion: example.com/v1\nkind: DynamoModel\nmetadata: {name: m}\n';
  for (const { command, code, out, err } of await all(`${graph}---\n${foreign}`)) {
    const talk = printsObjects.has(command) ? err : `${out}${err}`;
    expect([command, code, talk]).toEqual([
      command,
      0,
      expect.stringContaining('warning: apiVersion: no DynamoModel in "example.com/v1"'),
    ]);
  }
});

test('a document that is not a Kubernetes object only gets a warning', async () => {
  for (const { command, code, out, err } of await all(`${graph}---\nreplicaCount: 1\n`)) {
    const talk = printsObjects.has(command) ? err : `${out}${err}`;
    expect([command, code, talk]).toEqual([command, 0, expect.stringContaining('g.yaml:20:1 warning: not a Kubernetes object')]);
  }
  expect((await run(['validate', '--strict', '-f', '-'], { stdin: `${graph}---\nreplicaCount: 1\n` })).code).toBe(1);
});

test.each(['', '# nothing\n', 'apiVersion: v1\nkind: List\nitems: []\n'])(
  'an input that holds nothing says so and fails when strict: %j',
  async (text) => {
    for (const command of ['validate', 'lint']) {
      const lenient = await run([command, '-f', 'g.yaml'], { files: { 'g.yaml': text } });
      expect(lenient).toMatchObject({
        code: 0,
        out: 'g.yaml: warning: contains no object\n',
        err: '1 warning: 0 objects in 1 file\n',
      });
      expect((await run([command, '-f', 'g.yaml', '--strict'], { files: { 'g.yaml': text } })).code).toBe(1);
    }
    for (const { command, code, err } of (await all(text)).filter((r) => ['render', 'fit', 'import'].includes(r.command)))
      expect([command, code, err]).toEqual([command, 1, expect.stringContaining('g.yaml: warning: contains no object')]);
  },
);

describe('what the API server will reject of a graph', () => {
  const rejected = graph.replace('name: demo', 'name: 0-day');

  test('is an error of every command but render, which prints what the operator would send and warns', async () => {
    for (const { command, code, out, err } of await all(rejected)) {
      expect([command, code]).toEqual([command, command === 'render' ? 0 : 1]);
      expect([command, `${out}${err}`]).toEqual([
        command,
        expect.stringContaining('the API server refuses Service 0-day-frontend'),
      ]);
    }
    const strict = await run(['render', '-f', '-', '--strict'], { stdin: rejected });
    expect(strict).toMatchObject({ code: 1, out: expect.stringContaining('name: 0-day-frontend') as string });
    expect(synth(rejected)).toContain('the API server refuses Service 0-day-frontend');
  });

  test('can be accepted, by every command alike', async () => {
    const accepted = rejected.replace(
      'name: 0-day',
      "name: 0-day\n  annotations: {dynamo-cdk8s/suppress: 'DYN-API-001=a webhook of ours renames it; DYN-NAME-002=likewise'}",
    );
    for (const { command, code, out, err } of await all(accepted))
      expect([command, code, command === 'render' ? err : out + err]).toEqual([
        command,
        0,
        expect.not.stringContaining('API server refuses'),
      ]);
    expect(synth(accepted)).toBe('');
  });

  test('is an error also where the quirk that explains it is a warning', () => {
    const resource = parse(graph) as JsonObject;
    const path = ['spec', 'services', 'Worker', 'extraPodSpec', 'mainContainer', 'livenessProbe'];
    const quirks = [{ id: 'probe-handlers-united', path, message: 'two handlers' }];
    const rejection = {
      id: 'DYN-API-004',
      severity: 'error',
      path,
      message: 'm',
      consequence: 'the API server refuses it',
    } as const;
    const told = (rejections: readonly (typeof rejection)[]) =>
      lintResource(resource, buildLintIndex({ resources: [resource], rendering: { rejections, quirks } })).findings;
    expect(told([])).toMatchObject([{ id: 'DYN-QUIRK-005', severity: 'warning', message: 'two handlers' }]);
    expect(told([rejection])).toMatchObject([
      { id: 'DYN-QUIRK-005', severity: 'error', message: 'two handlers; the API server refuses it' },
    ]);
  });
});

test('lint reads objects as they are stored: a field that is pruned breaks no rule', async () => {
  const request = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeploymentRequest
metadata: {name: r}
spec: {model: m, backend: vllm, profilerImage: p:1, profilingConfig: {profilerImage: p:1, config: {}}}
`;
  const { out } = await run(['lint', '-f', '-'], { stdin: request });
  expect(out).toContain('warning: spec.profilerImage: unknown field');
  expect(out).not.toContain('DYN-DGDR-001');
});

test('a required field that stands where nobody knows it is called misplaced', async () => {
  const request =
    'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeploymentRequest\nmetadata: {name: r}\nspec: {model: m, backend: vllm, profilerImage: p, profilingConfig: {config: {}}}\n';
  const { out } = await run(['validate', '-f', '-'], { stdin: request });
  expect(out).toContain('spec.profilingConfig.profilerImage: is required here; move it from spec.profilerImage\n');
});

test('synth of constructs refuses what validate refuses of their output', () => {
  const yaml = graph.replace('memory: 64Gi', 'memory: 64GB');
  const app = new App();
  const chart = new Chart(app, 'c');
  DynamoGraph.fromYaml(chart, 'g', yaml);
  expect(() => DynamoGraph.fromYaml(chart, 'h', `${graph}kind: DynamoGraphDeployment\n`)).toThrow(/key "kind" is given twice/);
  expect(() => chart.toJson()).toThrow(/spec\.services\.Worker\.resources\.limits\.memory: .*64GB/);
});

test('a graph that kubectl takes for an empty list is told by every command, and fails validate and lint when strict', async () => {
  const lost = `${graph.replace('name: demo', 'name: lost')}items: []\n`;
  for (const { command, code, out, err } of await all(`${graph}---\n${lost}`)) {
    const talk = printsObjects.has(command) ? err : `${out}${err}`;
    const warning = 'warning: kubectl treats a DynamoGraphDeployment with items as a list and ignores its other fields';
    expect([command, code, talk]).toEqual([command, 0, expect.stringContaining(warning)]);
  }
  for (const command of ['validate', 'lint', 'render'])
    expect((await run([command, '-f', '-', '--strict'], { stdin: `${graph}---\n${lost}` })).code).toBe(1);
});

test('counts the same objects as ours in validate and lint', async () => {
  const policy = 'apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\n';
  for (const command of ['validate', 'lint'])
    expect((await run([command, '-f', '-'], { stdin: `${graph}---\n${policy}` })).err).toBe('no problems: 1 object in 1 file\n');
});

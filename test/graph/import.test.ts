import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/api/index.ts';
import { withoutLiveFields } from '../../lib/graph/import/live-fields.ts';
import { importObjects } from '../../lib/graph/import/program.ts';
import { withoutNulls } from '../../lib/json/index.ts';
import { runProgram } from './run-program.ts';
import { frontend, graph, parse, worker } from './import-manifests.ts';

const corpus = process.env['DYNAMO_CORPUS'];

/** Objects in an order of their own, and `8` and `8n` alike. */
const comparable = (values: readonly unknown[]): unknown[] => {
  const texts = values.map((v) => JSON.stringify(v, (_, x: unknown) => (typeof x === 'bigint' ? Number(x) : x)));
  return texts.map((t) => JSON.parse(t) as unknown).sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
};
const identity = (value: unknown): string => {
  const { kind, metadata } = value as { kind: string; metadata?: { name?: string; namespace?: string } };
  return `${kind}/${metadata?.namespace}/${metadata?.name}`;
};

function expectRoundTrip(values: readonly Json[]): string {
  const source = importObjects(values, { chart: 'graph' }).replace("'graph', {", "'graph', { warnings: 'ignore',");
  expect(comparable(runProgram(source))).toEqual(comparable(values.map((v) => withoutLiveFields(withoutNulls(v)))));
  return source;
}

describe('import', () => {
  test('keeps names that every object of JavaScript knows', () => {
    const text = graph(`${frontend}${worker('toString', "'--model', 'a/b'")}`).replace('name: mine', 'name: constructor');
    expect(expectRoundTrip(parse(text))).toContain("name: 'constructor'");
  });

  test('recognises presets, engines and routers', () => {
    const text = graph(
      `${frontend.replace('extraPodSpec', 'envs: [{ name: DYN_ROUTER_MODE, value: kv }], extraPodSpec')}${worker(
        'prefill',
        '--model, Qwen/Qwen3-8B, --is-prefill-worker, --block-size, "64", --enforce-eager',
        'subComponentType: prefill',
      )}${worker('decode', '--model, Qwen/Qwen3-8B, --is-decode-worker, --block-size, "64"', 'subComponentType: decode')}`,
    );
    expect(importObjects(parse(text), { chart: 'graph' })).toMatchInlineSnapshot(`
      "import { App } from 'cdk8s';
      import { DynamoChart, DynamoGraph, Engine, Model, Router } from 'dynamo-cdk8s';

      const chart = new DynamoChart(new App(), 'graph', { explicitDefaults: false });

      const engine = Engine.vllm({ blockSize: 64 });
      DynamoGraph.disaggregated(chart, 'mine', {
        model: Model.huggingFace('Qwen/Qwen3-8B'),
        engine,
        router: Router.kv(),
        prefill: { engine: engine.with({ enforceEager: true }) },
      });

      App.of(chart).synth();
      "
    `);
    expectRoundTrip(parse(text));
  });

  test.each([
    [
      'options in an order of their own',
      worker('w', '--model, m/m, --enforce-eager, --tensor-parallel-size, "1", --dtype, auto'),
    ],
    ['a flag nobody knows', worker('w', '--model, m/m, --frobnicate, "1", --block-size, "16"')],
    ['a number spelled otherwise', worker('w', '--model, m/m, --gpu-memory-utilization, "0.90"')],
    ['JSON spelled otherwise', worker('w', `--model, m/m, --hf-overrides, '{"a": 1.0}'`)],
    ['a role flag without its finer type', worker('w', '--model, m/m, --is-prefill-worker')],
    ['a finer type without its role flag', worker('w', '--model, m/m', 'subComponentType: decode')],
    ['arguments before the model', worker('w', '--block-size, "16", --model, m/m')],
    ['no arguments at all', worker('w', '')],
    [
      'environment out of order and from a Secret',
      worker(
        'w',
        '--model, m/m',
        'envs: [{ name: B, value: "1" }, { name: A, valueFrom: { secretKeyRef: { name: s, key: k } } }]',
      ),
    ],
    ['quotes, dollars and lines in texts', worker('w', '--model, "it\'s ${x} \\"q\\"\\n\\nz"')],
    [
      'fields of the API that have no property',
      worker('w', '--model, m/m', 'ingress: { enabled: true, host: a }\n      autoscaling: { enabled: true }'),
    ],
    [
      'several nodes',
      worker('w', '--model, m/m, --tensor-parallel-size, "16"', 'multinode: { nodeCount: 2 }').replace('gpu: "1"', 'gpu: "8"'),
    ],
    ['nodes that do not fit the parallelism', worker('w', '--model, m/m', 'multinode: { nodeCount: 3 }')],
    ['no replicas', worker('w', '--model, m/m').replace('replicas: 1', 'labels: {}')],
  ])('%s come back as they were', (_, service) => {
    expectRoundTrip(parse(graph(frontend + service)));
  });

  test('a shared claim becomes a model cache', () => {
    const mount = 'volumeMounts: [{ name: weights, mountPoint: /models }]';
    const source = expectRoundTrip(parse(graph(worker('w', '--model, m/m', mount), 'pvcs: [{ name: weights, create: false }]')));
    expect(source).toContain("ModelCache.fromClaimName(chart, 'mine-cache', 'weights', { mountPath: '/models', hfHome: false })");
  });

  test('graphs of one name in two namespaces keep their caches and engines apart', () => {
    const mount = 'volumeMounts: [{ name: weights, mountPoint: /models }]';
    const one = graph(
      worker('w', '--model, m/m', mount) + worker('v', '--model, m/m, --block-size, "64"'),
      'pvcs: [{ name: weights, create: false }]',
    );
    expectRoundTrip(
      parse(
        `${one}\n---${one.replace('name: mine', 'name: mine, namespace: second')}\n---${one.replace('name: mine', 'name: mine-cache')}`,
      ),
    );
  });

  test.each(['default', 'new', '0-day', 'app', 'x.y'])('a graph named %s gets a variable that compiles', (name) => {
    expectRoundTrip(parse(graph(frontend + worker('w', '--model, m/m'), '').replace('name: mine', `name: ${name}`)));
  });

  test('objects whose names look like the number of another keep ids of their own', () => {
    const map = (name: string, namespace: string): Json => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { in: namespace },
    });
    expectRoundTrip([map('a', 'x'), map('a', 'y'), map('a-2', 'x')]);
  });

  test('variables that a map cannot express, since two have one name or a number for one, stay lists and need no patch', () => {
    const variables = (...names: readonly string[]): string =>
      `[${names.map((name, index) => `{ name: "${name}", value: "${index}" }`).join(', ')}]`;
    const one = `${worker('w', '--model, m/m', `envs: ${variables('A', 'A')}`)}\n          env: ${variables('B', '2', '1')}`;
    const source = expectRoundTrip(parse(graph(`${frontend}${one}`)));
    expect(source).not.toContain('addPatch');
    expect(source.match(/name: '(?:A|B|2|1)'/g)).toHaveLength(5);
  });

  test('objects beside graphs, models and several graphs of one name come back too', () => {
    const other = `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: c, namespace: other }
data: { a: "1\\n2\\n3\\n4\\n", "b'c": "" }
---
apiVersion: nvidia.com/v1alpha1
kind: DynamoModel
metadata: { name: lora }
spec: { modelName: a, baseModelName: b, modelType: lora, source: { uri: 's3://x/y' } }
---`;
    const one = graph(frontend + worker('w', '--model, m/m'));
    const two = one.replace('name: mine', 'name: mine, namespace: second');
    const source = expectRoundTrip(parse(one + other + two));
    expect(source).toContain("new DynamoModel(chart, 'lora', {");
  });

  test('what the API server refuses in a graph is patched in, with the reason, and the rest is typed', () => {
    const source = expectRoundTrip(parse(graph(worker('w', '--model, m/m').replace('replicas: 1', 'replicas: -1'))));
    expect(source).toMatch(/^\/\/ As imported, the API server refuses it: spec\.services\.w\.replicas/m);
    expect(source).toContain('Engine.vllm()');
    expect(source).toContain("JsonPatch.add('/replicas', -1)");
    expect(source).toContain("errors: 'print'");
  });

  test('a namespace that somebody has to fill in stays one field of a typed graph', () => {
    const text = graph(frontend + worker('w', '--model, m/m')).replace('name: mine', 'name: mine, namespace: <your-namespace>');
    expect(expectRoundTrip(parse(text))).toContain('DynamoGraph.aggregated(chart, ');
  });

  test('drops what only a live object has', () => {
    const live = graph(frontend + worker('w', '--model, m/m')).replace(
      'metadata: { name: mine }',
      `metadata:
  name: mine
  uid: 1-2
  resourceVersion: "7"
  generation: 3
  creationTimestamp: "2026-01-01T00:00:00Z"
  finalizers: [nvidia.com/finalizer]
  managedFields: [{ manager: kubectl }]
  labels: { team: a }
  annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}", mine: "1" }
status: { state: successful }`,
    );
    const source = importObjects(parse(live), { chart: 'graph' });
    expect(source).toContain("metadata: { labels: { team: 'a' }, annotations: { mine: '1' } }");
    for (const gone of [
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'finalizers',
      'managedFields',
      'last-applied',
      'status',
    ])
      expect(source).not.toContain(gone);
    expect(runProgram(source.replace("'graph', {", "'graph', { warnings: 'ignore',"))).toHaveLength(1);
  });

  test.each([
    ['KV routing by an argument', ['--router-mode', 'kv'], 'router: Router.kv({ modeInArgs: true })'],
    [
      'KV routing with tuning and more',
      ['--router-mode', 'kv', '--router-temperature', '0.5', '--http-port', '8000'],
      'router: Router.kv({ temperature: 0.5 })',
    ],
  ])('recognises %s', (_, args, expected) => {
    const routed = frontend.replace(
      "0.9.0' }",
      `0.9.0', command: [python, -m, dynamo.frontend], args: ${JSON.stringify(args)} }`,
    );
    const source = expectRoundTrip(parse(graph(routed + worker('w', '--model, m/m'))));
    expect(source).toContain(expected);
    expect(source).toContain("python: 'python'");
  });

  test('recognises parsers and revisions, placements and the environment of the container', () => {
    const args = '--model, m/m, --revision, abc, --dyn-tool-call-parser, hermes, --dyn-reasoning-parser, qwen3';
    const pod = `extraPodSpec:
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: nvidia.com/gpu.present, operator: In, values: ["true"] }] }] } } }
        tolerations: [{ key: nvidia.com/gpu, operator: Exists, effect: NoSchedule }]
        mainContainer:
          env: [{ name: B, value: "1" }, { name: A, value: "2" }]`;
    const text = worker('w', args).replace('extraPodSpec:\n        mainContainer:', pod);
    const source = expectRoundTrip(parse(graph(frontend + text)));
    expect(source).toContain("Model.huggingFace('m/m', { revision: 'abc' })");
    expect(source).toContain("toolCallParser: 'hermes', reasoningParser: 'qwen3'");
    expect(source).toContain('placement: Placement.gpuNodes().and(Placement.tolerateGpuTaint())');
    expect(source).toContain("containerEnv: { B: '1', A: '2' }");
  });

  test('engine files become data, scripts stay readable blocks, other texts keep every character', () => {
    const data = (text: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: text } });
    const yaml = 'tensor_parallel_size: 4\nkv_cache_config:\n  dtype: fp8\nsizes:\n- 1\n- 2\n';
    const script = 'set -e\n\n  echo "${A}" `date` \\\n  b\nexit\n';
    expect(expectRoundTrip([data(yaml)])).toContain('yamlText(');
    expect(expectRoundTrip([data(script)])).toMatch(/dedent`\n {6}set -e\n\n {8}echo "\\\$\{A\}" \\`date\\` \\\n/);
    for (const odd of ['a\r\nb\nc\nd\n', 'a\nb\nc\nd', ' a\n \nb\nc\n', 'a\\`\nb\nc\nd\n', '\ta\nb\nc\nd\n'])
      expectRoundTrip([data(odd)]);
  });

  test('says once what several components share', () => {
    const shell = (key: string) =>
      worker(key, "'exec ./start.sh'")
        .replace('[python3, -m, dynamo.vllm]', '[sh, -c]')
        .replace('envFromSecret', 'labels: { tier: gpu, team: inference }\n      envFromSecret');
    const source = expectRoundTrip(parse(graph(frontend + shell('a') + shell('b') + shell('c'))));
    expect(source).toMatch(/^const shared = \{/m);
    expect(source.match(/\.\.\.shared/g)).toHaveLength(3);
  });

  test('is never longer than the YAML, however short that is', () => {
    for (const text of ['kind: A\napiVersion: v1\nmetadata:\n  name: a\n  labels:\n    b: c\n', graph(frontend)]) {
      const code = importObjects(parse(text), { chart: 'graph', lines: 6 })
        .split('\n')
        .filter((l) => l.trim() !== '');
      expect(code.length).toBeLessThanOrEqual(6);
    }
  });

  test('a field that no type knows is patched in, at any depth', () => {
    const text = graph(
      worker('w', '--model, m/m', 'surprise: { a: 1 }').replace('command:', 'wonder: 2\n          command:'),
      'more: [1]',
    );
    const source = expectRoundTrip(parse(text));
    expect(source.match(/JsonPatch\.add\('[^']*'/g)).toEqual([
      "JsonPatch.add('/surprise'",
      "JsonPatch.add('/extraPodSpec/mainContainer/wonder'",
      "JsonPatch.add('/spec/more'",
    ]);
  });

  test('an error of lint is accepted in the code, for the author to see', () => {
    const source = expectRoundTrip(parse(graph(frontend + worker('w', '--model, m/m').replace('gpu: "1"', 'gpu: "2"'))));
    expect(source).toContain("mine.suppress('DYN-GPU-001', 'as imported: engine needs 1 GPU');");
    expect(source.match(/suppress/g)).toHaveLength(1);
  });

  test.each([-1, 0, 30])('keeps a grace period of %d seconds', (seconds) => {
    const text = graph(frontend.replace('extraPodSpec: {', `extraPodSpec: { terminationGracePeriodSeconds: ${seconds},`));
    expectRoundTrip(parse(text));
  });

  test('integers of any size keep every digit', () => {
    const text = graph(frontend.replace('extraPodSpec: {', 'extraPodSpec: { activeDeadlineSeconds: 9007199254740993,'));
    expect(importObjects(parse(text), { chart: 'graph' })).toContain('9007199254740993n');
  });
});

describe.skipIf(corpus === undefined)('round trip of', () => {
  const files = (path: string): readonly string[] =>
    corpus === undefined ? [] : readdirSync(join(corpus, path)).map((f) => join(corpus, path, f));

  test("every manifest of NVIDIA's", () => {
    for (const file of files('upstream/examples')) expectRoundTrip(parse(readFileSync(file, 'utf8')));
  });

  test('every recorded input', () => {
    const seen = new Set<string>();
    for (const file of files('conformance/render')) {
      const { input } = JSON.parse(readFileSync(file, 'utf8')) as { input: Json[] };
      if (!seen.has(JSON.stringify(input))) expectRoundTrip(input);
      seen.add(JSON.stringify(input));
    }
  });
});

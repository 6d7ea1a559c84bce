// Compiles what import writes: for every example, for odd objects and, where it is there, for the corpus.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importObjects } from '../../lib/graph/import/program.ts';
import type { Json } from '../../lib/json/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';

const root = resolve(import.meta.dirname, '../..');
const corpus = process.env['DYNAMO_CORPUS'];
const folder = mkdtempSync(join(tmpdir(), 'import-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (text: string): readonly Json[] => readManifests(text, 'test.yaml').documents.map((d) => d.value);
const read = (file: string): readonly Json[] => parse(readFileSync(file, 'utf8'));
const yamlBelow = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.yaml'))
    .map((f) => join(path, f));

const worker = (more: string): string => `
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: { name: odd }
spec:
  pvcs: [{ name: weights, create: false }, { name: kernels, create: false }]
  services:
    W:
      componentType: worker
      replicas: 1
      ${more}
`;
const kernels =
  'volumeMounts: [{ name: weights, mountPoint: /w }, { name: kernels, mountPoint: /k, useAsCompilationCache: true }]';
const run = (command: string): string => `${kernels}\n      extraPodSpec: { mainContainer: { image: i, command: ${command} } }`;

/** Objects that were written as code which did not compile, or could be. */
const odd: Readonly<Record<string, string>> = {
  'kernels-of-a-shell': worker(run('[sh, -c], args: ["./run.sh"]')),
  'kernels-of-sglang': worker(run('[python3, -m, dynamo.sglang], args: [--model-path, a/b, --served-model-name, a/b]')),
  'keys-like-values':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { 1: "1", true: "true", "\'a\'": a, x: "x" }\n',
  'numbers-as-keys': worker('labels: { "1": "1", "2": "3" }'),
  'a-large-integer': worker('extraPodSpec: { activeDeadlineSeconds: 9007199254740993 }'),
  quantities: worker('resources: { limits: { cpu: "2 cores", gpu: "1", custom: { "rdma/ib": all, "a/b": 1e3 } } }'),
  'an-unknown-transfer': worker(
    'extraPodSpec: { mainContainer: { image: i, command: [python3, -m, dynamo.sglang], args: [--model-path, a, --served-model-name, a, --disaggregation-mode, prefill, --disaggregation-transfer-backend, fake, --disaggregation-bootstrap-port, "1"] } }',
  ),
  'an-unknown-system':
    'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeploymentRequest\nmetadata: { name: r }\nspec: { model: m, backend: vllm, profilingConfig: { profilerImage: p, config: { sla: { isl: 1, osl: 1, ttft: 1, itl: 1 }, sweep: { useAiConfigurator: true, aicSystem: z100 } } } }\n',
  'a-wrong-type': worker('replicas: "1"').replace('replicas: 1\n', ''),
  'restart-and-ingress': worker('ingress: { enabled: true, host: h }').replace(
    '  pvcs:',
    '  restart: { id: "1", strategy: { type: Parallel } }\n  pvcs:',
  ),
};

test('everything that import writes type-checks', () => {
  const inputs = new Map<string, readonly Json[]>([
    ...yamlBelow(join(root, 'examples')).map((f): [string, readonly Json[]] => [f, read(f)]),
    ...Object.entries(odd).map(([name, text]): [string, readonly Json[]] => [name, parse(text)]),
    ...(corpus === undefined ? [] : yamlBelow(join(corpus, 'upstream/examples'))).map((f): [string, readonly Json[]] => [
      f,
      read(f),
    ]),
    ...recordings().map((input, index): [string, readonly Json[]] => [`recording-${index}`, input]),
  ]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'written'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  let number = 0;
  for (const values of inputs.values()) {
    if (values.length === 0) continue;
    number += 1;
    writeFileSync(join(folder, 'written', `${number}.ts`), importObjects(values, { chart: 'graph' }));
    writeFileSync(
      join(folder, 'written', `${number}-function.ts`),
      importObjects(values, { chart: 'graph', functionName: 'add' }),
    );
  }
  const compilerOptions = {
    paths: { 'dynamo-cdk8s': [join(root, 'lib/index.ts')] },
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['written'], exclude: [] }),
  );
  expect(number).toBeGreaterThan(60);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

/** The different inputs of the recordings. */
function recordings(): readonly (readonly Json[])[] {
  if (corpus === undefined) return [];
  const all = ['conformance/render', 'conformance/examples'].flatMap((path) =>
    readdirSync(join(corpus, path)).map(
      (f) => (JSON.parse(readFileSync(join(corpus, path, f), 'utf8')) as { input: Json[] }).input,
    ),
  );
  return [...new Map(all.map((input) => [JSON.stringify(input), input])).values()];
}

test.skipIf(corpus === undefined)('the median of the corpus is below half of its YAML, and nothing is longer', () => {
  const isCode = (line: string): boolean => !/^\s*(?:#|\/\/|$)/.test(line);
  const count = (text: string): number => text.split('\n').filter(isCode).length;
  const ratios = yamlBelow(join(corpus ?? '', 'upstream/examples')).map((file) => {
    const text = readFileSync(file, 'utf8');
    return count(importObjects(parse(text), { chart: 'graph', lines: count(text) })) / count(text);
  });
  ratios.sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
  console.log(`import: ${ratios.length} files, median ${median.toFixed(2)} of the YAML, longest ${ratios.at(-1)?.toFixed(2)}`);
  expect(median).toBeLessThan(0.5);
  expect(ratios.at(-1)).toBeLessThanOrEqual(1);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'esbuild';
import { DynamoLint, type Violation } from '../../lib/lint-plugin/dynamo-lint.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'lint-plugin-'));

/** An app that writes one graph with two GPUs for an engine that wants `tensor`. */
function app(tensor: number): string {
  return `const { App, Chart, ApiObject } = require('cdk8s');
const app = new App();
const chart = new Chart(app, 'graphs');
const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
new ApiObject(chart, 'graph', {
  apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', metadata: { name: 'demo' },
  spec: { services: {
    Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image } } },
    Worker: { componentType: 'worker', replicas: 1, envFromSecret: 'hf-token-secret', resources: { limits: { gpu: '2' } },
      extraPodSpec: { mainContainer: { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'Qwen/Qwen3-0.6B', '--tensor-parallel-size', '${tensor}'] } } },
  } },
});
app.synth();
`;
}

function synth(tensor: number, properties: string): { readonly status: number | null; readonly output: string } {
  writeFileSync(join(folder, 'main.cjs'), app(tensor));
  const validation = `  - package: ./lint-plugin.cjs\n    version: 0.1.0\n    class: DynamoLint\n    properties: ${properties}\n`;
  writeFileSync(join(folder, 'cdk8s.yaml'), `language: typescript\napp: node main.cjs\nvalidations:\n${validation}`);
  const run = spawnSync(process.execPath, [join(root, 'node_modules/cdk8s-cli/bin/cdk8s'), 'synth', '--no-check-upgrade'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'lint-plugin.cjs');
  await build({
    entryPoints: [join(root, 'lib/lint-plugin/dynamo-lint.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
  execFileSync(process.execPath, ['-e', `require(${JSON.stringify(outfile)})`]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('lets cdk8s synth pass and prints warnings', () => {
  const { status, output } = synth(2, '{}');
  expect(output).toContain('worker with several GPUs has the default 8Gi of /dev/shm');
  expect(status).toBe(0);
});

test('fails cdk8s synth on an error, with the rule, the construct and what to do', () => {
  const { status, output } = synth(4, '{}');
  expect(status).not.toBe(0);
  expect(output).toContain('DYN-GPU-001');
  expect(output).toContain('graphs/graph');
  expect(output).toContain('engine needs 4 GPUs (tensor 4), got 2; set resources.limits.gpu to "4"');
});

test('counts warnings as failures, or not at all, when told so', async () => {
  const manifest = join(folder, 'warn.yaml');
  const graph = {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'demo' },
    spec: { services: { Frontend: { replicas: 1 } } },
  };
  writeFileSync(manifest, JSON.stringify(graph));
  const outcome = async (warnings: 'print' | 'fail' | 'ignore') => {
    const [log, rules, status]: [string[], string[], string[]] = [[], [], []];
    const report = { addViolation: (v: Violation) => rules.push(v.ruleName.slice(0, 12)), submit: (s: string) => status.push(s) };
    await new DynamoLint({ warnings }).validate({ manifests: [manifest], logger: { log: (line) => log.push(line) }, report });
    return [log.length > 0, rules.includes('DYN-ROLE-003'), ...status];
  };
  // a frontend without an image is refused, so the status is a failure each time
  expect(await Promise.all((['print', 'fail', 'ignore'] as const).map(outcome))).toEqual([
    [true, false, 'failure'],
    [false, true, 'failure'],
    [false, false, 'failure'],
  ]);
});

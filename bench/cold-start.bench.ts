// Start-up as people feel it: wall time of one command, as a ratio to `node -e 0` in the same run. Medians, alternating, so that a busy machine slows both.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const rounds = 15;
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bench-'));
const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata:
  name: demo
spec:
  backendFramework: vllm
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec:
        mainContainer:
          image: example.com/frontend:1.0
    Worker:
      componentType: worker
      replicas: 2
      resources:
        limits:
          gpu: "1"
      extraPodSpec:
        mainContainer:
          image: example.com/worker:1.0
          command: [python3, -m, dynamo.vllm]
          args: [--model, example/model]
`;

function measure(args: readonly string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

try {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'graph.yaml'), graph);
  execFileSync(process.execPath, ['scripts/build.mjs', '--cli-only', '--outdir', join(folder, 'build')], { cwd: root });
  const bin = join(folder, 'build/cli/dynamo-cdk8s.js');
  const cases = [
    { name: 'node -e 0', args: ['-e', '0'], limit: 1 },
    { name: '--version', args: [bin, '--version'], limit: 1.6 },
    { name: 'validate -f graph.yaml', args: [bin, 'validate', '-f', 'graph.yaml'], limit: 4 },
    { name: 'render -f graph.yaml', args: [bin, 'render', '-f', 'graph.yaml'], limit: 5 },
  ].map((one) => ({ ...one, times: [] as number[] }));
  for (const { args } of cases) measure(args);
  for (let round = 0; round < rounds; round++) for (const { args, times } of cases) times.push(measure(args));
  const base = median(cases[0]?.times ?? []);
  console.log(`${'command'.padEnd(26)}${'ms'.padStart(8)}${'ratio'.padStart(8)}${'limit'.padStart(8)}`);
  for (const { name, times, limit } of cases) {
    const time = median(times);
    console.log(
      `${name.padEnd(26)}${time.toFixed(0).padStart(8)}${(time / base).toFixed(2).padStart(8)}${limit.toFixed(1).padStart(8)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

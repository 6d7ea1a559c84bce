// `cdk8s synth` of this repository, as a ratio to the same command for an app with one empty chart. Medians, alternating.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const rounds = 5;
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bench-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'cdk8s.yaml'), 'language: typescript\napp: node --import tsx main.ts\n');
writeFileSync(
  join(folder, 'main.ts'),
  "import { App, Chart } from 'cdk8s';\nconst app = new App();\nnew Chart(app, 'empty');\napp.synth();\n",
);

function measure(cwd: string, output: string): number {
  const cli = join(root, 'node_modules/cdk8s-cli/bin/cdk8s');
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [cli, 'synth', '--no-check-upgrade', '--output', output], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const times: { readonly empty: number[]; readonly ours: number[] } = { empty: [], ours: [] };
for (let i = 0; i < rounds; i++) {
  times.empty.push(measure(folder, join(folder, 'empty')));
  times.ours.push(measure(root, join(folder, 'ours')));
}
rmSync(folder, { recursive: true });
const [empty, ours] = [median(times.empty), median(times.ours)];
console.table({
  'an empty app': { ms: Math.round(empty), ratio: '1.00', wanted: '' },
  'CRDs, platform and a graph': { ms: Math.round(ours), ratio: (ours / empty).toFixed(2), wanted: 'at most 2' },
});

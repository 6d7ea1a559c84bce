// `dynamo-cdk8s platform` for the default values, as a ratio to `helm template` of the chart we generate. Medians, alternating.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findTool } from '../tools/find.ts';

const rounds = 11;
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bench-'));
const helm = await findTool('helm');

function run(command: string, argv: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, argv, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--cli-only', '--outdir', join(folder, 'build')], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) throw new Error('the command line does not build');
const ours = join(folder, 'build/cli/dynamo-cdk8s.js');
writeFileSync(join(folder, 'values.json'), '{}');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
run(process.execPath, [ours, 'gitops', '-f', 'values.json', '--layout', 'helm', '-o', 'chart']);

const times: { readonly helm: number[]; readonly ours: number[] } = { helm: [], ours: [] };
for (let i = 0; i < rounds; i++) {
  times.helm.push(run(helm, ['template', 'dynamo-platform', 'chart', '-n', 'dynamo-system', '-f', 'values.json']));
  times.ours.push(run(process.execPath, [ours, 'platform', '-f', 'values.json']));
}
rmSync(folder, { recursive: true });
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const [theirs, own] = [median(times.helm), median(times.ours)];
console.table({
  'helm template': { ms: Math.round(theirs), ratio: '1.00', wanted: '' },
  'dynamo-cdk8s platform': { ms: Math.round(own), ratio: (own / theirs).toFixed(2), wanted: 'below 1' },
});

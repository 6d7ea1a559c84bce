// `dynamo-cdk8s platform` for the default values, as a ratio to `helm template` of the chart we generate. Medians, alternating.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { toYamlDocuments } from '../lib/manifest/index.ts';
import { renderPlatform } from '../lib/platform/platform.ts';
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

const rows = {
  'helm template': () => run(helm, ['template', 'dynamo-platform', 'chart', '-n', 'dynamo-system', '-f', 'values.json']),
  'dynamo-cdk8s platform': () => run(process.execPath, [ours, 'platform', '-f', 'values.json']),
  'node -e 0, the floor of any command of ours': () => run(process.execPath, ['-e', '0']),
  'the same objects in a process that runs already, as at synth': () => {
    const start = performance.now();
    toYamlDocuments(renderPlatform({}).objects);
    return performance.now() - start;
  },
};
const times = new Map(Object.keys(rows).map((name): [string, number[]] => [name, []]));
for (let i = 0; i < rounds; i++) for (const [name, measure] of Object.entries(rows)) times.get(name)?.push(measure());
rmSync(folder, { recursive: true });
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const baseline = median(times.get('helm template') ?? []);
console.table(
  Object.fromEntries(
    [...times].map(([name, list]) => [name, { ms: Math.round(median(list)), ratio: (median(list) / baseline).toFixed(2) }]),
  ),
);

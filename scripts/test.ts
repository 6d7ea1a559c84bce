// `npm test`: build, types, lint, format, then every test. Ends with `N passed, N failed, N skipped` from the runner's report.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
}

const checks = [
  ['build', 'node', ['scripts/build.mjs']],
  ['types', 'npx', ['tsc', '--noEmit']],
  ['lint', 'npx', ['oxlint', '--type-aware', '--deny-warnings']],
  ['format', 'npx', ['prettier', '--check', '--log-level', 'warn', '.']],
] as const;

function run(command: string, argv: readonly string[]): number {
  return spawnSync(command, argv, { stdio: 'inherit' }).status ?? 1;
}

const broken: string[] = [];
for (const [name, command, argv] of checks) {
  console.error(`== ${name}`);
  if (run(command, argv) !== 0) broken.push(name);
}

/** Two runners side by side, one for each core: what shares a control plane in one, the rest in the other. */
const lanes = [['cluster'], ['unit', 'package', 'operations']] as const;

async function runLane(
  projects: readonly string[],
  file: string,
  output: 'inherit' | 'pipe',
): Promise<{ readonly status: number; readonly text: string }> {
  const argv = [
    'vitest',
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...projects.map((p) => `--project=${p}`),
    ...process.argv.slice(2),
  ];
  const child = spawn('npx', argv, { stdio: ['ignore', output, output] });
  const texts = [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream)));
  await once(child, 'exit');
  return { status: child.exitCode ?? 1, text: (await Promise.all(texts)).join('') };
}

console.error('== tests');
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-test-'));
const files = lanes.map((projects) => join(folder, `${projects.join('-')}.json`));
const ended = await Promise.all(
  lanes.map(async (projects, i) => runLane(projects, files[i] ?? '', i === 0 ? 'inherit' : 'pipe')),
);
for (const lane of ended) process.stderr.write(lane.text);
const reports = files.map((file): Report => JSON.parse(readFileSync(file, 'utf8')));
rmSync(folder, { recursive: true });

for (const name of broken) console.error(`failed before the tests: ${name}`);
const sum = (count: (report: Report) => number): number => reports.reduce((total, report) => total + count(report), 0);
const [passed, failed] = [sum((r) => r.numPassedTests), sum((r) => r.numFailedTests)];
if (sum((r) => r.numFailedTestSuites) > 0 && failed === 0) console.error('a test file failed to load: see above');
console.log(`${passed} passed, ${failed} failed, ${sum((r) => r.numPendingTests + r.numTodoTests)} skipped`);
process.exitCode = broken.length > 0 || ended.some((lane) => lane.status !== 0) || reports.some((r) => !r.success) ? 1 : 0;

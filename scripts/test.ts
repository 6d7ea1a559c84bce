// `npm test`: build, types, lint, format, then every test. Ends with `N passed, N failed, N skipped` from the runner's report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

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

console.error('== tests');
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-test-'));
const file = join(folder, 'report.json');
const status = run('npx', [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${file}`,
  ...process.argv.slice(2),
]);
const report: Report = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });

for (const name of broken) console.error(`failed before the tests: ${name}`);
if (report.numFailedTestSuites > 0 && report.numFailedTests === 0) console.error('a test file failed to load: see above');
console.log(
  `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests + report.numTodoTests} skipped`,
);
process.exitCode = broken.length > 0 || status !== 0 || !report.success ? 1 : 0;

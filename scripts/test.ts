/**
 * `npm test`: tools and build, then types, lint and format beside every test; `npm run test:long` runs every case of every proof and keeps the results in
 * docs/long-tests.md.
 * The last line is `N passed, N failed, N skipped`, from the runner's own report. Words after `--` go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { missingTools } from '../tools/find.ts';
import { toolsForTests } from '../tools/versions.ts';
import { longTestsPage } from './long-tests-page.ts';
import { runAside, runLanes, type TestReport } from './test-lanes.ts';

const words = process.argv.slice(2);
const long = words.includes('--long');
const filters = words.filter((word) => word !== '--long');
if (long) process.env['LONG'] = '1';

/** Whether a test that needs a control plane is among those the words choose. */
function runsClusterTests(): boolean {
  const files = readdirSync('test/cluster', { recursive: true, encoding: 'utf8' }).map((file) => `test/cluster/${file}`);
  const chosen = filters.filter((word) => !word.startsWith('-'));
  return chosen.length === 0 || chosen.some((word) => files.some((file) => file.includes(word)));
}

/** Programs are built first and in the foreground, so that no test waits for one. */
function buildTools(): readonly string[] {
  const names = toolsForTests(long);
  if (!runsClusterTests() || missingTools(names).length > 0) return [];
  return ['node', '--import', 'tsx', 'tools/build.ts', ...names];
}

function run([command = '', ...argv]: readonly string[], quiet = false): boolean {
  return spawnSync(command, argv, { stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'] }).status === 0;
}

type Step = readonly [name: string, command: readonly string[]];

/** What tests need. */
const first: readonly Step[] = [
  ['tools', buildTools()],
  ['build', ['node', 'scripts/build.mjs']],
];
/** What no test needs, one after the other while they run. */
const beside: readonly Step[] = [
  ['types', ['npx', 'tsc', '--noEmit']],
  ['lint', ['npx', 'oxlint', '--type-aware', '--deny-warnings']],
  ['format', ['npx', 'prettier', '--check', '--log-level', 'warn', '.']],
];

const longTests = 'docs/long-tests.md';

/** What the page said before of files that were not run this time. */
function earlier(): string {
  return filters.length > 0 && existsSync(longTests) ? readFileSync(longTests, 'utf8') : '';
}

const broken: string[] = [];
for (const [name, command] of first.filter(([, [program]]) => program !== undefined)) {
  console.error(`== ${name}`);
  if (!run(command, name === 'tools')) broken.push(name);
}

async function runBeside(): Promise<void> {
  for (const [name, command] of beside) if ((await runAside(command)) !== 0) broken.push(name);
}

console.error('== tests, types, lint, format');
const [{ reports, failed }] = await Promise.all([runLanes(filters), runBeside()]);
for (const name of broken) console.error(`failed: ${name}`);
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const counts = {
  passed: sum((r) => r.numPassedTests),
  failed: sum((r) => r.numFailedTests),
  skipped: sum((r) => r.numPendingTests + r.numTodoTests),
};
if (sum((r) => r.numFailedTestSuites) > 0 && counts.failed === 0) console.error('a test file failed to load: see above');
if (long && !filters.some((word) => /^(-t|--testNamePattern)/.test(word)))
  writeFileSync(longTests, longTestsPage(reports, earlier()));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = broken.length > 0 || failed ? 1 : 0;

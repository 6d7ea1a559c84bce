/**
 * `npm test`: builds tools and package, then runs all tests in parallel with the checks of types, lint and format. `npm run test:long` runs every case of
 * every test and writes the results to docs/long-tests.md. The last line is `N passed, N failed, N skipped`, from the reports of vitest. Arguments after
 * `--` are passed to vitest.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { missingTools } from '../tools/find.ts';
import { toolNames } from '../tools/versions.ts';
import { longTestsPage } from './long-tests-page.ts';
import { runInBackground, runLanes, type TestReport } from './test-lanes.ts';

const args = process.argv.slice(2);
const long = args.includes('--long');
const filters = args.filter((argument) => argument !== '--long');
if (long) process.env['LONG'] = '1';

/** Whether the filters select a test that needs a control plane. */
function runsClusterTests(): boolean {
  const files = ['test/cluster', 'test/operator'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const paths = filters.filter((filter) => !filter.startsWith('-'));
  return paths.length === 0 || paths.some((path) => files.some((file) => file.includes(path)));
}

/** The command that builds the tools before any test runs, so that no test waits for one; empty if none is needed or Go is missing. */
function buildToolsCommand(): readonly string[] {
  if (!runsClusterTests() || missingTools(toolNames).length > 0) return [];
  return ['node', '--import', 'tsx', 'tools/build.ts'];
}

function run([command = '', ...argv]: readonly string[], quiet = false): boolean {
  return spawnSync(command, argv, { stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'] }).status === 0;
}

type Step = readonly [name: string, command: readonly string[]];

/** Steps that tests depend on. */
const stepsBefore: readonly Step[] = [
  ['tools', buildToolsCommand()],
  ['build', ['node', 'scripts/build.mjs']],
];
/** Steps that run in sequence, in parallel to the tests. */
const stepsBeside: readonly Step[] = [
  ['types', ['npx', 'tsc', '--noEmit']],
  ['lint', ['npx', 'oxlint', '--type-aware', '--deny-warnings']],
  ['format', ['npx', 'prettier', '--check', '--log-level', 'warn', '.']],
];

const longTests = 'docs/long-tests.md';

/** The current page, whose rows stay for files that this run does not test. */
function earlierPage(): string {
  return filters.length > 0 && existsSync(longTests) ? readFileSync(longTests, 'utf8') : '';
}

/** The commit whose code is tested, with a `+` if files have changed since; the page itself does not count. */
function testedCommit(): string {
  const git = (...argv: readonly string[]): string => execFileSync('git', argv, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', '.', `:!${longTests}`);
  return `${git('rev-parse', '--short=7', 'HEAD')}${changed === '' ? '' : '+'}`;
}

const commit = long ? testedCommit() : '';
const failedSteps: string[] = [];
for (const [name, command] of stepsBefore.filter(([, [program]]) => program !== undefined)) {
  console.error(`== ${name}`);
  if (!run(command, name === 'tools')) failedSteps.push(name);
}

async function runStepsBeside(): Promise<void> {
  for (const [name, command] of stepsBeside) if ((await runInBackground(command)) !== 0) failedSteps.push(name);
}

console.error('== tests, types, lint, format');
const [{ reports, failed }] = await Promise.all([runLanes(filters), runStepsBeside()]);
for (const name of failedSteps) console.error(`failed: ${name}`);
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const counts = {
  passed: sum((r) => r.numPassedTests),
  failed: sum((r) => r.numFailedTests),
  skipped: sum((r) => r.numPendingTests + r.numTodoTests),
};
if (sum((r) => r.numFailedTestSuites) > 0 && counts.failed === 0) console.error('a test file failed to load: see above');
if (long && !filters.some((filter) => /^(-t|--testNamePattern)/.test(filter)))
  writeFileSync(longTests, longTestsPage(reports, commit, earlierPage()));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failedSteps.length > 0 || failed ? 1 : 0;

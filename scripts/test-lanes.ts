/** Runs the tests as vitest processes side by side: while one waits for a control plane, another computes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What vitest's JSON reporter writes, as far as it is read here. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Projects of vitest.config.ts. A lane runs one file at a time; `network` and `installed` are run by tests of `cluster` and `operator`. */
const lanes = [
  ['unit', 'package'],
  ['cluster', 'operator-on-platform'],
  ['operator', 'operations'],
] as const;

/** Runs every lane and prints what they say, line by line. */
export async function runLanes(
  words: readonly string[],
): Promise<{ readonly reports: readonly TestReport[]; readonly failed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-test-'));
  const files = lanes.map((projects) => join(folder, `${projects.join('-')}.json`));
  // Tests that run others in a network namespace keep the reports of those here.
  const nested = join(folder, 'nested');
  mkdirSync(nested);
  process.env['TEST_REPORTS'] = nested;
  const ended = await Promise.all(lanes.map(async (projects, lane) => runLane(projects, words, files[lane] ?? '')));
  const written = [...files, ...readdirSync(nested).map((file) => join(nested, file))];
  const reports = written.map((file): TestReport => JSON.parse(readFileSync(file, 'utf8')));
  rmSync(folder, { recursive: true });
  return { reports, failed: ended.some((status) => status !== 0) || reports.some((report) => !report.success) };
}

async function runLane(projects: readonly string[], words: readonly string[], file: string): Promise<number> {
  const argv = [
    'vitest',
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...projects.map((project) => `--project=${project}`),
    ...words,
  ];
  return runAside(['npx', ...argv]);
}

/** Runs a command beside others; its lines go to stderr whole. Returns the exit code. */
export async function runAside([command = '', ...argv]: readonly string[]): Promise<number> {
  const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'pipe'], env });
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => void process.stderr.write(`${line}\n`));
  await once(child, 'close');
  return child.exitCode ?? 1;
}

/** Runs the tests as parallel vitest processes: while one waits for a control plane, another uses the processor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The fields used here of the report that vitest's JSON reporter writes. */
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

/** Unit tests never wait and end last, so that on two cores one worker would leave a core unused in the end. */
const unitWorkers = Math.max(2, availableParallelism() - 1);

/** The vitest projects of each process, and its own arguments. Tests of `cluster` and `operator` run the projects `network` and `installed`. */
const lanes: readonly { readonly projects: readonly string[]; readonly argv?: readonly string[] }[] = [
  { projects: ['unit', 'package'], argv: [`--maxWorkers=${unitWorkers}`] },
  { projects: ['cluster', 'operator-on-platform'] },
  { projects: ['operator', 'operations'] },
];

/** Runs all lanes and prints their output line by line. */
export async function runLanes(
  vitestArguments: readonly string[],
): Promise<{ readonly reports: readonly TestReport[]; readonly failed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-test-'));
  const files = lanes.map(({ projects }) => join(folder, `${projects.join('-')}.json`));
  // Tests that run other tests in a network namespace write the reports of those here.
  const nested = join(folder, 'nested');
  mkdirSync(nested);
  process.env['TEST_REPORTS'] = nested;
  const exitCodes = await Promise.all(
    lanes.map(async ({ projects, argv = [] }, lane) => runLane(projects, [...argv, ...vitestArguments], files[lane] ?? '')),
  );
  const written = [...files, ...readdirSync(nested).map((file) => join(nested, file))];
  const reports = written.map((file): TestReport => JSON.parse(readFileSync(file, 'utf8')));
  rmSync(folder, { recursive: true });
  return { reports, failed: exitCodes.some((status) => status !== 0) || reports.some((report) => !report.success) };
}

async function runLane(projects: readonly string[], vitestArguments: readonly string[], file: string): Promise<number> {
  const argv = [
    'vitest',
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...projects.map((project) => `--project=${project}`),
    ...vitestArguments,
  ];
  return runInBackground(['npx', ...argv]);
}

/** Runs a command in parallel to others, writes its output to stderr line by line, and returns its exit code. */
export async function runInBackground([command = '', ...argv]: readonly string[]): Promise<number> {
  const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'pipe'], env });
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => void process.stderr.write(`${line}\n`));
  await once(child, 'close');
  return child.exitCode ?? 1;
}

/** Runs the tests as two vitest processes side by side, one for each core of a small machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

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

/** Projects of vitest.config.ts: what shares a control plane in one lane, the rest in the other. `network` is run by a test of `cluster`. */
const lanes = [
  ['cluster', 'operator-on-platform', 'requests', 'operator'],
  ['unit', 'package', 'operations'],
] as const;

/** Runs every lane; the first prints as it goes, the others when they have ended. */
export async function runLanes(
  words: readonly string[],
): Promise<{ readonly reports: readonly TestReport[]; readonly failed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-test-'));
  const files = lanes.map((projects) => join(folder, `${projects.join('-')}.json`));
  const ended = await Promise.all(
    lanes.map(async (projects, lane) => runLane(projects, words, files[lane] ?? '', lane === 0 ? 'inherit' : 'pipe')),
  );
  for (const { output } of ended) process.stderr.write(output);
  const reports = files.map((file): TestReport => JSON.parse(readFileSync(file, 'utf8')));
  rmSync(folder, { recursive: true });
  return { reports, failed: ended.some(({ status }) => status !== 0) || reports.some((report) => !report.success) };
}

async function runLane(
  projects: readonly string[],
  words: readonly string[],
  file: string,
  output: 'inherit' | 'pipe',
): Promise<{ readonly status: number; readonly output: string }> {
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
  const child = spawn('npx', argv, { stdio: ['ignore', output, output] });
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream)));
  await once(child, 'exit');
  return { status: child.exitCode ?? 1, output: (await Promise.all(streams)).join('') };
}

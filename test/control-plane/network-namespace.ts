/**
 * Runs a vitest project in network and mount namespaces of its own, with everything it starts: there Services and pods can have addresses, the
 * ports of manifests are free, and what is mounted is seen by nobody else.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What vitest's JSON reporter says, as far as it is read here. */
export interface NamespaceReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Ranges of pods that tests make up, and of the Services of a control plane. */
const ranges = ['10.77.0.0/16', '10.0.0.0/16'];
const enter = `ip link set lo up && ${ranges.map((range) => `ip addr add ${range} dev lo`).join(' && ')} && exec "$@"`;
const inNamespace = ['--user', '--map-root-user', '--mount', '--net', 'sh', '-c', enter, 'sh'];

/** Whether this machine lets us make such a namespace. */
export function hasNetworkNamespaces(): boolean {
  return spawnSync('unshare', [...inNamespace, 'true']).status === 0;
}

/**
 * Runs a project, or some of its files, in a namespace; throws all it said where it ends without a report. The report is also kept in the
 * folder that TEST_REPORTS names.
 */
export async function runInNamespace(project: string, files: readonly string[] = []): Promise<NamespaceReport> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--no-file-parallelism', '--reporter=json'];
  const child = spawn('unshare', [...inNamespace, process.execPath, ...vitest, ...files], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (!stdout.startsWith('{')) throw new Error(`vitest ended with ${child.exitCode}:\n${stdout}\n${stderr}`);
  const reports = process.env['TEST_REPORTS'];
  if (reports !== undefined) await writeFile(join(reports, `${randomUUID()}.json`), stdout);
  const report: NamespaceReport = JSON.parse(stdout);
  if (!report.success) throw new Error(`tests failed in the namespace:\n${failures(stdout)}\n${stderr}`);
  return report;
}

function failures(stdout: string): string {
  const { testResults } = JSON.parse(stdout) as {
    readonly testResults: readonly {
      readonly message: string;
      readonly assertionResults: readonly { readonly fullName: string; readonly failureMessages: readonly string[] }[];
    }[];
  };
  return testResults
    .flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults.flatMap(({ fullName, failureMessages }) => failureMessages.map((words) => `${fullName}: ${words}`)),
    ])
    .filter((line) => line !== '')
    .join('\n');
}

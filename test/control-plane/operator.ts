/** Runs the operator inside a test, on the run's control plane, at ports of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Controller } from '../../lib/runtime/controller.ts';
import type { ManagerPlace } from '../../lib/runtime/manager.ts';
import type { EnvironmentVariables } from '../../lib/runtime/api/proxy.ts';
import { runOperator } from '../../lib/runtime/run-operator.ts';
import { cluster } from './cluster-test.ts';

/** How to run it. */
export interface OperatorSetting {
  readonly args?: readonly string[];
  /** Namespace of its pod. */
  readonly namespace: string;
  /** @default - the administrator's */
  readonly kubeconfig?: string;
  readonly controllers?: readonly Controller[];
  readonly environment?: EnvironmentVariables;
  readonly place?: ManagerPlace;
}

/** A line of its log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** An operator that runs. */
export interface RunningOperator {
  readonly ports: { readonly webhooks: number; readonly metrics: number; readonly probes: number };
  readonly lines: readonly LogLine[];
  /** Resolves at the first line that a test looks for, already written or yet to come. */
  readonly line: (isIt: (line: LogLine) => boolean) => Promise<LogLine>;
  /** Exit code. */
  readonly ended: Promise<number>;
  /** Stops it and returns the exit code. */
  readonly stop: () => Promise<number>;
}

/** Flags without which the operator does not start. */
export const requiredFlags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=ssh',
  '--mpi-run-ssh-secret-namespace=default',
];

/** Starts an operator; resolves when it serves. It is stopped when the test ends. */
export async function startOperator({
  args = [],
  namespace,
  kubeconfig,
  controllers = [],
  environment = {},
  place = {},
}: OperatorSetting): Promise<RunningOperator> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-operator-'));
  await writeFile(join(folder, 'namespace'), namespace);
  const stop = new AbortController();
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  let serving: (ports: RunningOperator['ports']) => void = () => {};
  const ports = new Promise<RunningOperator['ports']>((resolve) => (serving = resolve));
  const ended = runOperator({
    args: [
      `--kubeconfig=${kubeconfig ?? cluster().connection.kubeconfig}`,
      '--metrics-bind-address=127.0.0.1:0',
      '--health-probe-bind-address=127.0.0.1:0',
      '--zap-log-level=debug',
      ...requiredFlags,
      ...args,
    ],
    environment,
    version: 'test',
    controllers,
    out: () => {},
    err: (line) => {
      lines.push(JSON.parse(line));
      for (const check of waiting) check();
    },
    signal: stop.signal,
    place: { webhookPort: 0, serviceAccount: folder, onServing: serving, ...place },
  });
  const end = async (): Promise<number> => {
    stop.abort(new Error('the test ends'));
    return ended;
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true });
  });
  const failed = ended.then((code): never => {
    throw new Error(`the operator ended with ${code}: ${JSON.stringify(lines.slice(-3))}`);
  });
  return {
    ports: await Promise.race([ports, failed]),
    lines,
    line: (isIt) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = lines.find(isIt);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    ended,
    stop: end,
  };
}

/** The built operator as a process, and what it has used so far. Linux only: read from /proc. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** What a process has used since its start. */
export interface Used {
  readonly cpuSeconds: number;
  /** Resident memory now, in MB. */
  readonly residentMb: number;
  /** Bytes it has read, almost all of them from the API server. */
  readonly bytesRead: number;
}

/** An operator that runs. */
export interface MeasuredOperator {
  readonly used: () => Used;
  /** Resolves when it has written nothing and hardly worked for some seconds; what it had used before them. */
  readonly settled: () => Promise<Used>;
  readonly stop: () => Promise<void>;
}

const ticksPerSecond = 100;
const quietMs = 4000;
/** Processor time that reading its metrics takes in the quiet seconds, at most. */
const idleCpuSeconds = 0.3;

/** Starts the operator of `npm run build` and waits until it is ready. */
export async function startMeasured(
  kubeconfig: string,
  flags: readonly string[],
  ports: readonly [number, number],
): Promise<MeasuredOperator> {
  const [metrics, probes] = ports;
  const child = spawn(
    process.execPath,
    [
      resolve(import.meta.dirname, '../build/cli/dynamo-cdk8s.js'),
      'operator',
      `--kubeconfig=${kubeconfig}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      `--health-probe-bind-address=127.0.0.1:${probes}`,
      '--enable-webhooks=false',
      ...flags,
    ],
    { stdio: 'ignore', env: { ...process.env, POD_NAMESPACE: 'dynamo-system' } },
  );
  const ended = once(child, 'exit');
  const { pid = 0 } = child;
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${probes}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the operator ended with ${child.exitCode}`);
    await setTimeout(50);
  }
  const writes = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const counts = text.matchAll(/^rest_client_requests_total\{[^}]*method="(?:POST|PUT|PATCH|DELETE)"[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count = '0']) => sum + Number(count), 0);
  };
  const used = (): Used => usedBy(pid);
  return {
    used,
    settled: async () => {
      let [last, since, then] = [await writes(), Date.now(), used()];
      while (Date.now() - since < quietMs) {
        await setTimeout(500);
        const now = await writes();
        const after = used();
        if (now !== last || after.cpuSeconds - then.cpuSeconds > idleCpuSeconds) [last, since, then] = [now, Date.now(), after];
      }
      return { ...then, residentMb: used().residentMb };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function usedBy(pid: number): Used {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const stat = fields.split(' ');
  const ticks = Number(stat[11]) + Number(stat[12]);
  const number = (file: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1]);
  return {
    cpuSeconds: ticks / ticksPerSecond,
    residentMb: number('status', 'VmRSS') / 1024,
    bytesRead: number('io', 'rchar'),
  };
}

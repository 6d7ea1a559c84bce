import { Option } from 'commander';
import { flagTable, keepHeapSmall, operatorExamples } from '../runtime/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { version } from './version.ts';

/** The operator itself; it keeps the flag syntax and the exit codes of the original manager. */
export const operator: CommandDefinition = {
  description: 'Reconciles Dynamo graphs in a cluster and validates them at admission.',
  examples: operatorExamples,
  // For completion only: the flags are read by the operator itself.
  define: (command) => {
    for (const { name, type, does } of flagTable)
      command.addOption(new Option(`--${name}${type === 'bool' ? '' : ' <value>'}`, does));
  },
  runRaw: runProcess,
};

/** Runs the operator in this process until a signal stops it; a second signal ends it at once. */
export async function runProcess(args: readonly string[], io: Pick<Io, 'out' | 'err' | 'env'>): Promise<ExitCode> {
  keepHeapSmall();
  const { controllers, runOperator } = await import('../runtime/index.ts');
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`received ${signal}`));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const { out, err, env: environment } = io;
    return await runOperator({ args, environment, version, controllers, out, err, signal: stop.signal });
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

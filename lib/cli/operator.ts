import { Option } from 'commander';
import { flagTable, keepHeapSmall, operatorExamples } from '../runtime/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { type StopSignals, stopOnSignals } from './stop-on-signals.ts';
import { version } from './version.ts';

/** `dynamo-cdk8s operator`: runs the operator, with the flag syntax and the exit codes of the original manager. */
export const operator: CommandDefinition = {
  description: 'Reconciles Dynamo graphs in a cluster and validates them at admission.',
  examples: operatorExamples,
  // For completion only: the operator parses its flags itself.
  define: (command) => {
    for (const { name, type, does } of flagTable)
      command.addOption(new Option(`--${name}${type === 'bool' ? '' : ' <value>'}`, does));
  },
  runRaw: (args, io) => runProcess(args, io, stopOnSignals()),
};

/** Runs the operator in this process until a signal stops it. */
export async function runProcess(
  args: readonly string[],
  { out, err, env: environment }: Pick<Io, 'out' | 'err' | 'env'>,
  { signal, release }: StopSignals,
): Promise<ExitCode> {
  keepHeapSmall(signal);
  const { controllers, runOperator } = await import('../runtime/index.ts');
  try {
    return await runOperator({ args, environment, version, controllers, out, err, signal });
  } finally {
    release();
  }
}

/** The operator as a command: flags in, exit code out. */
import type { EnvironmentVariables } from './api/proxy.ts';
import type { Controller } from './controller.ts';
import { optimizeEarly } from './early-optimization.ts';
import { flagTable } from './flag-table.ts';
import { parseFlags } from './go-flags.ts';
import { createLog } from './log.ts';
import { runManager, type ManagerPlace } from './manager.ts';
import { operatorHelp, operatorUsage } from './operator-help.ts';
import { checkOptions, readOptions, StartError } from './options.ts';

/** Arguments, environment and output of one run of the command. */
interface OperatorRun {
  readonly args: readonly string[];
  readonly environment: EnvironmentVariables;
  readonly version: string;
  readonly controllers: readonly Controller[];
  /** Writes to standard output. */
  readonly out: (text: string) => void;
  /** Writes to standard error, where the log goes. */
  readonly err: (text: string) => void;
  /** Aborted when the process is to stop. */
  readonly signal: AbortSignal;
  readonly place?: ManagerPlace;
}

/** Runs the operator until the signal is aborted; returns 0 after a clean stop, 1 after a failure, 2 when a flag is wrong. */
export async function runOperator(run: OperatorRun): Promise<0 | 1 | 2> {
  const parsed = parseFlags(flagTable, run.args);
  if ('help' in parsed) {
    run.out(operatorHelp());
    return 0;
  }
  if ('problem' in parsed) {
    run.err(`${parsed.problem}\n${operatorUsage}\n(dynamo-cdk8s operator --help shows every flag)\n`);
    return 2;
  }
  const { environment, version, controllers, signal, place = {} } = run;
  const options = readOptions(parsed.values, environment);
  const log = createLog(options.log, { write: wherePossible(run.err), date: () => new Date() });
  const setup = log.named('setup');
  const problem = checkOptions(options);
  if (problem !== undefined) {
    setup.error(problem.message, problem.cause);
    return 1;
  }
  if (options.webhooks.enabled) optimizeEarly();
  if (parsed.rest.length > 0) setup.info('Words after the flags have no effect', { words: parsed.rest });
  try {
    await runManager({ options, controllers, environment, version, log, signal, place });
    return 0;
  } catch (error) {
    if (error instanceof StartError) setup.error(error.message, error.cause);
    else setup.error('problem running manager', error);
    return 1;
  }
}

/** A writer that does not throw: a full disk must not stop the operator, and there is no other place to report it. */
function wherePossible(write: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      write(line);
    } catch {
      return;
    }
  };
}

import { printableLines } from '../json/index.ts';
import { exitCode } from './exit-code.ts';
import { version } from './version.ts';

/** The executable: answers `--version` without loading the program, which runs everything else. */
async function main(argv: readonly string[]): Promise<void> {
  const { processIo } = await import('./process-io.ts');
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    processIo().out(`${version}\n`);
    return;
  }
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(argv, processIo(), version);
  // After a failure of the operator, open timers and connections would keep the process alive.
  if (argv[0] === 'operator') process.exit();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isOutput = error instanceof Error && error.name === 'OutputError';
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    isOutput
      ? `dynamo-cdk8s: the output cannot be written (${error.message})\n`
      : `dynamo-cdk8s: internal error, please report it: ${printableLines(details)}\n`,
  );
  process.exitCode = isOutput ? exitCode.wrongInput : exitCode.internalError;
});

import { printableLines } from '../json/index.ts';
import { exitCode } from './exit-code.ts';
import { version } from './version.ts';

/** The executable: answers `--version` without loading anything, hands everything else to the program. */
async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const [{ runProgram }, { processIo }] = await Promise.all([import('./program.ts'), import('./process-io.ts')]);
  process.exitCode = await runProgram(argv, processIo(), version);
  // What a failed operator leaves behind must not keep it from ending at once.
  if (argv[0] === 'operator') process.exit();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isOutput = error instanceof Error && error.name === 'OutputError';
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    isOutput
      ? `dynamo-cdk8s: the output cannot be written (${error.message})\n`
      : `dynamo-cdk8s: internal error, please report it: ${printableLines(text)}\n`,
  );
  process.exitCode = isOutput ? exitCode.wrongInput : exitCode.internalError;
});

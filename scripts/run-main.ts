/** Runs the main function of a script and sets the exit code. */
import process from 'node:process';

/** Exits with the result of `main`, or with 1 and the message of an error; for an unknown option also names the command that prints the help. */
export function runMain(main: (args: string[]) => number, help: string): void {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof TypeError && 'code' in error) process.stderr.write(`(${help} shows what is allowed)\n`);
    process.exitCode = 1;
  }
}

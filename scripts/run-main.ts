/** How a script ends: with the code its main function answers, or with 1 and one line that says what went wrong. */
import process from 'node:process';

/** Runs a script's main function on its arguments; an option it does not know ends with the command that shows all. */
export function runMain(main: (args: string[]) => number, help: string): void {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof TypeError && 'code' in error) process.stderr.write(`(${help} shows what is allowed)\n`);
    process.exitCode = 1;
  }
}

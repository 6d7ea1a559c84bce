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

/**
 * Throws if an option or a word of the user would have no effect: npm keeps options that are not behind `--` for itself, and passes their values on as
 * words.
 */
export function rejectWithoutEffect(words: readonly string[], options: readonly string[]): void {
  const variable = (option: string): string => `npm_config_${option.replaceAll('-', '_')}`;
  const kept = options.find((option) => process.env[variable(option)] !== undefined);
  const script = process.env['npm_lifecycle_event'] ?? 'SCRIPT';
  if (kept !== undefined) throw new Error(`--${kept}: was not passed on by npm; write npm run ${script} -- --${kept} ...`);
  const [word] = words;
  if (word !== undefined)
    throw new Error(`unexpected argument '${word}': only options are allowed, see npm run ${script} -- --help`);
}

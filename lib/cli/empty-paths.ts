import type { Command } from 'commander';

/** Options and arguments that name a file or a folder, by the placeholder in their help. */
const path = /[<[|](?:path|file|folder|dir)[>\]]/;

/**
 * Makes a command reject an empty path, as an unset variable of a shell leaves it: Node resolves it to the current folder, so that `-o "$OUT"` would
 * write there.
 */
export function rejectEmptyPaths(command: Command): Command {
  return command.hook('preAction', () => {
    for (const option of command.options) {
      const value: unknown = command.getOptionValue(option.attributeName());
      const isGiven = command.getOptionValueSource(option.attributeName()) === 'cli';
      const mayBeEmpty = option.defaultValue === '';
      if (isGiven && !mayBeEmpty && path.test(option.flags) && [value].flat().includes(''))
        command.error(`error: option '${option.flags}' must not be empty`);
    }
    for (const [index, argument] of command.registeredArguments.entries())
      if (path.test(`<${argument.name()}>`) && command.processedArgs[index] === '')
        command.error(`error: argument '${argument.name()}' must not be empty`);
  });
}

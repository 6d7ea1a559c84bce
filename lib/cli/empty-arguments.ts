import type { Command } from 'commander';

/** Options and arguments that name a file, a folder or a namespace, by their help. */
const named = /[<[|](?:path|file|folder|dir)[>\]]|--(?:[a-z]+-)?namespace <name>/;

/**
 * Makes a command reject an empty path or namespace, as an unset variable of a shell leaves it: Node resolves an empty path to the current folder, so
 * that `-o "$OUT"` would write there, and no object can be in a namespace without a name.
 */
export function rejectEmptyArguments(command: Command): Command {
  return command.hook('preAction', () => {
    for (const option of command.options) {
      const value: unknown = command.getOptionValue(option.attributeName());
      const isGiven = command.getOptionValueSource(option.attributeName()) === 'cli';
      const mayBeEmpty = option.defaultValue === '';
      if (isGiven && !mayBeEmpty && named.test(option.flags) && [value].flat().includes(''))
        command.error(`error: option '${option.flags}' must not be empty`);
    }
    for (const [index, argument] of command.registeredArguments.entries())
      if (named.test(`<${argument.name()}>`) && command.processedArgs[index] === '')
        command.error(`error: argument '${argument.name()}' must not be empty`);
  });
}

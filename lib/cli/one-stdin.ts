import type { Command } from 'commander';

/** Options whose values are read, by their help; `--output` and `--path` name places to write. */
const readOption = /^(?!.*--(?:output|path) ).*<(?:path|file|name=values)>/;

/** Whether the value of an option is stdin: `-`, or `NAME=-` for the values of an environment. */
function isStdin(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[^=]*=)?-$/.test(value);
}

/** Makes a command reject two options that read stdin: each expects other documents, and both would get the same ones. */
export function rejectSharedStdin(command: Command): Command {
  return command.hook('preAction', () => {
    const readers = command.options
      .filter(({ flags }) => readOption.test(flags))
      .filter((option) => [command.getOptionValue(option.attributeName()) as unknown].flat().some(isStdin))
      .map(({ short, long }) => short ?? long ?? '');
    if (readers.length > 1) command.error(`error: only one of ${readers.join(' and ')} can read stdin`);
  });
}

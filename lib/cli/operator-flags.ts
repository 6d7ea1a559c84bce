import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDuration } from '../api/index.ts';
import { operatorFlags } from '../render/index.ts';
import { flagTable, type FlagDefinition } from '../runtime/index.ts';

const backends = ['kubernetes', 'etcd'];

function flagParser({ name, type }: FlagDefinition): (value: string) => string {
  return (value) => {
    const problem =
      name === 'discovery-backend' && !backends.includes(value) ? 'must be kubernetes or etcd' : problemOf(type, value);
    if (problem === undefined) return value;
    throw new InvalidArgumentError(`${problem}, got ${JSON.stringify(value)}`);
  };
}

function problemOf(type: FlagDefinition['type'], value: string): string | undefined {
  if (type === 'string') return undefined;
  if (type === 'bool') return /^(1|0|t|f|true|false)$/i.test(value) ? undefined : 'must be true or false';
  if (type === 'duration') return parseDuration(value) === undefined ? 'must be a duration such as 30s, 15m or 1h30m' : undefined;
  return type.problem(value);
}

/** Adds every flag of the operator to a command; flags that do not affect rendering are accepted but hidden in `--help`. */
export function addOperatorFlags(command: Command): Command {
  for (const flag of flagTable) {
    const option = new Option(`--${flag.name} ${flag.type === 'bool' ? '[value]' : '<value>'}`, flag.does)
      .argParser(flagParser(flag))
      .helpGroup('Flags of the operator:');
    command.addOption(Object.hasOwn(operatorFlags, flag.name) ? option : option.hideHelp());
  }
  return command;
}

/** The operator flags given to a command, by flag name. */
export function operatorFlagsOf(command: Command): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const option of command.options) {
    const name = option.long?.slice(2) ?? '';
    const value: unknown = command.getOptionValue(option.attributeName());
    if (Object.hasOwn(operatorFlags, name) && typeof value === 'string') given[name] = value;
  }
  return given;
}

/** Parses arguments of the form `--name=value` into flags by name. */
export function parseArguments(args: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    args.flatMap((arg) => {
      const match = /^--?([^=]+)(?:=(.*))?$/s.exec(arg);
      return match?.[1] === undefined ? [] : [[match[1], match[2] ?? 'true'] as const];
    }),
  );
}

import { Argument } from 'commander';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode } from './exit-code.ts';
import { commands } from './commands.ts';
import { buildCommand } from './program.ts';

interface Flag {
  readonly short: string | undefined;
  readonly long: string | undefined;
  readonly does: string;
  readonly takesValue: boolean;
  /** The allowed values, if there is a fixed set. */
  readonly values: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The allowed values of the command's argument, if there is a fixed set. */
  readonly argumentValues: readonly string[];
}

const help: Flag = { short: '-h', long: '--help', does: 'display help for command', takesValue: false, values: [] };

async function describe(io: Io): Promise<readonly Entry[]> {
  return await Promise.all(
    commands.map(async (entry) => {
      const command = await buildCommand(entry, io, () => undefined);
      const flags = command.options.map((option) => ({
        short: option.short,
        long: option.long,
        does: option.description,
        takesValue: option.required || option.optional,
        values: option.argChoices ?? [],
      }));
      const argumentValues = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
      return { name: entry.name, summary: entry.summary, flags: [...flags, help], argumentValues };
    }),
  );
}

function names(flag: Flag): readonly string[] {
  return [flag.short, flag.long].filter((name) => name !== undefined);
}

/** A `case` branch for each flag with a fixed set of values; bash and zsh match the command and the word before the cursor. */
function valueBranches(entry: Entry, set: (values: string) => string): readonly string[] {
  return entry.flags
    .filter((flag) => flag.values.length > 0)
    .map(
      (flag) =>
        `    ${names(flag)
          .map((name) => `"${entry.name} ${name}"`)
          .join('|')}) ${set(flag.values.join(' '))} ;;`,
    );
}

const allNames = (entry: Entry): string => [...entry.flags.flatMap(names), ...entry.argumentValues].join(' ');

function bash(entries: readonly Entry[]): string {
  return `_dynamo_cdk8s() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" files=1
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then words="${entries.map((e) => e.name).join(' ')} help --help --version"; files=0
  else case "\${COMP_WORDS[1]}" in
${entries.map((e) => `    ${e.name}) words="${allNames(e)}" ;;`).join('\n')}
  esac; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${entries.flatMap((e) => valueBranches(e, (values) => `words="${values}"; files=0`)).join('\n')}
  esac
  case "$current" in -*) files=0 ;; esac
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current"; [ "$files" -eq 1 ] && compgen -f -- "$current")
}
complete -o filenames -F _dynamo_cdk8s dynamo-cdk8s
`;
}

function zsh(entries: readonly Entry[]): string {
  const plain = (text: string): string => text.replaceAll("'", '').replaceAll(':', '\\:');
  return `#compdef dynamo-cdk8s
_dynamo_cdk8s() {
  if (( CURRENT == 2 )); then
    local -a names=(${entries.map((e) => `'${e.name}:${plain(e.summary)}'`).join(' ')})
    _describe command names
    return
  fi
  local -a flags
  case "$words[2] $words[CURRENT-1]" in
${entries.flatMap((e) => valueBranches(e, (values) => `compadd -- ${values}; return`)).join('\n')}
  esac
  case "$words[2]" in
${entries.map((e) => `    ${e.name}) flags=(${allNames(e)}) ;;`).join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- $flags; else compadd -- \${flags:#-*}; _files; fi
}
compdef _dynamo_cdk8s dynamo-cdk8s
`;
}

function fish(entries: readonly Entry[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = entries.flatMap((entry) => {
    const inside = `complete -c dynamo-cdk8s -n '__fish_seen_subcommand_from ${entry.name}'`;
    const flags = entry.flags.map((flag) => {
      const name = [flag.short && `-s ${flag.short.slice(1)}`, flag.long && `-l ${flag.long.slice(2)}`].filter(Boolean).join(' ');
      const value = flag.values.length > 0 ? ` -xa ${quoted(flag.values.join(' '))}` : flag.takesValue ? ' -r' : '';
      return `${inside} ${name}${value} -d ${quoted(flag.does)}`;
    });
    const values = entry.argumentValues.length > 0 ? [`${inside} -xa ${quoted(entry.argumentValues.join(' '))}`] : [];
    return [
      `complete -c dynamo-cdk8s -n __fish_use_subcommand -a ${entry.name} -d ${quoted(entry.summary)}`,
      ...values,
      ...flags,
    ];
  });
  return `${lines.join('\n')}\n`;
}

const shells = { bash, zsh, fish } satisfies Record<string, (entries: readonly Entry[]) => string>;

/** `dynamo-cdk8s completion SHELL`: prints a script that completes commands, flags and their values. */
export const completion: CommandDefinition = {
  description: 'Print a completion script for a shell. Load it from the shell profile.',
  examples: [
    { command: 'source <(dynamo-cdk8s completion bash)', does: 'complete in this shell' },
    { command: 'dynamo-cdk8s completion zsh > "${fpath[1]}/_dynamo-cdk8s"', does: 'complete in every new zsh' },
    {
      command: 'dynamo-cdk8s completion fish > ~/.config/fish/completions/dynamo-cdk8s.fish',
      does: 'complete in every new fish',
    },
  ],
  define: (command, io, done) => {
    const argument = new Argument('<shell>', 'shell that loads the script').choices(Object.keys(shells));
    command.addArgument(argument).action(async (shell: keyof typeof shells) => {
      io.out(shells[shell](await describe(io)));
      done(exitCode.done);
    });
  },
};

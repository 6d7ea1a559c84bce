import { Argument } from 'commander';
import type { CommandDefinition, Io } from './command.ts';
import { commands } from './commands.ts';
import { buildCommand } from './program.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
}

async function describe(io: Io): Promise<readonly Entry[]> {
  return await Promise.all(
    commands.map(async (entry) => {
      const command = await buildCommand(entry, io, () => undefined);
      const flags = command.options.flatMap((o) => [o.short, o.long]).filter((f) => f !== undefined);
      return { name: entry.name, summary: entry.summary, flags: [...flags, '--help'] };
    }),
  );
}

const shells = {
  bash: (entries: readonly Entry[]) => `_dynamo_cdk8s() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then words="${entries.map((e) => e.name).join(' ')} --help --version"
  else case "\${COMP_WORDS[1]}" in
${entries.map((e) => `    ${e.name}) words="${e.flags.join(' ')}" ;;`).join('\n')}
  esac; fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current"; case "$current" in -*) ;; *) [ "$COMP_CWORD" -gt 1 ] && compgen -f -- "$current" ;; esac)
}
complete -o filenames -F _dynamo_cdk8s dynamo-cdk8s
`,
  zsh: (entries: readonly Entry[]) => `#compdef dynamo-cdk8s
_dynamo_cdk8s() {
  if (( CURRENT == 2 )); then
    local -a names=(${entries.map((e) => `'${e.name}:${e.summary.replaceAll("'", '')}'`).join(' ')})
    _describe command names
    return
  fi
  local -a flags
  case "$words[2]" in
${entries.map((e) => `    ${e.name}) flags=(${e.flags.join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- $flags; else _files; fi
}
compdef _dynamo_cdk8s dynamo-cdk8s
`,
  fish: (entries: readonly Entry[]) =>
    entries
      .map((e) => {
        const flags = e.flags.filter((f) => f.startsWith('--')).map((f) => `complete -c dynamo-cdk8s -n '__fish_seen_subcommand_from ${e.name}' -l ${f.slice(2)}`);
        return [`complete -c dynamo-cdk8s -n __fish_use_subcommand -a ${e.name} -d '${e.summary.replaceAll("'", '')}'`, ...flags].join('\n');
      })
      .join('\n') + '\n',
} satisfies Record<string, (entries: readonly Entry[]) => string>;

/** `dynamo-cdk8s completion SHELL`: a script that completes commands and flags. */
export const completion: CommandDefinition = {
  description: 'Print a completion script for a shell. Load it from the shell profile.',
  examples: [
    { command: 'source <(dynamo-cdk8s completion bash)', does: 'complete in this shell' },
    { command: 'dynamo-cdk8s completion zsh > "${fpath[1]}/_dynamo-cdk8s"', does: 'complete in every new zsh' },
    { command: 'dynamo-cdk8s completion fish > ~/.config/fish/completions/dynamo-cdk8s.fish', does: 'complete in every new fish' },
  ],
  define: (command, io, done) => {
    command.addArgument(new Argument('<shell>', 'the shell to write for').choices(Object.keys(shells))).action(async (shell: keyof typeof shells) => {
      io.out(shells[shell](await describe(io)));
      done(0);
    });
  },
};

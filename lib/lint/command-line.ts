import { type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import { isPython } from '../render/index.ts';
import { showValue } from '../manifest/index.ts';
import { splitShell, type VariableLookup, type ShellWord } from './shell-words.ts';

/** One argument of a container's command line and the field path that holds it. */
export interface Argument extends ShellWord {
  readonly path: Path;
}

/** A flag with the values that follow it. */
export interface Flag {
  /** As written, such as `--tp`. */
  readonly name: string;
  readonly values: readonly Argument[];
  /** Whether it was written `--flag=value`. */
  readonly inline: boolean;
  readonly path: Path;
}

/** The command that a container runs. */
export interface CommandLine {
  /** `shell` when a shell runs a script, `exec` when the program is run directly, `none` without command and args. */
  readonly form: 'exec' | 'shell' | 'none';
  /** The program and its arguments. Of a shell script, those of the command that serves. */
  readonly argv: readonly Argument[];
  /** The module after `-m`, such as `dynamo.vllm`. */
  readonly module?: string;
  /** The script that python runs when no module is given. */
  readonly script?: string;
  readonly flags: readonly Flag[];
}

const shell = /^(?:.*\/)?(?:ba|da|z|k)?sh$/;

/** Whether a program is a shell. */
export function isShell(program: string): boolean {
  return shell.test(program);
}

/** Parses the flags among arguments. `-1` and `-0.5` are values. */
function parseFlags(args: readonly Argument[]): readonly Flag[] {
  const flags: { name: string; values: Argument[]; inline: boolean; path: Path }[] = [];
  for (const argument of args) {
    const isFlag = /^--?[A-Za-z]/.test(argument.value) && !(argument.quoted && /\s/.test(argument.value));
    const last = flags.at(-1);
    if (!isFlag) {
      if (last && !last.inline) last.values.push(argument);
      continue;
    }
    const equals = argument.value.startsWith('--') ? argument.value.indexOf('=') : -1;
    if (equals < 0) flags.push({ name: argument.value, values: [], inline: false, path: argument.path });
    else
      flags.push({
        name: argument.value.slice(0, equals),
        values: [{ ...argument, value: argument.value.slice(equals + 1) }],
        inline: true,
        path: argument.path,
      });
  }
  return flags;
}

/**
 * Expands `$(NAME)` as the kubelet does: a reference that cannot be resolved stays unchanged.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */
function expandReferences(value: string, lookup: VariableLookup): string {
  return value.replace(/\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (reference, name: string) => lookup(name) ?? reference);
}

function readArguments(list: readonly Json[], path: Path, lookup: VariableLookup): readonly Argument[] {
  return list.map((item, index) => {
    const raw = typeof item === 'string' ? item : showValue(item);
    const value = expandReferences(raw, lookup);
    return { value, quoted: false, unresolved: /\$[({A-Za-z_]/.test(value), path: [...path, index] };
  });
}

/** A command from its python on, without the launcher before it: `exec`, variable assignments, `numactl`, `mpirun`. */
function fromPython(command: readonly Argument[]): readonly Argument[] {
  const start = command.findIndex((a) => isPython(a.value));
  return start < 0 ? command : command.slice(start);
}

const moduleOf = (command: readonly Argument[]): string => command[command.findIndex((a) => a.value === '-m') + 1]?.value ?? '';

/** The command of a script that serves: the last that runs a Dynamo module outside `utils`, else the last python command, else the last command. */
function servingCommand(commands: readonly (readonly Argument[])[]): readonly Argument[] {
  const all = commands.map(fromPython);
  const pythons = all.filter((command) => isPython(command[0]?.value ?? ''));
  const serving = pythons.findLast((command) => /^(?:dynamo\.(?!.*\butils\.)|planner_sla$)/.test(moduleOf(command)));
  return serving ?? pythons.at(-1) ?? all.at(-1)?.filter((a) => a.value !== 'exec') ?? [];
}

/** Replaces `"$@"` in a command with the positional parameters of the script. */
function withPositional(command: readonly Argument[], positional: readonly Argument[]): readonly Argument[] {
  return command.flatMap((a) => (a.value === '$@' ? positional : [a]));
}

/** Reads the command line of a container from its command and args, with the defaults of its component type for a missing list. */
export function readCommandLine(
  container: JsonObject,
  containerPath: Path,
  base: { readonly command: readonly string[]; readonly args: readonly string[] },
  lookup: VariableLookup,
): CommandLine {
  const ownCommand = readArguments(listAt(container, 'command'), [...containerPath, 'command'], lookup);
  const ownArgs = readArguments(listAt(container, 'args'), [...containerPath, 'args'], lookup);
  const defaults = (list: readonly string[], field: string): readonly Argument[] =>
    list.map((value) => ({ value, quoted: false, unresolved: false, path: [...containerPath, field] }));
  const args = ownArgs.length > 0 || ownCommand.length === 0 ? ownArgs : defaults(base.args, 'command');
  if (ownCommand.length === 0 && args.length === 0) return { form: 'none', argv: [], flags: [] };
  const command = ownCommand.length > 0 ? ownCommand : defaults(base.command, 'args');
  const all = [...command, ...args];
  const dashC = isShell(all[0]?.value ?? '') ? all.findIndex((a) => /^-[a-z]*c$/.test(a.value)) : -1;
  const shellScript = dashC < 0 ? undefined : all[dashC + 1];
  const argv =
    shellScript === undefined
      ? all
      : servingCommand(
          splitShell(shellScript.value, lookup).map((c) =>
            withPositional(
              c.map((word) => ({ ...word, path: shellScript.path })),
              // The argument after the script is $0, the first positional parameter comes after it.
              all.slice(dashC + 3),
            ),
          ),
        );
  const form = dashC < 0 ? 'exec' : 'shell';
  const moduleAt = isPython(argv[0]?.value ?? '') ? argv.findIndex((a) => a.value === '-m') : -1;
  const module = moduleAt < 0 ? undefined : argv[moduleAt + 1]?.value;
  const script =
    moduleAt < 0 && isPython(argv[0]?.value ?? '') ? argv.slice(1).find((a) => !/^-[A-Za-z]+$/.test(a.value))?.value : undefined;
  const isFile = script !== undefined && !script.startsWith('-');
  const rest = argv.slice(moduleAt < 0 ? 1 : moduleAt + 2);
  return {
    form,
    argv,
    ...(module === undefined ? {} : { module }),
    ...(isFile ? { script } : {}),
    flags: parseFlags(rest),
  };
}

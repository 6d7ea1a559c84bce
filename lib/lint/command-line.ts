import { type Json, type JsonObject, listAt, type Path } from '../json/index.ts';
import { showValue } from '../manifest/index.ts';
import { splitShell, type Lookup, type ShellWord } from './shell-words.ts';

/** One word of a container's command line and where it is written. */
export interface Word extends ShellWord {
  readonly path: Path;
}

/** A flag with the values that follow it. */
export interface Flag {
  /** As written, such as `--tp`. */
  readonly name: string;
  readonly values: readonly Word[];
  /** Whether it was written `--flag=value`. */
  readonly inline: boolean;
  readonly path: Path;
}

/** What a container runs. */
export interface CommandLine {
  /** `shell` when a shell reads a script, `exec` when the words are run as they are, `none` without any word. */
  readonly form: 'exec' | 'shell' | 'none';
  /** The words of the python command, or of the first command when there is none. */
  readonly words: readonly Word[];
  /** The module after `-m`, such as `dynamo.vllm`. */
  readonly module?: string;
  /** The script python runs when no module is given. */
  readonly script?: string;
  readonly flags: readonly Flag[];
}

const python = /^(?:.*\/)?python\d*(?:\.\d+)*$/;
const shell = /^(?:.*\/)?(?:ba|da|z|k)?sh$/;

/** Whether a program is python, by any path or version. */
export function isPython(program: string): boolean {
  return python.test(program);
}

/** Whether a program is a shell. */
export function isShell(program: string): boolean {
  return shell.test(program);
}

/** Reads the flags of a list of words; a word such as `-1` or `-0.5` is a value. */
function parseFlags(words: readonly Word[]): readonly Flag[] {
  const flags: { name: string; values: Word[]; inline: boolean; path: Path }[] = [];
  for (const word of words) {
    const isFlag = /^--?[A-Za-z]/.test(word.text) && !(word.quoted && /\s/.test(word.text));
    const last = flags.at(-1);
    if (!isFlag) {
      if (last && !last.inline) last.values.push(word);
      continue;
    }
    const equals = word.text.startsWith('--') ? word.text.indexOf('=') : -1;
    if (equals < 0) flags.push({ name: word.text, values: [], inline: false, path: word.path });
    else
      flags.push({
        name: word.text.slice(0, equals),
        values: [{ ...word, text: word.text.slice(equals + 1) }],
        inline: true,
        path: word.path,
      });
  }
  return flags;
}

/** Replaces `$(NAME)` as the kubelet does; names it does not know stay. */
function expandReferences(text: string, lookup: Lookup): string {
  return text.replace(/\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (whole, name: string) => lookup(name) ?? whole);
}

function words(list: readonly Json[], path: Path, lookup: Lookup): readonly Word[] {
  return list.map((item, index) => {
    const raw = typeof item === 'string' ? item : showValue(item);
    const text = expandReferences(raw, lookup);
    return { text, quoted: false, unresolved: /\$[({A-Za-z_]/.test(text), path: [...path, index] };
  });
}

/** The words from the python of a command on: what stands before it (`exec`, variables, `numactl`, `mpirun`) only starts it. */
function fromPython(command: readonly Word[]): readonly Word[] {
  const start = command.findIndex((w) => isPython(w.text));
  return start < 0 ? command : command.slice(start);
}

const moduleOf = (command: readonly Word[]): string => command[command.findIndex((w) => w.text === '-m') + 1]?.text ?? '';

/** The command of a script that serves: the last that runs a module of Dynamo which is no helper, or else the last python, or else the last. */
function servingCommand(commands: readonly (readonly Word[])[]): readonly Word[] {
  const all = commands.map(fromPython);
  const pythons = all.filter((command) => isPython(command[0]?.text ?? ''));
  const serving = pythons.findLast((command) => /^(?:dynamo\.(?!.*\butils\.)|planner_sla$)/.test(moduleOf(command)));
  return serving ?? pythons.at(-1) ?? all.at(-1)?.filter((w) => w.text !== 'exec') ?? [];
}

/** A command with the words after the script in place of `"$@"`. */
function withPositional(command: readonly Word[], positional: readonly Word[]): readonly Word[] {
  return command.flatMap((w) => (w.text === '$@' ? positional : [w]));
}

/** Reads what a container runs from its command and args, with those of its component type where it gives none. */
export function readCommandLine(
  container: JsonObject,
  containerPath: Path,
  base: { readonly command: readonly string[]; readonly args: readonly string[] },
  lookup: Lookup,
): CommandLine {
  const given = words(listAt(container, 'command'), [...containerPath, 'command'], lookup);
  const ownArgs = words(listAt(container, 'args'), [...containerPath, 'args'], lookup);
  const defaults = (list: readonly string[], field: string): readonly Word[] =>
    list.map((text) => ({ text, quoted: false, unresolved: false, path: [...containerPath, field] }));
  const args = ownArgs.length > 0 || given.length === 0 ? ownArgs : defaults(base.args, 'command');
  if (given.length === 0 && args.length === 0) return { form: 'none', words: [], flags: [] };
  const command = given.length > 0 ? given : defaults(base.command, 'args');
  const all = [...command, ...args];
  const dashC = isShell(all[0]?.text ?? '') ? all.findIndex((w) => /^-[a-z]*c$/.test(w.text)) : -1;
  const scriptWord = dashC < 0 ? undefined : all[dashC + 1];
  const line =
    scriptWord === undefined
      ? all
      : servingCommand(
          splitShell(scriptWord.text, lookup).map((c) =>
            withPositional(
              c.map((w) => ({ ...w, path: scriptWord.path })),
              // The word after the script is its name, $0.
              all.slice(dashC + 3),
            ),
          ),
        );
  const form = dashC < 0 ? 'exec' : 'shell';
  const moduleAt = isPython(line[0]?.text ?? '') ? line.findIndex((w) => w.text === '-m') : -1;
  const module = moduleAt < 0 ? undefined : line[moduleAt + 1]?.text;
  const script =
    moduleAt < 0 && isPython(line[0]?.text ?? '') ? line.slice(1).find((w) => !/^-[A-Za-z]+$/.test(w.text))?.text : undefined;
  const isFile = script !== undefined && !script.startsWith('-');
  const rest = line.slice(moduleAt < 0 ? 1 : moduleAt + 2);
  return {
    form,
    words: line,
    ...(module === undefined ? {} : { module }),
    ...(isFile ? { script } : {}),
    flags: parseFlags(rest),
  };
}

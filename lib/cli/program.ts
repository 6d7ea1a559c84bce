import { Command, CommanderError, Help } from 'commander';
import { nearestName } from '../api/index.ts';
import { printable } from '../json/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { rejectEmptyArguments } from './empty-arguments.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { commands, type CommandEntry } from './commands.ts';
import { rejectSharedStdin } from './one-stdin.ts';
import { textIo } from './text-io.ts';

const name = 'dynamo-cdk8s';

function configure(command: Command, io: Io): Command {
  return command
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`(${command.name() === name ? name : `${name} ${command.name()}`} --help shows what is allowed)`)
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (message, write) => write(escapeError(message)),
      getOutHasColors: () => io.colour.out,
      getErrHasColors: () => io.colour.err,
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
    });
}

/** Escapes control characters in a parser error, which quotes arguments; the suggestion of commander keeps its own line. */
function escapeError(message: string): string {
  const lines = message.trimEnd().split(/\n(?=\(Did you mean )/);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function helpWidth(io: Io): number {
  return Math.min(io.columns ?? 100, 120);
}

function formatExamples(definition: CommandDefinition): string {
  const lines = definition.examples.map((e) => `  ${e.command}\n      ${e.does}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

function overview(io: Io, version: string): Command {
  const root = configure(new Command(name), io)
    .description('NVIDIA Dynamo on Kubernetes, offline: check, render and package graphs and the platform')
    .version(version, '-V, --version', 'print the version')
    .usage('<command> [options]')
    .helpCommand('help [command]', 'show help for a command');
  for (const entry of commands) root.command(entry.name).summary(entry.summary).description(entry.summary);
  root.addHelpText(
    'after',
    `\nExamples:\n  ${name} validate -f graph.yaml\n  ${name} render -f graph.yaml --orchestrator grove -o tree\n  ${name} platform -f values.yaml\n`,
  );
  return root;
}

/** Builds a command with its options; completion reads the options from it too. */
export async function buildCommand(entry: CommandEntry, io: Io, done: (code: ExitCode) => void): Promise<Command> {
  const definition = await entry.load();
  const command = configure(new Command(entry.name), io)
    .summary(entry.summary)
    .description(definition.description)
    .addHelpText('after', formatExamples(definition))
    .configureHelp({ commandUsage: (c) => `${name} ${new Help().commandUsage(c)}` });
  definition.define(command, io, done);
  return rejectSharedStdin(rejectEmptyArguments(command));
}

function unknownCommand(given: string, io: Io): ExitCode {
  const near = nearestName(
    given,
    commands.map((entry) => entry.name),
  );
  io.err(
    `error: unknown command '${printable(given)}'\n${near === undefined ? '' : `(Did you mean ${near}?)\n`}(${name} --help shows what is allowed)\n`,
  );
  return exitCode.wrongInput;
}

/** Runs a command line and returns its exit code; never exits the process. */
export async function runProgram(argv: readonly string[], streams: Io, version: string): Promise<ExitCode> {
  const io = textIo(streams);
  const [first, second] = argv;
  const args = first === 'help' && second !== undefined ? [second, '--help'] : argv;
  const entry = commands.find((c) => c.name === args[0]);
  if (!entry && args[0] !== undefined && args[0] !== 'help' && !args[0].startsWith('-')) return unknownCommand(args[0], io);
  const { runRaw } = (await entry?.load()) ?? {};
  if (runRaw !== undefined) return runRaw(args.slice(1), io);
  let code: ExitCode = exitCode.done;
  const program = entry ? await buildCommand(entry, io, (c) => (code = c)) : overview(io, version);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(entry ? args.slice(1) : [...args], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.excessArguments') io.err(filesHint(program));
    return exitCodeFor(error.exitCode !== 0);
  }
}

/** A suggestion for `validate graph.yaml`, which lacks `-f`. */
function filesHint(command: Command): string {
  const takesFiles = command.options.some(({ long }) => long === '--filename');
  const [file] = command.args;
  return takesFiles && file !== undefined && !file.startsWith('-')
    ? `(Did you mean ${name} ${command.name()} -f ${printable(file)}?)\n`
    : '';
}

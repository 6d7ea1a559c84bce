import { Command, CommanderError, Help } from 'commander';
import { nearestName } from '../api/index.ts';
import { printable } from '../json/index.ts';
import type { CommandDefinition, Io } from './command.ts';
import { exitCode, exitCodeFor, type ExitCode } from './exit-code.ts';
import { commands, type CommandEntry } from './commands.ts';
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
      outputError: (text, write) => write(errorText(text)),
      getOutHasColors: () => io.colour.out,
      getErrHasColors: () => io.colour.err,
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
    });
}

/** An error of the parser: what it quotes of the command line stays on its line. */
function errorText(text: string): string {
  const lines = text.trimEnd().split(/\n(?=\(Did you mean )/);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function helpWidth(io: Io): number {
  return Math.min(io.columns ?? 100, 120);
}

function examplesText(definition: CommandDefinition): string {
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

/** Builds one command with its options, ready to parse; completion reads its options from here too. */
export async function buildCommand(entry: CommandEntry, io: Io, done: (code: ExitCode) => void): Promise<Command> {
  const definition = await entry.load();
  const command = configure(new Command(entry.name), io)
    .summary(entry.summary)
    .description(definition.description)
    .addHelpText('after', examplesText(definition))
    .configureHelp({ commandUsage: (c) => `${name} ${new Help().commandUsage(c)}` });
  definition.define(command, io, done);
  return command;
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

/** Runs one command line and returns its exit code; never ends the process. */
export async function runProgram(argv: readonly string[], streams: Io, version: string): Promise<ExitCode> {
  const io = textIo(streams);
  const [first, second] = argv;
  const asked = first === 'help' && second !== undefined ? [second, '--help'] : argv;
  const entry = commands.find((c) => c.name === asked[0]);
  if (!entry && asked[0] !== undefined && asked[0] !== 'help' && !asked[0].startsWith('-')) return unknownCommand(asked[0], io);
  const { runRaw } = (await entry?.load()) ?? {};
  if (runRaw !== undefined) return runRaw(asked.slice(1), io);
  let code: ExitCode = exitCode.done;
  const program = entry ? await buildCommand(entry, io, (c) => (code = c)) : overview(io, version);
  try {
    if (asked.length === 0) program.outputHelp();
    else await program.parseAsync(entry ? asked.slice(1) : [...asked], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.excessArguments') io.err(filesHint(program));
    return exitCodeFor(error.exitCode !== 0);
  }
}

/** For who writes `validate graph.yaml`, as many tools allow. */
function filesHint(command: Command): string {
  const takesFiles = command.options.some(({ long }) => long === '--filename');
  const [file] = command.args;
  return takesFiles && file !== undefined ? `(Did you mean ${name} ${command.name()} -f ${printable(file)}?)\n` : '';
}

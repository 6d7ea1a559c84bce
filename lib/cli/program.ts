import { Command, CommanderError, Help } from 'commander';
import type { CommandDefinition, ExitCode, Io } from './command.ts';
import { commands, type CommandEntry } from './commands.ts';

const name = 'dynamo-cdk8s';

function dress(command: Command, io: Io): Command {
  return command
    .exitOverride()
    .showHelpAfterError(`(${command.name() === name ? name : `${name} ${command.name()}`} --help shows what is allowed)`)
    .configureOutput({ writeOut: io.out, writeErr: io.err, getOutHasColors: () => io.colour.out, getErrHasColors: () => io.colour.err });
}

function examplesText(definition: CommandDefinition): string {
  const lines = definition.examples.map((e) => `  ${e.command}\n      ${e.does}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

function overview(io: Io, version: string): Command {
  const root = dress(new Command(name), io)
    .description('NVIDIA Dynamo on Kubernetes, offline: check, render and package graphs and the platform')
    .version(version, '-V, --version', 'print the version')
    .usage('<command> [options]');
  for (const entry of commands) root.command(entry.name).summary(entry.summary).description(entry.summary);
  root.addHelpText('after', `\nExamples:\n  ${name} validate -f graph.yaml\n  ${name} render -f graph.yaml --orchestrator grove -o tree\n  ${name} platform -f values.yaml\n`);
  return root;
}

/** Builds one command with its options, ready to parse; completion reads its options from here too. */
export async function buildCommand(entry: CommandEntry, io: Io, done: (code: ExitCode) => void): Promise<Command> {
  const definition = await entry.load();
  const command = dress(new Command(entry.name), io)
    .summary(entry.summary)
    .description(definition.description)
    .addHelpText('after', examplesText(definition))
    .configureHelp({ commandUsage: (c) => `${name} ${new Help().commandUsage(c)}` });
  definition.define(command, io, done);
  return command;
}

/** Runs one command line and returns its exit code; never ends the process. */
export async function runProgram(argv: readonly string[], io: Io, version: string): Promise<ExitCode> {
  let code: ExitCode = 0;
  try {
    const entry = commands.find((c) => c.name === argv[0]);
    const program = entry ? await buildCommand(entry, io, (c) => (code = c)) : overview(io, version);
    if (!entry && argv.length === 0) {
      program.outputHelp();
      return 0;
    }
    if (!entry && argv[0] === 'help' && argv[1] !== undefined) return await runProgram([argv[1], '--help'], io, version);
    await program.parseAsync(entry ? argv.slice(1) : [...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}

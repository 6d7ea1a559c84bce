import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { planFolder, writeFolder, type FolderChange, type OutputFile } from '../files/index.ts';
import { printable } from '../json/index.ts';
import type { Io } from './command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';

/** Options of every command that writes a folder. */
export interface OutputOptions {
  readonly output: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Adds `--dry-run` and `--force` to a command that writes a folder. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--dry-run', 'write nothing; print what would be created, replaced, removed and kept in the folder')
    .option('--force', 'replace files in the folder that this command did not write');
}

const changeMessages: Readonly<Record<FolderChange['change'], (edited: boolean) => string | undefined>> = {
  create: () => undefined,
  unchanged: () => undefined,
  replace: (edited) => (edited ? 'replaced, though it was changed by hand' : 'replaced'),
  remove: () => 'removed: it is no longer needed',
  keep: (edited) => (edited ? 'kept: no longer needed, but changed by hand' : 'kept: this command did not write it'),
};

/**
 * Writes the files of a command into its output folder and prints their names; replaced, removed and kept files are reported on stderr. `owner` names the
 * command and the release that write the folder, so that another release does not overwrite it.
 */
export function writeOutput(files: readonly OutputFile[], owner: string, options: OutputOptions, io: Io): ExitCode {
  const request = { folder: resolve(io.cwd, options.output), files, owner, force: options.force ?? false };
  const nameOf = (path: string): string => printable(join(options.output, path));
  const { problems, changes } = options.dryRun ? planFolder(request) : writeFolder(request);
  for (const { path, message } of problems) io.err(`${nameOf(path)}: ${message}\n`);
  if (problems.length > 0) return exitCode.wrongInput;
  if (options.dryRun) {
    io.out(
      changes.map(({ path, change, edited }) => `${change} ${nameOf(path)}${edited ? ' (changed by hand)' : ''}\n`).join(''),
    );
    return exitCode.done;
  }
  for (const { path, change, edited } of changes) {
    const message = changeMessages[change](edited);
    if (message !== undefined) io.err(`${nameOf(path)}: ${message}\n`);
  }
  const kept = new Set(changes.filter((c) => c.change === 'keep').map((c) => c.path));
  io.out(
    files
      .filter((f) => !kept.has(f.path))
      .map((f) => `${nameOf(f.path)}\n`)
      .join(''),
  );
  return exitCode.done;
}

import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';

/** The streams, working directory and environment variables of a command. */
export interface Io {
  /** Writes data to stdout. */
  readonly out: (data: string) => void;
  /** Writes messages (errors, warnings, progress) to stderr. */
  readonly err: (message: string) => void;
  /** Reads all bytes of stdin; undefined if there are more than `limit`. */
  readonly stdin: (limit: number) => Promise<Uint8Array | undefined>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether each stream is a terminal that shows colours; NO_COLOR (https://no-color.org) turns them off. */
  readonly colour: { readonly out: boolean; readonly err: boolean };
  /** Width of the terminal, if there is one. */
  readonly columns?: number | undefined;
}

/** An example in `--help`: the command and what it does. */
interface Example {
  readonly command: string;
  readonly does: string;
}

/** A command of the command line. */
export interface CommandDefinition {
  readonly description: string;
  readonly examples: readonly Example[];
  /** Adds arguments, options, and an action that passes its exit code to `done`. */
  readonly define: (command: Command, io: Io, done: (code: ExitCode) => void) => void;
  /** Runs a command that parses its own arguments; `define` is then used for completion only. */
  readonly runRaw?: (args: readonly string[], io: Io) => Promise<ExitCode>;
}

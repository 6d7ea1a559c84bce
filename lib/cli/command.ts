import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';

/** What a command may touch: its streams, its folder, its environment. */
export interface Io {
  /** Writes data to stdout. */
  readonly out: (text: string) => void;
  /** Writes talk (warnings, progress, problems) to stderr. */
  readonly err: (text: string) => void;
  /** Reads all of stdin as bytes; undefined where it has more than the limit. */
  readonly stdin: (limit: number) => Promise<Uint8Array | undefined>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether each stream may be coloured: a terminal, and NO_COLOR is not set. */
  readonly colour: { readonly out: boolean; readonly err: boolean };
  /** Width of the terminal, if there is one. */
  readonly columns?: number | undefined;
}

/** A line of `--help`: what to type and what it does. */
interface Example {
  readonly command: string;
  readonly does: string;
}

/** One command of the command line; its file holds this and little else. */
export interface CommandDefinition {
  readonly description: string;
  readonly examples: readonly Example[];
  /** Adds arguments and options, and an action that hands its exit code to `done`. */
  readonly define: (command: Command, io: Io, done: (code: ExitCode) => void) => void;
  /** Runs the command with its arguments as they were typed, for one that reads them itself; `define` then serves completion alone. */
  readonly runRaw?: (args: readonly string[], io: Io) => Promise<ExitCode>;
}

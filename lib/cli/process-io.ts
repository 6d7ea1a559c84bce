import { writeSync } from 'node:fs';
import { fileSystemReason, readStream } from '../files/index.ts';
import type { Io } from './command.ts';

/** Thrown if stdout or stderr cannot be written, for example on a full disk. */
class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Writes a whole string to a file descriptor and waits while a pipe is full, so that no output is lost on exit. */
function writeAll(descriptor: number, content: string): void {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (code === 'EPIPE')
        return; // the reader closed the pipe, as `head` does
      else throw new OutputError(fileSystemReason(error));
    }
  }
}

/** The streams, working directory and environment variables of this process. */
export function processIo(): Io {
  const coloured = (stream: NodeJS.WriteStream): boolean =>
    stream.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return {
    out: (data) => writeAll(1, data),
    err: (message) => writeAll(2, message),
    stdin: async (limit) => await readStream(process.stdin, limit),
    cwd: process.cwd(),
    env: process.env,
    colour: { out: coloured(process.stdout), err: coloured(process.stderr) },
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  };
}

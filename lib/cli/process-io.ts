import { writeSync } from 'node:fs';
import { fileSystemReason, readStream } from '../files/index.ts';
import type { Io } from './command.ts';

/** Thrown where stdout or stderr takes no more, as on a full disk. */
class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Writes all of a text to a descriptor, waiting where a pipe is full, so that an exit loses nothing. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (code === 'EPIPE')
        return; // the reader has seen enough, as with `| head`
      else throw new OutputError(fileSystemReason(error));
    }
  }
}

/** The process's own streams, folder and environment. */
export function processIo(): Io {
  const coloured = (stream: NodeJS.WriteStream): boolean =>
    stream.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return {
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    stdin: async (limit) => await readStream(process.stdin, limit),
    cwd: process.cwd(),
    env: process.env,
    colour: { out: coloured(process.stdout), err: coloured(process.stderr) },
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  };
}

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const library = new URL('..', import.meta.url);

/** Where a frame of a stack is: `at name (file:line:column)` or `at file:line:column`. */
const frame = /\(?((?:file:\/\/)?\/[^()]*|[A-Za-z]:\\[^()]*):(\d+):(\d+)\)?$/;

function toPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

function isAuthors(file: string): boolean {
  return !file.startsWith(fileURLToPath(library)) && !/[\\/]node_modules[\\/]/.test(file);
}

/** The line of the author's code that is running when it is made; worked out only when it is shown. */
export class UserLine {
  private readonly trace: Error;

  constructor() {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    this.trace = new Error('trace');
    Error.stackTraceLimit = limit;
  }

  /** The first frame that is neither of this library nor of a package, as `main.ts:12:3`; undefined when there is none. */
  get place(): string | undefined {
    for (const line of (this.trace.stack ?? '').split('\n')) {
      const match = frame.exec(line.trimEnd().slice(-1000));
      if (match === null) continue;
      const [, file = '', row = '', column = ''] = match;
      const path = toPath(file);
      if (isAuthors(path)) return `${relative(process.cwd(), path)}:${row}:${column}`;
    }
    return undefined;
  }
}

/** An error about what an author wrote: the message says which line it was. */
export function authoringError(message: string): Error {
  const { place } = new UserLine();
  return new Error(place === undefined ? message : `${place}: ${message}`);
}

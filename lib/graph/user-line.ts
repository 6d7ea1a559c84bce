import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const library = new URL('..', import.meta.url);

/** Location in a frame of a stack trace: `at name (file:line:column)` or `at file:line:column`. */
const frame = /\(?((?:file:\/\/)?\/[^()]*|[A-Za-z]:\\[^()]*):(\d+):(\d+)\)?$/;

function toPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

function isUserCode(file: string): boolean {
  return !file.startsWith(fileURLToPath(library)) && !/[\\/]node_modules[\\/]/.test(file);
}

/** The line of user code that is running when it is created; the stack trace is parsed only when `location` is read. */
export class UserLine {
  private readonly trace: Error;

  constructor() {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    this.trace = new Error('trace');
    Error.stackTraceLimit = limit;
  }

  /** The first stack frame outside of this library and of packages, such as `main.ts:12:3`; undefined if there is none. */
  get location(): string | undefined {
    for (const line of (this.trace.stack ?? '').split('\n')) {
      const match = frame.exec(line.trimEnd().slice(-1000));
      if (match === null) continue;
      const [, file = '', row = '', column = ''] = match;
      const path = toPath(file);
      if (isUserCode(path)) return `${relative(process.cwd(), path)}:${row}:${column}`;
    }
    return undefined;
  }
}

/** An error in user code; the message starts with the line of user code. */
export function authoringError(message: string): Error {
  const { location } = new UserLine();
  return new Error(location === undefined ? message : `${location}: ${message}`);
}

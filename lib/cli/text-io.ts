import { printableLines } from '../json/index.ts';
import type { Io } from './command.ts';

/** The colours that this command line paints with; whatever else begins with an escape is no part of it. */
const paint = /(\u001b\[(?:0|1|2|3[1-3])m)/;

function shown(text: string, isColoured: boolean): string {
  if (!isColoured) return printableLines(text);
  return text
    .split(paint)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}

/**
 * Streams that only text goes to: no control character but line feeds and tabs, whatever is in a manifest or a file name. JSON and YAML stay the same
 * data, since the escapes are theirs. Who prints a name or a value on a line of its own escapes its line feeds (`printable`).
 */
export function textIo(io: Io): Io {
  let input: Promise<Uint8Array | undefined> | undefined;
  // What came over stdin is there for everybody who asks, such as every environment of a layout.
  const stdin = (limit: number): Promise<Uint8Array | undefined> => (input ??= io.stdin(limit));
  return { ...io, stdin, out: (text) => io.out(shown(text, io.colour.out)), err: (text) => io.err(shown(text, io.colour.err)) };
}

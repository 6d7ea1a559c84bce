import { printableLines } from '../json/index.ts';
import type { Io } from './command.ts';

/** The colour sequences that this command line writes; any other escape sequence comes from the input. */
const colourSequence = /(\u001b\[(?:0|1|2|3[1-3])m)/;

function escapeControlCharacters(content: string, isColoured: boolean): string {
  if (!isColoured) return printableLines(content);
  return content
    .split(colourSequence)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}

/**
 * Escapes every control character in the output except line feeds and tabs, since manifests and file names may contain any. JSON and YAML stay the same
 * data, since the escapes are valid in both. Code that prints a name or a value within a line also escapes its line feeds (`printable`).
 */
export function textIo(io: Io): Io {
  let input: Promise<Uint8Array | undefined> | undefined;
  // Stdin is read once and shared: every environment of a layout may read it.
  const stdin = (limit: number): Promise<Uint8Array | undefined> => (input ??= io.stdin(limit));
  return {
    ...io,
    stdin,
    out: (data) => io.out(escapeControlCharacters(data, io.colour.out)),
    err: (message) => io.err(escapeControlCharacters(message, io.colour.err)),
  };
}

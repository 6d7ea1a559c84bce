import { printable } from '../json/index.ts';

/** The meaning of a part of a line, shown as a colour. */
export type Tone = 'good' | 'bad' | 'busy' | 'dim';
const codes: Readonly<Record<Tone, number>> = { good: 32, bad: 31, busy: 33, dim: 2 };

/** A part of a line. */
export type Piece = string | { readonly tone: Tone; readonly text: string };

/** A node of a tree: its line and its children. */
export interface Branch {
  readonly line: readonly Piece[];
  readonly children: readonly Branch[];
}

/** Draws one line; control characters in names and messages are escaped. */
export function drawLine(pieces: readonly Piece[], colour: boolean): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return printable(piece);
      return colour ? `\u001b[${codes[piece.tone]}m${printable(piece.text)}\u001b[0m` : printable(piece.text);
    })
    .join('');
}

/** Draws a tree of lines, without a trailing newline. */
export function drawTree({ line, children }: Branch, colour = false, indent = ''): string {
  const below = children.map((child, index) => {
    const last = index === children.length - 1;
    return `\n${indent}${last ? '└─ ' : '├─ '}${drawTree(child, colour, `${indent}${last ? '   ' : '│  '}`)}`;
  });
  return drawLine(line, colour) + below.join('');
}

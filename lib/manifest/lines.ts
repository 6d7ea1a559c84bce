import type { Position } from './document.ts';

/** Returns a function that converts an offset to line and column. The first call builds the table of lines. */
export function lineFinder(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (given) => {
    // The YAML reader adds a missing line end, so an offset can lie beyond the end of the file.
    const offset = Math.min(given, text.length);
    if (!starts) {
      starts = [0];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

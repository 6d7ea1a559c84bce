/** A text without the repetitions of a character at its end; unlike a pattern such as `/\n+$/` it reads each character once. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Removes every repetition of a character at the end of a string, in linear time, unlike a pattern such as `/\n+$/`. */
export function trimEndOf(value: string, character: string): string {
  let end = value.length;
  while (end > 0 && value[end - 1] === character) end--;
  return value.slice(0, end);
}

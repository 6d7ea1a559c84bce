const alphanumeric = /[A-Za-z0-9]/;

/** Converts a version, such as the tag of an image, to a valid label value. */
export function versionLabel(version: string): string {
  const characters = version
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 63)
    .split('');
  const isEnd = (character: string): boolean => alphanumeric.test(character);
  const [first, last] = [characters.findIndex(isEnd), characters.findLastIndex(isEnd)];
  return first < 0 ? '' : characters.slice(first, last + 1).join('');
}

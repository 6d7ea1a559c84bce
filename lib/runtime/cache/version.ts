/**
 * Orders two versions of the API server: negative when the first is older, `undefined` when they have no order. Versions are numbers too long
 * for JavaScript's, written without leading zeros; an aggregated API may use something else.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!isNumber(a) || !isNumber(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

function isNumber(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}

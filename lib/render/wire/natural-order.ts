const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\p{Nd}/u.test(character);

/** The order of map keys in gopkg.in/yaml (`keyList.Less`): numbers by value, other characters before letters. */
export function naturalOrder(a: string, b: string): number {
  const x = Array.from(a);
  const y = Array.from(b);
  const at = x.findIndex((character, i) => character !== y[i]);
  if (at === -1 || at >= y.length) return x.length - y.length;
  const [p = '', q = ''] = [x[at], y[at]];
  const letters = [isLetter(p), isLetter(q)];
  if (letters[0] && letters[1]) return codeOrder(p, q);
  if (letters[0] || letters[1]) return letters[0] ? 1 : -1;
  const m = numberAt(x, at, p === '0' || q === '0');
  const n = numberAt(y, at, p === '0' || q === '0');
  return m.value < n.value ? -1 : m.value > n.value ? 1 : m.length - n.length || codeOrder(p, q);
}

function codeOrder(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}

/** The number that starts at a position. A zero that continues a number which started earlier counts as a digit of that number. */
function numberAt(
  characters: readonly string[],
  from: number,
  zero: boolean,
): { readonly value: bigint; readonly length: number } {
  let end = from;
  while (isDigit(characters[end])) end++;
  let start = from;
  while (isDigit(characters[start - 1])) start--;
  const prefix = zero && characters.slice(start, from).some((digit) => digit !== '0') ? '1' : '0';
  return {
    value: BigInt(
      prefix +
        characters
          .slice(from, end)
          .filter((digit) => /[0-9]/.test(digit))
          .join(''),
    ),
    length: end - from,
  };
}

/** The largest of the numbers, and at least `least`. `Math.max(...numbers)` passes every number as an argument, and about 120,000 arguments overflow the stack. */
export function maximum(numbers: Iterable<number>, least = 0): number {
  let most = least;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

import type { Num } from './flag.ts';

/** The type that the compiler names in its error about a literal that is not a positive integer. */
export interface NotACount {
  readonly mustBe: 'a whole number of 1 or more';
}

/** A number of GPUs or data-parallel copies: the compiler rejects literals such as -1 and 1.5, synth checks all other values. */
export type Count<N extends Num> = `${N}` extends '0' | `-${string}` | `${string}.${string}` ? NotACount : unknown;

/** Whether a value is a positive integer. */
export function isCount(value: Num): boolean {
  const number = Number(value);
  return Number.isInteger(number) && number > 0;
}

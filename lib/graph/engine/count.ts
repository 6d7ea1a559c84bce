import type { Num } from './flag.ts';

/** What the compiler says of a literal that is no count. */
export interface NotACount {
  readonly mustBe: 'a whole number of 1 or more';
}

/** A count of GPUs or copies: refuses the literals that are plainly none, such as -1 and 1.5; synth checks what is only known when it runs. */
export type Count<N extends Num> = `${N}` extends '0' | `-${string}` | `${string}.${string}` ? NotACount : unknown;

/** Whether a value can be a count. */
export function isCount(value: Num): boolean {
  const number = Number(value);
  return Number.isInteger(number) && number > 0;
}

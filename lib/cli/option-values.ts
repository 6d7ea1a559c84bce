/** Parsers of option values that several commands share. */
import { InvalidArgumentError } from 'commander';

/** Collects the values of an option that may be repeated. */
export function repeat(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Parses a number of nodes or GPUs. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('must be a whole number from 1 to 999999');
  return Number(value);
}

/** Parses names separated by commas. */
export function parseNames(list: string): ReadonlySet<string> {
  const names = list.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

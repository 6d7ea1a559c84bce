/** Parsers of option values that several commands share. */
import { InvalidArgumentError } from 'commander';
import { labelProblem, releaseNameProblem } from '../api/index.ts';

/** Collects the values of an option that may be repeated. */
export function repeat(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Parses a number of nodes or GPUs. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('must be a whole number from 1 to 999999');
  return Number(value);
}

/** Parses a name. An empty one is rejected with the message of empty arguments. */
function parseName(name: string, problem: string | undefined): string {
  if (name !== '' && problem !== undefined) throw new InvalidArgumentError(problem);
  return name;
}

/** Parses the name of a namespace. */
export function parseNamespace(name: string): string {
  return parseName(name, labelProblem(name));
}

/** Parses the name of a release of the platform. */
export function parseReleaseName(name: string): string {
  return parseName(name, releaseNameProblem(name));
}

/** Parses names separated by commas. */
export function parseNames(list: string): ReadonlySet<string> {
  const names = list.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

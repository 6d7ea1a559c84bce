import type { Issue } from './issue.ts';
import { didYouMean } from './nearest-name.ts';
import type { Path } from '../json/index.ts';

/** The warning about a field that the API server prunes as unknown, with the known name that was probably meant. */
export function unknownField(path: Path, name: string, known: Iterable<string>): Issue {
  const question = didYouMean(name, known);
  return { path, code: 'unknown_field', message: question === undefined ? 'unknown field' : `unknown field, ${question}` };
}

import type { Issue } from './issue.ts';
import { nearestName } from './nearest-name.ts';
import type { Path } from '../json/index.ts';

/** The warning that a field is dropped because nobody knows it, with the known name that was probably meant. */
export function unknownField(path: Path, name: string, known: Iterable<string>): Issue {
  const near = nearestName(name, known);
  return { path, code: 'unknown_field', message: near === undefined ? 'unknown field' : `unknown field, did you mean ${near}` };
}

import type { Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';

/** Checks a path inside a volume or directory: it must be relative and must not contain `..`. */
export function checkLocalPath(path: string, field: Path, errors: FieldErrors): void {
  if (path.startsWith('/')) errors.invalid(field, path, 'must be a relative path');
  if (path.split('/').includes('..')) errors.invalid(field, path, "must not contain '..'");
}

/** Checks the path of a projected file. It must not start with `..`, as the kubelet's own `..data` link does. */
export function checkFilePath(path: string, field: Path, errors: FieldErrors): void {
  checkLocalPath(path, field, errors);
  if (path.startsWith('..') && !path.startsWith('../')) errors.invalid(field, path, "must not start with '..'");
}

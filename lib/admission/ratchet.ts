import { isEqual, isList, valueAt, type Json, type Path } from '../json/index.ts';
import type { Normalized, SchemaIssue } from '../api/index.ts';

const isDuplicate = (issue: SchemaIssue): boolean => issue.causes.some((cause) => cause.reason === 'FieldValueDuplicate');

/**
 * Drops the issues of an update that concern unchanged fields, as the API server does. It does not report duplicates in lists at all if the old
 * object had some.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting
 */
export function ratchet(
  updated: Pick<Normalized, 'value' | 'issues'>,
  old: Pick<Normalized, 'value' | 'issues'>,
): readonly SchemaIssue[] {
  const hadDuplicates = old.issues.some(isDuplicate);
  return updated.issues.filter((issue) => {
    if (isDuplicate(issue) && hadDuplicates) return false;
    return !isUnchanged(issue.code === 'required' ? issue.path.slice(0, -1) : issue.path, updated.value, old.value);
  });
}

/** Whether the value at a path, or a list that contains it, is unchanged. */
function isUnchanged(path: Path, value: Json | undefined, old: Json | undefined): boolean {
  let [current, previous] = [value, old];
  for (const part of path) {
    // Items of a list cannot be matched with old items, so only the whole list can be unchanged.
    if (isList(current)) return isEqual(current, previous);
    if (typeof part !== 'string') return false;
    current = valueAt(current, part);
    previous = valueAt(previous, part);
    if (current === undefined || previous === undefined) return false;
  }
  return path[0] === 'spec' && isEqual(current, previous);
}

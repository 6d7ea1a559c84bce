import { isEqual, isList, valueAt, type Json, type Path } from '../json/index.ts';
import type { Normalized, SchemaIssue } from '../api/index.ts';

const isDuplicate = (issue: SchemaIssue): boolean => issue.causes.some((cause) => cause.reason === 'FieldValueDuplicate');

/**
 * Leaves out what was wrong before and has not changed: the API server lets an update pass with it. Duplicates in lists it does not
 * look for at all where the object had some before.
 */
export function ratchet(
  now: Pick<Normalized, 'value' | 'issues'>,
  before: Pick<Normalized, 'value' | 'issues'>,
): readonly SchemaIssue[] {
  const hadDuplicates = before.issues.some(isDuplicate);
  return now.issues.filter((issue) => {
    if (isDuplicate(issue) && hadDuplicates) return false;
    return !isUnchanged(issue.code === 'required' ? issue.path.slice(0, -1) : issue.path, now.value, before.value);
  });
}

/** Whether the value at a path, or a list on the way to it, is what it was. */
function isUnchanged(path: Path, value: Json | undefined, old: Json | undefined): boolean {
  let [is, was] = [value, old];
  for (const part of path) {
    // Items of a list have no identity of their own: only the whole list can be unchanged.
    if (isList(is)) return isEqual(is, was);
    if (typeof part !== 'string') return false;
    is = valueAt(is, part);
    was = valueAt(was, part);
    if (is === undefined || was === undefined) return false;
  }
  return path[0] === 'spec' && isEqual(is, was);
}

import type { JsonObject } from '../../api/index.ts';
import { lintResource, type Suppression } from '../../lint/index.ts';
import type { ImportContext } from './graph-plan.ts';

/** Errors of lint that a manifest has and the written code accepts, so that it runs; each is there to be looked at. */
export function openErrors(object: JsonObject, { around }: ImportContext): readonly Suppression[] {
  const errors = lintResource(object, around).findings.filter((f) => f.severity === 'error');
  // A graph without a frontend is written with `frontend: false`.
  const open = errors.filter((f) => f.id !== 'DYN-ROLE-006' || f.path.length !== 2);
  return [
    ...new Map(open.toReversed().map((f) => [f.id, { id: f.id, reason: `as imported: ${f.message}` }])).values(),
  ].toReversed();
}

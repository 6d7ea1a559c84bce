import { lintDocument, type RenderedDocument } from '../../check/index.ts';
import type { Suppression } from '../../lint/index.ts';
import type { ImportContext } from './graph-plan.ts';

/** Errors of lint that a manifest has and the written code accepts, so that it runs; each is there to be looked at. */
export function openErrors(document: RenderedDocument, { around }: ImportContext): readonly Suppression[] {
  // A rule may stand for a rejection; with the rule accepted the rejection would show.
  const rejections = document.findings.filter((f) => f.stage === 'rejection');
  const errors = [...lintDocument(document, around).findings, ...rejections].filter((f) => f.severity === 'error');
  // A graph without a frontend is written with `frontend: false`.
  const open = errors.filter((f) => f.id !== 'DYN-ROLE-006' || f.path.length !== 2);
  return [
    ...new Map(open.toReversed().map((f) => [f.id, { id: f.id, reason: `as imported: ${f.message}` }])).values(),
  ].toReversed();
}

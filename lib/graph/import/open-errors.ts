import { lintDocument, type RenderedDocument } from '../../check/index.ts';
import { valueAt } from '../../json/index.ts';
import type { Suppression } from '../../lint/index.ts';
import type { ImportContext } from './graph-plan.ts';

/** The problem of a message, without what was found and what to do, in few words. */
function brief(message: string): string {
  const problem = message.split(/, got |; /)[0] ?? message;
  return problem.length <= 70 ? problem : `${problem.slice(0, problem.lastIndexOf(' ', 67))} …`;
}

/** Errors of lint that a manifest has and the written code accepts, so that it runs; each is there to be looked at. */
export function openErrors(document: RenderedDocument, { around, platform }: ImportContext): readonly Suppression[] {
  // A rule may stand for a rejection; with the rule accepted the rejection would show.
  const rejections = document.findings.filter((f) => f.stage === 'rejection');
  const errors = [...lintDocument(document, around).findings, ...rejections].filter((f) => f.severity === 'error');
  // A graph without a frontend is written with `frontend: false`.
  const open = errors.filter((f) => {
    if (f.id === 'DYN-ROLE-006') return f.path.length !== 2;
    // The tag of the platform is said once, and only worth a warning then.
    const image = valueAt(document.source.value, ...f.path);
    return !(
      f.id === 'DYN-VER-001' &&
      typeof image === 'string' &&
      image.endsWith(`:${platform.tag}`) &&
      f.path[0] === 'spec' &&
      f.path[1] === 'services'
    );
  });
  return [
    ...new Map(open.toReversed().map((f) => [f.id, { id: f.id, reason: `as imported: ${brief(f.message)}` }])).values(),
  ].toReversed();
}

import { lintDocument, type RenderedDocument } from '../../check/index.ts';
import { valueAt } from '../../json/index.ts';
import type { Suppression } from '../../lint/index.ts';
import type { ImportContext } from './graph-plan.ts';

/** The start of a message: the problem without the value found and the advice, shortened to 70 characters. */
function shorten(message: string): string {
  const problem = message.split(/, got |; /)[0] ?? message;
  return problem.length <= 70 ? problem : `${problem.slice(0, problem.lastIndexOf(' ', 67))} …`;
}

/** Suppressions of the errors of a manifest, so that the generated code can be synthesized; the user should review each. */
export function errorSuppressions(document: RenderedDocument, { index, platform }: ImportContext): readonly Suppression[] {
  // A lint error may hide a rejection for the same reason, which would be reported once the lint error is suppressed.
  const rejections = document.findings.filter((f) => f.stage === 'rejection');
  const errors = [...lintDocument(document, index).findings, ...rejections].filter((f) => f.severity === 'error');
  // A graph without a frontend is written with `frontend: false`.
  const open = errors.filter((f) => {
    if (f.id === 'DYN-ROLE-006') return f.path.length !== 2;
    // An image tag that the platform sets is only a warning.
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
    ...new Map(open.toReversed().map((f) => [f.id, { id: f.id, reason: `as imported: ${shorten(f.message)}` }])).values(),
  ].toReversed();
}

/**
 * Whether a decision is the last word for now. What it creates is already in the status it stores, so that the next pass over the same resource
 * has nothing to do until something else changes. A child that is changed or deleted is different: the status shows it only afterwards.
 */
import type { Decision, Write } from './decision.ts';

/** Whether a pass right after this decision would find nothing to write. */
export function leavesNothing({ steps }: Decision): boolean {
  return steps.flat().every(isAddition);
}

function isAddition(write: Write): boolean {
  if (write.verb === 'patch')
    return write.patch.every(({ op, path }) => op !== 'remove' && (op === 'test' || isVersionOrFinalizer(path)));
  return write.verb === 'create' || write.verb === 'status';
}

function isVersionOrFinalizer(path: string): boolean {
  return path === '/metadata/resourceVersion' || path.startsWith('/metadata/finalizers');
}

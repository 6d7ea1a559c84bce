/**
 * Whether a resource needs no further pass until something else changes. The status that a decision stores already counts the objects it creates. It
 * does not count children that are changed or deleted: those need another pass.
 */
import type { Decision, Write } from './decision.ts';

/** Whether a pass right after this decision would find nothing to write. */
export function isSettled({ steps }: Decision): boolean {
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

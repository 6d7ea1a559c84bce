import type { RenderContext } from './context.ts';
import type { FiredQuirk, Source } from './result.ts';

/** The quirks a resource runs into. */
export function findQuirks(_resource: Source, _context: RenderContext): readonly FiredQuirk[] {
  return [];
}

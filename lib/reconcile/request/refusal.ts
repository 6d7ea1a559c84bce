import type { Write } from '../decision.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';

/** Reasons of the API server that a retry does not change: the request is malformed, or an object it names does not exist. */
const definitive: ReadonlySet<number> = new Set([400, 404, 405, 410, 413, 422]);

/** Whether a refusal is final. A missing permission, an exhausted quota or a failing server may be temporary. */
export function isDefinitive({ status }: RefusedWrite): boolean {
  return status !== undefined && definitive.has(status);
}

/** Whether a request gives up a refused write and continues without it. A missing permission counts; a failing server is waited for. */
export function isVerdict(refused: RefusedWrite): boolean {
  return isDefinitive(refused) || refused.status === 403;
}

/** The refusal of a write to an object of a kind in this pass, if there was one. */
export function refusedWriteOf({ refused }: Snapshot, verb: Write['verb'], kind: string): RefusedWrite | undefined {
  return refused?.verb === verb && refused.target.kind === kind ? refused : undefined;
}

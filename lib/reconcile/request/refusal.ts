import type { Write } from '../decision.ts';
import type { RefusedWrite, Snapshot } from '../snapshot.ts';

/** Answers of the API server that will not change by trying again: the request is malformed, or what it names is not there. */
const definitive: ReadonlySet<number> = new Set([400, 404, 405, 410, 413, 422]);

/** Whether a refusal is the last word; a missing permission, a full quota or a server in trouble may pass. */
export function isDefinitive({ status }: RefusedWrite): boolean {
  return status !== undefined && definitive.has(status);
}

/** The refusal of a write to an object of a kind in this pass, if there was one. */
export function refusalOf({ refused }: Snapshot, verb: Write['verb'], kind: string): RefusedWrite | undefined {
  return refused?.verb === verb && refused.target.kind === kind ? refused : undefined;
}

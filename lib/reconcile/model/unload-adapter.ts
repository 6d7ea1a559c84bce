import { stringAt } from '../../json/index.ts';
import type { Effect, Event } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';
import { appliedAdapterOf } from './applied-adapter.ts';
import type { Candidate } from './endpoint.ts';
import { callFailure } from './lora-answer.ts';
import { isPathSafe, unloadCall } from './lora-call.ts';

/** What came of unloading, once and for all: a worker that refuses does not keep the model from being deleted. */
interface Unloading {
  readonly events: readonly Event[];
  readonly failures: readonly string[];
}

/** The calls still to make before a model's adapter is gone from all workers, or what came of them. */
export function unloadAdapter(
  snapshot: Snapshot,
  endpoints: readonly Candidate[],
): { readonly calls: readonly Effect[] } | Unloading {
  const applied = appliedAdapterOf(snapshot.resource);
  const current = stringAt(snapshot.resource, 'spec', 'modelName');
  const loaded = applied?.name ?? current;
  const perEndpoint = endpoints.map(({ address }) => {
    const names = new Set([loaded, current, applied?.outdated[address] ?? loaded]);
    return [...names]
      .filter((name) => name !== '' && isPathSafe(name))
      .map((name) => ({ name, call: unloadCall(address, name), address }));
  });
  const all = perEndpoint.flat();
  const missing = all.filter(({ call }) => snapshot.effects?.[call.id] === undefined);
  if (missing.length > 0) return { calls: missing.map(({ call }) => call) };
  const failures = all.flatMap(({ name, call, address }) => {
    const result = snapshot.effects?.[call.id];
    const failure = result === undefined || name !== loaded ? undefined : callFailure('unload', result);
    return failure === undefined ? [] : [`${address}: ${failure}`];
  });
  if (all.length === 0) return { events: [], failures };
  const event: Event =
    failures.length === 0
      ? { type: 'Normal', reason: 'LoRAUnloaded', message: `Unloaded LoRA from ${endpoints.length} endpoint(s)` }
      : {
          type: 'Warning',
          reason: 'LoRAUnloadFailed',
          message: `Failed to unload LoRA from some endpoints: ${failures.length} task(s) failed`,
        };
  return { events: [event], failures };
}

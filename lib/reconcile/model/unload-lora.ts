import { type JsonObject, stringAt } from '../../json/index.ts';
import type { Effect, Event } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';
import { appliedAdapterOf } from './applied-lora.ts';
import type { Candidate } from './endpoint.ts';
import { callFailure } from './lora-answer.ts';
import { isPathSafe, unloadCall } from './lora-call.ts';
import { otherUser } from './shared-lora.ts';

/** The result of unloading. It is final: a worker that fails to unload does not block the deletion of the model. */
interface Unloading {
  readonly events: readonly Event[];
  readonly failures: readonly string[];
}

/** Names under which workers may have an adapter of a model: the one it wants, the one it had loaded, and those it could not unload. */
export function unloadNames(model: JsonObject, endpoints: readonly Candidate[]): readonly string[] {
  return [...new Set(endpoints.flatMap(({ address }) => namesAt(model, address)))];
}

/** The calls still to make to unload a model's adapter from all workers, or their result. */
export function unloadAdapter(
  snapshot: Snapshot,
  endpoints: readonly Candidate[],
): { readonly calls: readonly Effect[] } | Unloading {
  const { resource } = snapshot;
  const loaded = loadedName(resource);
  const kept = new Map(unloadNames(resource, endpoints).map((name) => [name, userOf(snapshot, name)]));
  const all = endpoints.flatMap(({ address }) =>
    namesAt(resource, address)
      .filter((name) => kept.get(name) === undefined)
      .map((name) => ({ name, call: unloadCall(address, name), address })),
  );
  const missing = all.filter(({ call }) => snapshot.effects?.[call.id] === undefined);
  if (missing.length > 0) return { calls: missing.map(({ call }) => call) };
  const failures = all.flatMap(({ name, call, address }) => {
    const result = snapshot.effects?.[call.id];
    const failure = result === undefined || name !== loaded ? undefined : callFailure('unload', result);
    return failure === undefined ? [] : [`${address}: ${failure}`];
  });
  const user = kept.get(loaded);
  if (user !== undefined) {
    const message = `LoRA ${loaded} stays loaded: DynamoModel ${user} has the same name and source`;
    return { events: [{ type: 'Normal', reason: 'LoRAKept', message }], failures };
  }
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

function loadedName(model: JsonObject): string {
  return appliedAdapterOf(model)?.name ?? stringAt(model, 'spec', 'modelName');
}

function namesAt(model: JsonObject, address: string): readonly string[] {
  const loaded = loadedName(model);
  const names = new Set([loaded, stringAt(model, 'spec', 'modelName'), appliedAdapterOf(model)?.outdated[address] ?? loaded]);
  return [...names].filter((name) => name !== '' && isPathSafe(name));
}

/** The model that keeps an adapter loaded: one that wants it from the same source. Where the source differs, the adapter is unloaded and that model loads its own. */
function userOf(snapshot: Snapshot, name: string): string | undefined {
  const { resource } = snapshot;
  const applied = appliedAdapterOf(resource) ?? {
    name: stringAt(resource, 'spec', 'modelName'),
    uri: stringAt(resource, 'spec', 'source', 'uri'),
    outdated: {},
  };
  if (Object.values(applied.outdated).includes(name)) return undefined;
  return otherUser(snapshot, name, name === applied.name ? applied.uri : undefined);
}

import { type JsonObject, objectsAt, stringAt } from '../../json/index.ts';
import { conditionOf, statusOf } from '../condition.ts';
import type { Effect } from '../decision.ts';
import { generationOf } from '../metadata.ts';
import type { EffectResult, Snapshot } from '../snapshot.ts';
import { appliedAdapterOf, outdatedName, type AppliedAdapter } from './applied-lora.ts';
import type { Candidate } from './endpoint.ts';
import { callFailure, loadedAdapters, mayBeUnknown } from './lora-answer.ts';
import { listCall, loadCall, unloadCall, type Adapter } from './lora-call.ts';
import { otherUser } from './shared-lora.ts';

/** Result of loading a LoRA adapter on all workers. */
interface Loading {
  /** Addresses of the workers that have the adapter. */
  readonly ready: ReadonlySet<string>;
  /** Why workers do not have the adapter, for the log. */
  readonly failures: readonly string[];
  /** The annotation to store on the model. */
  readonly applied: AppliedAdapter;
}

/** The state of one worker: the next call to make, or the result. `outdated` is the earlier adapter that it may still have. */
type Standing = { readonly call: Effect } | { readonly failure?: string; readonly outdated?: string };

/** Names of earlier adapters that workers may still have loaded. They are unloaded unless another model wants them. */
export function outdatedNames(model: JsonObject, endpoints: readonly Candidate[], adapter: Adapter): readonly string[] {
  const applied = appliedAdapterOf(model);
  return endpoints.flatMap(({ address }) => outdatedName(applied, adapter, address) ?? []);
}

/** The calls still to make, or their result. Order: unload the earlier adapter, list the loaded adapters if that can be enough, load. */
export function loadAdapter(
  snapshot: Snapshot,
  endpoints: readonly Candidate[],
  adapter: Adapter,
): { readonly calls: readonly Effect[] } | Loading {
  const applied = appliedAdapterOf(snapshot.resource);
  const asksFirst = snapshot.firstPass === true || isUnchanged(snapshot.resource, endpoints, applied, adapter);
  const standings = endpoints.map((endpoint) => {
    const before = outdatedName(applied, adapter, endpoint.address);
    const outdated = before !== undefined && isKept(snapshot, before, adapter, applied) ? undefined : before;
    return { endpoint, standing: standingOf(endpoint.address, adapter, outdated, asksFirst, snapshot.effects ?? {}) };
  });
  // Ready pods come first; the others may only run into the time limit.
  const calls = [true, false].flatMap((ready) =>
    standings.flatMap(({ endpoint, standing }) => (endpoint.ready === ready && 'call' in standing ? [standing.call] : [])),
  );
  if (calls.length > 0) return { calls };
  const ended = standings.flatMap(({ endpoint, standing }) =>
    'call' in standing ? [] : [{ ...standing, address: endpoint.address }],
  );
  return {
    ready: new Set(ended.filter(({ failure }) => failure === undefined).map(({ address }) => address)),
    failures: ended.flatMap(({ address, failure }) => (failure === undefined ? [] : [`${address}: ${failure}`])),
    applied: {
      ...adapter,
      outdated: Object.fromEntries(
        ended.flatMap(({ address, outdated }) => (outdated === undefined ? [] : [[address, outdated]])),
      ),
    },
  };
}

function standingOf(
  address: string,
  adapter: Adapter,
  outdated: string | undefined,
  asksFirst: boolean,
  results: Readonly<Record<string, EffectResult>>,
): Standing {
  const list = listCall(address);
  const listed = results[list.id];
  if (outdated !== undefined) {
    const unload = unloadCall(address, outdated);
    const unloaded = results[unload.id];
    if (unloaded === undefined) return { call: unload };
    const failure = callFailure('unload', unloaded);
    if (failure !== undefined && !mayBeUnknown(unloaded)) return { failure, outdated };
    if (failure !== undefined) {
      if (listed === undefined) return { call: list };
      if (loadedAdapters(listed)?.has(outdated) !== false) return { failure, outdated };
    }
  } else if (asksFirst) {
    if (listed === undefined) return { call: list };
    if (loadedAdapters(listed)?.has(adapter.name) === true) return {};
  }
  const load = loadCall(address, adapter);
  const loaded = results[load.id];
  if (loaded === undefined) return { call: load };
  const failure = callFailure('load', loaded);
  return failure === undefined ? {} : { failure };
}

/** Whether an adapter that this model no longer wants stays loaded, since another model wants it from the same source. */
function isKept(snapshot: Snapshot, name: string, wanted: Adapter, applied: AppliedAdapter | undefined): boolean {
  return name !== wanted.name && name === applied?.name && otherUser(snapshot, name, applied.uri) !== undefined;
}

/** Whether, by the stored status, exactly these workers have the LoRA adapter loaded. If so, they list their adapters before any load. */
function isUnchanged(
  model: JsonObject,
  endpoints: readonly Candidate[],
  applied: AppliedAdapter | undefined,
  adapter: Adapter,
): boolean {
  const status = statusOf(model);
  const seen = objectsAt(status, 'endpoints').filter((entry) => entry['ready'] === true);
  const addresses = new Set(seen.map((entry) => stringAt(entry, 'address')));
  const condition = conditionOf(status, 'EndpointsReady');
  return (
    applied?.name === adapter.name &&
    applied.uri === adapter.uri &&
    condition?.['status'] === 'True' &&
    condition['observedGeneration'] === generationOf(model) &&
    addresses.size === endpoints.length &&
    endpoints.every(({ address }) => addresses.has(address))
  );
}

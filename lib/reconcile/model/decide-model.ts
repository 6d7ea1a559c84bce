/**
 * What to do about a DynamoModel: find the workers that serve its base model, have them load its adapter, say where it is served. Pure: calls to
 * workers are effects that the answer names, and their results are in the next snapshot.
 */
import { admit } from '../../admission/index.ts';
import { isEqual, type JsonObject, objectAt, stringAt } from '../../json/index.ts';
import { label, modelHash } from '../../render/index.ts';
import { conditionOf, statusOf } from '../condition.ts';
import type { Answer, Decision, Write } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { generationOf, hasFinalizer, isDeleting, keyOf, metadataPatch } from '../metadata.ts';
import { lookupKey, type Lookup, type Snapshot } from '../snapshot.ts';
import { appliedAdapterKey, appliedAdapterOf, appliedAdapterText } from './applied-adapter.ts';
import { candidatesOf, endpointsOf, serviceNames } from './endpoint.ts';
import { loadAdapter } from './load-adapter.ts';
import { isPathSafe } from './lora-call.ts';
import { invalidStatus, modelStatus, type Findings } from './model-status.ts';
import { unloadAdapter } from './unload-adapter.ts';

/** How soon to call again workers that do not have the adapter, and how seldom at last. */
const retrySeconds = { first: 30, last: 300 };
/** How often to ask workers that have the adapter whether they still do: a container that restarts in its pod loses it. */
const verifySeconds = 600;

/** What to do about a DynamoModel now. */
export function decideModel(snapshot: Snapshot): Answer {
  const { resource } = snapshot;
  if (isDeleting(resource)) return hasFinalizer(resource) ? release(snapshot) : decision({});
  const error = brokenRule(resource);
  if (error !== undefined) {
    const { status, events } = invalidStatus(statusOf(resource), error, momentOf(snapshot));
    return decision({ steps: statusSteps(resource, status), events });
  }
  return serve(snapshot);
}

/** The first rule the model breaks, in the webhook's words; a name that cannot be in a path is refused here only. */
function brokenRule(resource: JsonObject): string | undefined {
  const [issue] = admit({ operation: 'CREATE', object: resource }).issues;
  if (issue !== undefined) return issue.text;
  const name = stringAt(resource, 'spec', 'modelName');
  if (!isLora(resource) || isPathSafe(name)) return undefined;
  return `spec.modelName must not have '.' or '..' between slashes, got: ${name}; workers unload it by the path /v1/loras/<modelName>`;
}

function serve(snapshot: Snapshot): Answer {
  const { resource } = snapshot;
  const spec = objectAt(resource, 'spec');
  const lookup = slicesOf(resource);
  const slices = snapshot.lists[lookupKey(lookup)];
  if (slices === undefined) return { answer: 'lookups', lookups: [lookup] };
  const endpoints = endpointsOf(candidatesOf(slices));
  const found = { baseModel: stringAt(spec, 'baseModelName'), services: serviceNames(slices).size, endpoints };
  if (!isLora(resource)) return settle(snapshot, { ...found, failed: 0 }, metadataPatch(resource, { finalizer: 'add' }));
  const adapter = { name: stringAt(spec, 'modelName'), uri: stringAt(spec, 'source', 'uri') };
  const noted = appliedAdapterOf(resource) ?? { ...adapter, outdated: {} };
  const taking = metadataPatch(resource, { finalizer: 'add', annotations: { [appliedAdapterKey]: appliedAdapterText(noted) } });
  if (endpoints.length === 0) return settle(snapshot, { ...found, failed: 0 }, taking);
  // Nothing is loaded before the finalizer stands that will have it unloaded. The next pass follows at once.
  if (!hasFinalizer(resource)) return decision({ steps: [taking], lookAgainSeconds: 0 });
  const loading = loadAdapter(snapshot, endpoints, adapter);
  if ('calls' in loading) return { answer: 'effects', effects: loading.calls };
  const { ready, failures, applied } = loading;
  const patch = metadataPatch(resource, { annotations: { [appliedAdapterKey]: appliedAdapterText(applied) } });
  return settle(snapshot, { ...found, ready, failed: failures.length }, patch, failures);
}

function settle(snapshot: Snapshot, findings: Findings, patch: readonly Write[], notes: readonly string[] = []): Answer {
  const { resource, now } = snapshot;
  const { status, events } = modelStatus(statusOf(resource), findings, momentOf(snapshot));
  const steps = [...(patch.length > 0 ? [patch] : []), ...statusSteps(resource, status)];
  const lookAgainSeconds = lookAgain(findings, status, now);
  return decision({ steps, events, notes, ...(lookAgainSeconds !== undefined && { lookAgainSeconds }) });
}

/** Workers that miss the adapter are called again soon, and ever less often the longer that lasts. */
function lookAgain({ endpoints, ready }: Findings, status: JsonObject, now: string): number | undefined {
  if (ready === undefined) return undefined;
  if (ready.size === endpoints.length) return verifySeconds;
  const since = Date.parse(stringAt(conditionOf(status, 'EndpointsReady'), 'lastTransitionTime'));
  const elapsed = (Date.parse(now) - since) / 1000;
  return Math.min(retrySeconds.last, Math.max(retrySeconds.first, Math.round((Number.isNaN(elapsed) ? 0 : elapsed) / 4)));
}

/** Unloads once, then lets the model go whatever came of it. */
function release(snapshot: Snapshot): Answer {
  const { resource } = snapshot;
  const steps = [metadataPatch(resource, { finalizer: 'remove' })];
  if (!isLora(resource)) return decision({ steps });
  const lookup = slicesOf(resource);
  const slices = snapshot.lists[lookupKey(lookup)];
  if (slices === undefined) return { answer: 'lookups', lookups: [lookup] };
  const unloading = unloadAdapter(snapshot, endpointsOf(candidatesOf(slices)));
  if ('calls' in unloading) return { answer: 'effects', effects: unloading.calls };
  return decision({ steps, events: unloading.events, notes: unloading.failures });
}

function slicesOf(resource: JsonObject): Lookup {
  const labels = { [label.baseModelHash]: modelHash(stringAt(resource, 'spec', 'baseModelName')) };
  const { namespace } = keyOf(resource);
  return { question: 'list', ...kinds.endpointSlice, namespace, select: { labels } };
}

function isLora(resource: JsonObject): boolean {
  return stringAt(resource, 'spec', 'modelType').toLowerCase() === 'lora';
}

function momentOf({ resource, now }: Snapshot): { readonly now: string; readonly generation: number } {
  return { now, generation: generationOf(resource) };
}

function statusSteps(resource: JsonObject, status: JsonObject): readonly (readonly Write[])[] {
  if (isEqual(statusOf(resource), status)) return [];
  return [[{ verb: 'status', target: keyOf(resource), object: { ...resource, status } }]];
}

function decision(partial: Partial<Decision>): Answer {
  return { answer: 'decision', decision: { steps: [], events: [], ...partial } };
}

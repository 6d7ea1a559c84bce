/**
 * What to do about a DynamoModel: find the workers that serve its base model, have them load its adapter, report its endpoints. Pure: calls to
 * workers are effects that the answer names, and their results are in the next snapshot.
 */
import { admit } from '../../admission/index.ts';
import { isEqual, type JsonObject, objectAt, stringAt } from '../../json/index.ts';
import { label, modelHash } from '../../render/index.ts';
import { conditionOf, statusOf } from '../condition.ts';
import type { Answer, Decision, Event, Write } from '../decision.ts';
import { kinds } from '../kinds.ts';
import { generationOf, hasFinalizer, isDeleting, keyOf, metadataPatch } from '../metadata.ts';
import { lookupKey, type Lookup, type RefusedWrite, type Snapshot } from '../snapshot.ts';
import { appliedAdapterKey, appliedAdapterOf, appliedAdapterText } from './applied-lora.ts';
import { candidatesOf, endpointsOf, serviceNames } from './endpoint.ts';
import { loadAdapter, outdatedNames } from './load-lora.ts';
import { withoutCredentials } from './lora-answer.ts';
import { isPathSafe } from './lora-call.ts';
import { invalidStatus, modelStatus, type Findings } from './model-status.ts';
import { isLora, sharersOf } from './shared-lora.ts';
import { unloadAdapter, unloadNames } from './unload-lora.ts';

/** The shortest and the longest wait, in seconds, before workers without the adapter are called again. */
const retrySeconds = { first: 30, last: 300 };
/** Seconds between checks that workers still have the adapter: a container that restarts in its pod loses it. */
const verifySeconds = 600;

/** Decides what to do about a DynamoModel now. */
export function decideModel(snapshot: Snapshot): Answer {
  const answer = decide(snapshot);
  const { refused } = snapshot;
  if (answer.answer !== 'decision' || refused === undefined) return answer;
  return { answer: 'decision', decision: afterRefusal(answer.decision, refused) };
}

/** What is left to do after a refused write. The status is stored even if a change of the metadata was refused. Without a stored status there are no events. */
function afterRefusal(decision: Decision, { verb, message }: RefusedWrite): Decision {
  const isStatus = (write: Write): boolean => write.verb === 'status';
  const steps = verb === 'status' ? [] : decision.steps.filter((step) => step.every(isStatus));
  return { ...decision, steps, events: steps.length > 0 ? decision.events : [], error: message };
}

function decide(snapshot: Snapshot): Answer {
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
  if (issue !== undefined) return withoutCredentials(issue.text);
  const name = stringAt(resource, 'spec', 'modelName');
  if (!isLora(resource) || isPathSafe(name)) return undefined;
  return `spec.modelName must not have '.' or '..' between slashes, got: ${name}; workers unload it by the path /v1/loras/<modelName>`;
}

function serve(snapshot: Snapshot): Answer {
  const { resource } = snapshot;
  const spec = objectAt(resource, 'spec');
  const discovery = discover(snapshot);
  if ('lookups' in discovery) return { answer: 'lookups', lookups: discovery.lookups };
  if ('error' in discovery) return decision({ events: [discoveryFailed(discovery.error)], error: discovery.error });
  const { slices } = discovery;
  const endpoints = endpointsOf(candidatesOf(slices));
  const found = { baseModel: stringAt(spec, 'baseModelName'), services: serviceNames(slices).size, endpoints };
  if (!isLora(resource)) return settle(snapshot, { ...found, failed: 0 }, metadataPatch(resource, { finalizer: 'add' }));
  const adapter = { name: stringAt(spec, 'modelName'), uri: stringAt(spec, 'source', 'uri') };
  const noted = appliedAdapterOf(resource) ?? { ...adapter, outdated: {} };
  const taking = metadataPatch(resource, { finalizer: 'add', annotations: { [appliedAdapterKey]: appliedAdapterText(noted) } });
  if (endpoints.length === 0) return settle(snapshot, { ...found, failed: 0 }, taking);
  // The finalizer is stored before anything is loaded, so that the adapter is unloaded when the model is deleted. The next pass follows at once.
  if (!hasFinalizer(resource)) return decision({ steps: [taking], lookAgainSeconds: 0 });
  const lookups = missingSharers(snapshot, [adapter.name, ...outdatedNames(resource, endpoints, adapter)]);
  if (lookups.length > 0) return { answer: 'lookups', lookups };
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

/** Seconds until workers are called again: the longer workers lack the adapter, the longer the wait. */
function lookAgain({ endpoints, ready }: Findings, status: JsonObject, now: string): number | undefined {
  if (ready === undefined) return undefined;
  if (ready.size === endpoints.length) return verifySeconds;
  const since = Date.parse(stringAt(conditionOf(status, 'EndpointsReady'), 'lastTransitionTime'));
  const elapsed = (Date.parse(now) - since) / 1000;
  return Math.min(retrySeconds.last, Math.max(retrySeconds.first, Math.round((Number.isNaN(elapsed) ? 0 : elapsed) / 4)));
}

/** Unloads once, then removes the finalizer, also when unloading failed. */
function release(snapshot: Snapshot): Answer {
  const { resource } = snapshot;
  const steps = [metadataPatch(resource, { finalizer: 'remove' })];
  if (!isLora(resource)) return decision({ steps });
  const discovery = discover(snapshot);
  if ('lookups' in discovery) return { answer: 'lookups', lookups: discovery.lookups };
  if ('error' in discovery) {
    const { error } = discovery;
    return decision({ steps, events: [discoveryFailed(error), { type: 'Warning', reason: 'CleanupFailed', message: error }] });
  }
  const endpoints = endpointsOf(candidatesOf(discovery.slices));
  const lookups = endpoints.length === 0 ? [] : missingSharers(snapshot, unloadNames(resource, endpoints));
  if (lookups.length > 0) return { answer: 'lookups', lookups };
  const unloading = unloadAdapter(snapshot, endpoints);
  if ('calls' in unloading) return { answer: 'effects', effects: unloading.calls };
  return decision({ steps, events: unloading.events, notes: unloading.failures });
}

/** The EndpointSlices of the base model's Services; or the look-up for them, or why it failed. */
function discover(
  snapshot: Snapshot,
): { readonly slices: readonly JsonObject[] } | { readonly lookups: readonly Lookup[] } | { readonly error: string } {
  const lookup = slicesOf(snapshot.resource);
  const slices = snapshot.lists[lookupKey(lookup)];
  if (slices !== undefined) return { slices };
  const error = snapshot.failedLists?.[lookupKey(lookup)];
  return error === undefined ? { lookups: [lookup] } : { error };
}

function discoveryFailed(message: string): Event {
  return { type: 'Warning', reason: 'EndpointDiscoveryFailed', message };
}

/** Look-ups still missing for other models that name these adapters. */
function missingSharers({ resource, lists }: Snapshot, names: readonly string[]): readonly Lookup[] {
  return [...new Set(names)].map((name) => sharersOf(resource, name)).filter((lookup) => lists[lookupKey(lookup)] === undefined);
}

function slicesOf(resource: JsonObject): Lookup {
  const labels = { [label.baseModelHash]: modelHash(stringAt(resource, 'spec', 'baseModelName')) };
  const { namespace } = keyOf(resource);
  return { question: 'list', ...kinds.endpointSlice, namespace, select: { labels } };
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

import type { JsonObject } from '../../../lib/json/index.ts';
import { decideModel } from '../../../lib/reconcile/model/decide-model.ts';
import type { Decision, Effect } from '../../../lib/reconcile/decision.ts';
import { adaptersOf } from '../../../lib/reconcile/index.ts';
import { lookupKey, type EffectResult, type Snapshot } from '../../../lib/reconcile/snapshot.ts';
import { flagDefaults } from '../../../lib/render/index.ts';

/** The base model of these tests. */
export const base = 'Qwen/Qwen3-0.6B';

/** A model as stored, with what a test gives it on top. */
export function model(spec: JsonObject = {}, more: JsonObject = {}, status?: JsonObject): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoModel',
    metadata: { name: 'ad', namespace: 'demo', uid: 'u1', generation: 1, resourceVersion: '7', ...more },
    spec: { modelName: 'org/ad', baseModelName: base, modelType: 'lora', source: { uri: 's3://b/ad' }, ...spec },
    ...(status && { status }),
  };
}

/** Metadata of a model that the operator has taken up. */
export const taken = {
  finalizers: ['nvidia.com/finalizer'],
  annotations: { 'nvidia.com/dynamo-applied-lora': '{"name":"org/ad","uri":"s3://b/ad"}' },
};

/** An endpoint of a slice. */
export function endpoint(pod: string, addresses: readonly string[], conditions: JsonObject = { ready: true }): JsonObject {
  return { addresses, conditions, targetRef: { kind: 'Pod', name: pod, namespace: 'demo' } };
}

/** A slice of the base model's Service. */
export function slice(endpoints: readonly JsonObject[], service = 'dynamo-model-fb68f5a6'): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${service}-x`,
      namespace: 'demo',
      labels: service === '' ? {} : { 'kubernetes.io/service-name': service },
    },
    addressType: 'IPv4',
    endpoints,
  };
}

/** Under which a snapshot has the slices of the base model. */
export const slicesKey = lookupKey({
  question: 'list',
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  namespace: 'demo',
  select: { labels: { 'nvidia.com/dynamo-base-model-hash': 'fb68f5a6' } },
});

/** A snapshot with the slices in place. */
export function snapshotOf(resource: JsonObject, slices: readonly JsonObject[], more: Partial<Snapshot> = {}): Snapshot {
  return {
    now: '2026-11-16T12:00:00.250Z',
    config: flagDefaults,
    apiGroups: [],
    resource,
    objects: {},
    lists: { [slicesKey]: slices },
    ...more,
  };
}

/** What a worker does with a call: a status and a body, or why there is no answer. */
export type Worker = (effect: Extract<Effect, { readonly effect: 'http' }>) => EffectResult;

/** A worker that answers every call with one status and body. */
export const answering =
  (status: number, body = '{"status":"success"}'): Worker =>
  () => ({ ok: true, status, body });

/** A decision, with the calls it took to come to it, one list for each round. */
export interface Decided {
  readonly decision: Decision;
  readonly rounds: readonly (readonly string[])[];
}

/** Runs a decision to its end, with workers by their address and the other models of the namespace. */
export function decided(
  snapshot: Snapshot,
  workers: Readonly<Record<string, Worker>> = {},
  others: readonly JsonObject[] = [],
): Decided {
  const rounds: string[][] = [];
  const effects: Record<string, EffectResult> = {};
  const lists: Record<string, readonly JsonObject[]> = { ...snapshot.lists };
  for (let round = 0; round < 10; round++) {
    const answer = decideModel({ ...snapshot, lists, effects });
    if (answer.answer === 'decision') return { decision: answer.decision, rounds };
    if (answer.answer === 'lookups') {
      for (const lookup of answer.lookups) {
        if (lookup.question === 'get' || !('index' in lookup.select)) throw new Error(`asks for ${JSON.stringify(lookup)}`);
        const { value } = lookup.select;
        lists[lookupKey(lookup)] = [snapshot.resource, ...others].filter((found) => adaptersOf(found).includes(value));
      }
      continue;
    }
    const calls = answer.effects.flatMap((effect) => (effect.effect === 'http' ? [effect] : []));
    rounds.push(calls.map(({ method, url }) => `${method} ${url}`));
    for (const call of calls) {
      const worker = workers[new URL(call.url).hostname];
      effects[call.id] = worker?.(call) ?? { ok: false, error: 'connect ECONNREFUSED' };
    }
  }
  throw new Error('a decision asks for ever');
}

/** The status a decision writes. */
export function statusIn({ decision }: Decided): JsonObject | undefined {
  const write = decision.steps.flat().find(({ verb }) => verb === 'status');
  return write?.verb === 'status' ? (write.object['status'] as JsonObject) : undefined;
}

/** The events of a decision, as texts. */
export function eventsIn({ decision }: Decided): readonly string[] {
  return decision.events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

/** The slices of one worker. */
export const one = [slice([endpoint('w-1', ['10.0.0.1'])])];
/** The slices of two workers. */
export const two = [slice([endpoint('w-1', ['10.0.0.1']), endpoint('w-2', ['10.0.0.2'])])];
/** Both workers answer well. */
export const bothWell = { '10.0.0.1': answering(200), '10.0.0.2': answering(201) };

/** The status of a model that is ready on one worker. */
export const ready = (generation = 1): JsonObject => ({
  conditions: [
    {
      type: 'EndpointsReady',
      status: 'True',
      reason: 'AllEndpointsReady',
      message: 'All 1 endpoint(s) are ready',
      observedGeneration: generation,
      lastTransitionTime: '2026-11-16T11:00:00Z',
    },
  ],
  endpoints: [{ address: 'http://10.0.0.1:9090', podName: 'w-1', ready: true }],
  readyEndpoints: 1,
  totalEndpoints: 1,
});

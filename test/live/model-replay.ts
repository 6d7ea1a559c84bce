import type { Json, JsonObject } from '../../lib/json/index.ts';
import {
  decideModel,
  lookupKey,
  type Decision,
  type Effect,
  type EffectResult,
  type Snapshot,
} from '../../lib/reconcile/index.ts';
import { flagDefaults } from '../../lib/render/index.ts';
import { execute } from '../reconcile/shell.ts';
import { keyOf, Store, versionOf } from '../reconcile/store.ts';
import type { StepRecord } from './compare-models.ts';
import type { ModelStep, Workers } from './model-steps.ts';

const kind = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', namespace: 'demo' };
const sliceKey = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', namespace: 'demo', name: 'slice' };

/** Plays the steps with our decisions in place of the original's controller. */
export class ModelReplay {
  readonly #store = new Store();
  readonly #said = new Set<string>();
  #workers: Workers = {};
  #http: JsonObject[] = [];
  #writes: string[] = [];
  #events: string[] = [];
  #statuses: JsonObject[] = [];

  /** Does one step and lets every model settle that it concerns. */
  play({ step, create, edit, remove, endpoints, workers, tick }: ModelStep): StepRecord {
    this.#http = [];
    this.#writes = [];
    this.#events = [];
    this.#statuses = [];
    this.#workers = { ...this.#workers, ...workers };
    if (create !== undefined) {
      const { name } = keyOf(this.#store.create(create));
      this.#statuses.push({ object: name, status: null });
      if (endpoints === undefined) this.#settle(name);
    }
    if (endpoints !== undefined) {
      this.#setEndpoints(endpoints);
      for (const name of this.#models()) this.#settle(name);
    }
    if (edit !== undefined) this.#edit(edit);
    if (remove !== undefined) this.#remove(remove);
    for (const name of [edit?.name, remove, tick]) if (name !== undefined) this.#settle(name);
    return { step, http: this.#http, writes: this.#writes, events: this.#events, statuses: this.#statuses };
  }

  #models(): readonly string[] {
    return this.#store.all().flatMap((object) => (object['kind'] === kind.kind ? [keyOf(object).name] : []));
  }

  #setEndpoints(endpoints: readonly JsonObject[]): void {
    if (this.#store.get(sliceKey) !== undefined) this.#store.delete(sliceKey);
    const labels = {
      'nvidia.com/dynamo-base-model-hash': 'fb68f5a6',
      'kubernetes.io/service-name': 'dynamo-model-fb68f5a6',
    };
    const { apiVersion, kind: sliceKind, ...names } = sliceKey;
    if (endpoints.length > 0) this.#store.create({ apiVersion, kind: sliceKind, metadata: { ...names, labels }, endpoints });
  }

  #edit({ name, spec }: { readonly name: string; readonly spec: JsonObject }): void {
    this.#store.update({ ...kind, name }, (object) => ({ ...object, spec: { ...(object['spec'] as JsonObject), ...spec } }));
  }

  #remove(name: string): void {
    this.#store.delete({ ...kind, name });
    if (this.#store.get({ ...kind, name }) === undefined) this.#statuses.push({ object: name, status: 'deleted' });
  }

  /** Passes over a model until it is not to be looked at again at once. */
  #settle(name: string): void {
    for (let passes = 0; passes < 5; passes++) {
      const resource = this.#store.get({ ...kind, name });
      if (resource === undefined) return;
      const decision = this.#decide(resource);
      this.#carryOut(name, decision);
      if (decision.lookAgainSeconds !== 0) return;
    }
    throw new Error(`${name} does not settle`);
  }

  #decide(resource: JsonObject): Decision {
    const objects: Record<string, JsonObject | null> = {};
    const lists: Record<string, readonly JsonObject[]> = {};
    const effects: Record<string, EffectResult> = {};
    const now = '2026-01-01T00:00:00.000Z';
    const snapshot: Snapshot = { now, config: flagDefaults, apiGroups: [], resource, objects, lists, effects };
    for (let round = 0; round < 10; round++) {
      const answer = decideModel(snapshot);
      if (answer.answer === 'decision') return answer.decision;
      if (answer.answer === 'effects') for (const effect of answer.effects) effects[effect.id] = this.#call(effect);
      else for (const lookup of answer.lookups) lists[lookupKey(lookup)] = this.#store.answer(lookup) as readonly JsonObject[];
    }
    throw new Error('a decision asks for ever');
  }

  #call(effect: Effect): EffectResult {
    if (effect.effect !== 'http') throw new Error('a model calls workers only');
    const { method, url, body } = effect;
    const { hostname, pathname } = new URL(url);
    const answer = this.#workers[Number(hostname.split('.')[3])] ?? { ok: true, status: 200, body: '{"status":"success"}' };
    const sent = body === undefined ? { body: '' } : { type: 'application/json', body: JSON.stringify(body) };
    // A worker that cannot be reached records nothing; a slow one has the call before it is given up.
    if (answer.ok || !answer.error.includes('ECONNREFUSED'))
      this.#http.push({ to: hostname, request: `${method} ${pathname}`, ...sent });
    // The recorded workers know no list of adapters.
    return method === 'GET' ? { ok: true, status: 404, body: '' } : answer;
  }

  #carryOut(name: string, { steps, events }: Decision): void {
    for (const write of steps.flat()) {
      const before = this.#store.get({ ...kind, name });
      const after = execute(this.#store, write, before === undefined ? '' : versionOf(before));
      // The original adds and removes its finalizer by an update of the whole object.
      this.#writes.push(`update dynamomodels${write.verb === 'status' ? '/status' : ''} ${name} 200`);
      if (write.verb === 'status' && after !== undefined)
        this.#statuses.push({ object: name, status: withoutTimes(after['status'] ?? null) });
      if (this.#store.get({ ...kind, name }) === undefined) this.#statuses.push({ object: name, status: 'deleted' });
    }
    for (const { type, reason, message } of events) {
      const text = `${type} ${reason}: ${message}`;
      // The recording has what was new for an object, and what was equal for several once.
      if (!this.#said.has(`${name} ${text}`) && !this.#events.includes(text)) this.#events.push(text);
      this.#said.add(`${name} ${text}`);
    }
  }
}

/** A status with its times as the recording has them. */
function withoutTimes(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'lastTransitionTime' ? '(time)' : member))) as Json;
}

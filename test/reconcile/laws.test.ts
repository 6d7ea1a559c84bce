import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEqual, isTrueAt, listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { isSettled, type ObjectKey, type Write } from '../../lib/reconcile/index.ts';
import { resourcesIn, settle } from './cluster.ts';
import { decide, pass, type PassOptions } from './shell.ts';
import { keyOf, Refused, Store } from './store.ts';
import {
  apply,
  begun,
  converged,
  essence,
  foreignNames,
  graphKey,
  move,
  optionsOf,
  replicasOf,
  worlds,
  type World,
} from './world.ts';

const runs = process.env['LONG'] ? 50_000 : 100;

/** Worlds repeat: what they converge to is worked out once. */
const known = new Map<string, Store>();

function start(world: World): Store {
  const key = JSON.stringify([world.mode, world.services, world.claim]);
  const found = known.get(key) ?? converged(world);
  known.set(key, found);
  return found.copy();
}

function edited(world: World): Store {
  const store = start(world);
  for (const change of world.edits) apply(store, change);
  return store;
}

/** Laws are tried on the same worlds, so that each comes to rest once for all of them. Long runs forget them now and then. */
const atRest = new Map<string, Store>();
const mostAtRest = 2000;

/** A cluster after its changes, brought to rest without any disturbance. */
function ended(world: World): Store {
  const key = JSON.stringify(world);
  const found = atRest.get(key) ?? edited(world);
  if (!atRest.has(key)) {
    settle(found, optionsOf(world), move);
    if (atRest.size >= mostAtRest) atRest.clear();
    atRest.set(key, found);
  }
  return found.copy();
}

/** The same, where the operator has already acted on the first changes when the others come: an old snapshot is as good as an early pass. */
function endedAfter(world: World, count: number): Store {
  if (count === 0 || count === world.edits.length) return ended(world);
  const store = start(world);
  for (const change of world.edits.slice(0, count)) apply(store, change);
  settle(store, optionsOf(world), move);
  for (const change of world.edits.slice(count)) apply(store, change);
  settle(store, optionsOf(world), move);
  return store;
}

/** A graph whose nodes have lost their orchestrator stays as far as it had come; with Grove back, all ends must be one again. */
function cured(store: Store, world: World): Store {
  if (world.mode !== 'grove' || stringAt(store.get(graphKey), 'status', 'state') !== 'failed') return store;
  apply(store, { edit: 'grove', enabled: true });
  settle(store, optionsOf(world), move);
  return store;
}

function law(name: string, property: fc.IRawProperty<unknown>): void {
  test(name, { timeout: runs * 300 }, () => fc.assert(property, { numRuns: runs }));
}

describe('laws of decisions', () => {
  law(
    'a cluster at rest gives nothing to do',
    fc.property(worlds, (world) => {
      const store = ended(world);
      for (const resource of resourcesIn(store)) {
        const decision = decide(store, keyOf(resource), optionsOf(world));
        expect([keyOf(resource).name, decision.steps, decision.events]).toEqual([keyOf(resource).name, [], []]);
        // What cannot work, such as nodes without an orchestrator for them, is told in the status and tried again.
        if (decision.error !== undefined) expect(valueAt(resource, 'status', 'state')).toBe('failed');
      }
    }),
  );

  law(
    'a decision that only adds is the whole of it: right after it nothing is left to do',
    fc.property(worlds, fc.boolean(), (world, isNew) => {
      const store = isNew ? begun(world) : edited(world);
      for (let round = 0; round < 3; round++) {
        for (const key of resourcesIn(store).map(keyOf)) {
          const { decision, ended, read } = pass(store, key, optionsOf(world));
          if (decision === undefined || !isSettled(decision) || ended !== 'done') continue;
          const again = decide(store, key, { ...optionsOf(world), expected: read.keys() });
          expect([key.kind, again.steps]).toEqual([key.kind, []]);
        }
        store.collect();
        move(store);
      }
    }),
  );

  law(
    'an operator that dies after any write reaches the same end when it comes back',
    fc.property(worlds, fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), (world, deaths) => {
      const store = edited(world);
      for (const death of deaths) {
        disturbedRound(store, world, { intercept: (_write, index) => (index >= death ? 'crash' : undefined) });
        if (death % 2 === 0) move(store);
      }
      settle(store, optionsOf(world), move);
      expectSameEnd(store, ended(world));
    }),
  );

  law(
    'writes that meet a newer version reach the same end in a later pass',
    fc.property(worlds, fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), (world, conflicts) => {
      const store = edited(world);
      const conflict = new Refused(409, 'Conflict', 'the object has been modified');
      for (const place of conflicts)
        disturbedRound(store, world, { intercept: (_write, index) => (index === place ? conflict : undefined) });
      settle(store, optionsOf(world), move);
      expectSameEnd(store, ended(world));
    }),
  );

  law(
    'decisions made on an old snapshot do no lasting harm',
    fc.property(worlds, fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }), (world, ages) => {
      const store = start(world);
      const views = [store.copy()];
      for (const change of world.edits) {
        apply(store, change);
        views.push(store.copy());
      }
      for (const age of ages) {
        const view = views.at(-1 - age) ?? store.copy();
        disturbedRound(store, world, { view });
        views.push(store.copy());
      }
      settle(store, optionsOf(world), move);
      const end = essence(cured(store, world));
      const same = [world.edits.length, ...world.edits.keys()].some((count) =>
        isEqual(remembersNothing(end), remembersNothing(essence(cured(endedAfter(world, count), world)))),
      );
      if (!same) expectSameEnd(store, cured(ended(world), world));
    }),
  );

  law(
    'adapters and graphs come to agree, and the adapter decides',
    fc.property(worlds, (world) => {
      const store = ended(world);
      for (const adapter of store.all().filter((object) => keyOf(object).kind === 'DynamoGraphDeploymentScalingAdapter')) {
        const service = stringAt(adapter, 'spec', 'dgdRef', 'serviceName');
        expect(isTrueAt(store.get(graphKey), 'spec', 'services', service, 'scalingAdapter', 'enabled')).toBe(true);
        expect(replicasOf(store, service)).toBe(valueAt(adapter, 'spec', 'replicas'));
        expect(valueAt(adapter, 'status', 'replicas') ?? 0).toBe(valueAt(adapter, 'spec', 'replicas'));
      }
    }),
  );

  law(
    'no decision deletes a claim or touches what it does not own',
    fc.property(worlds, (world) => {
      const store = edited(world);
      const before = store.all().filter((object) => foreignNames.has(keyOf(object).name) && keyOf(object).kind !== 'Deployment');
      const check = (write: Write): undefined => {
        expectOwn(store, write);
        return undefined;
      };
      settle(store, { ...optionsOf(world), intercept: check }, move);
      for (const object of before) expect(without(store.get(keyOf(object)) ?? {}, 'status')).toEqual(without(object, 'status'));
      if (world.claim)
        expect(
          store
            .all()
            .filter((object) => keyOf(object).kind === 'PersistentVolumeClaim')
            .map((object) => keyOf(object).name),
        ).toContain('cache');
    }),
  );
});

/**
 * A graph that cannot work tells of its services what was last known. The status of a pass on an old snapshot is refused, so that less may be
 * known than after an early pass.
 */
function remembersNothing(objects: ReturnType<typeof essence>): ReturnType<typeof essence> {
  const key = `${graphKey.kind}/${graphKey.namespace}/${graphKey.name}`;
  const graph = objectAt(objects, key);
  if (stringAt(graph, 'status', 'state') !== 'failed') return objects;
  return { ...objects, [key]: { ...graph, status: without(objectAt(graph, 'status'), 'services') } };
}

function expectSameEnd(store: Store, wanted: Store): void {
  const [got, want] = [essence(store), essence(wanted)];
  // The comparison of the test runner is thorough and slow: it is for telling differences only.
  if (!isEqual(got, want)) expect(got).toEqual(want);
}

/** One pass over every resource, disturbed. */
function disturbedRound(store: Store, world: World, disturbance: PassOptions): void {
  for (const resource of resourcesIn(store)) pass(store, keyOf(resource), { ...optionsOf(world), ...disturbance });
  store.collect();
}

const shared = new Set(['planner-serviceaccount-binding', 'mpi-run-ssh-secret']);

function expectOwn(store: Store, write: Write): void {
  const { verb, target } = write;
  if (verb === 'delete') expect(target.kind).not.toBe('PersistentVolumeClaim');
  const live = store.get(target);
  if (verb === 'create' || live === undefined || shared.has(target.name)) return;
  expect(belongs(store, live), `${verb} ${target.kind} ${target.name}`).toBe(true);
}

/** Whether an object is a resource of the operator, or hangs on one. */
function belongs(store: Store, object: JsonObject): boolean {
  if (keyOf(object).kind.startsWith('Dynamo')) return true;
  return listAt(object, 'metadata', 'ownerReferences').some((owner) => {
    const key: ObjectKey = {
      apiVersion: stringAt(owner, 'apiVersion'),
      kind: stringAt(owner, 'kind'),
      namespace: 'demo',
      name: stringAt(owner, 'name'),
    };
    const parent = store.get(key);
    return parent !== undefined && belongs(store, parent);
  });
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

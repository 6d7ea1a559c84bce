/** A request comes to the same end wherever the operator dies, and whatever write it dies before. */
import { expect, test } from 'vitest';
import { isObject, objectAt, type Json, type JsonObject } from '../../../lib/json/index.ts';
import type { Write } from '../../../lib/reconcile/index.ts';
import { pass } from '../shell.ts';
import { keyOf, Store, versionOf } from '../store.ts';
import { config, graphText, plannerText, request, role } from './snapshots.ts';

const demo = (apiVersion: string, kind: string, name: string): ReturnType<typeof keyOf> => ({
  apiVersion,
  kind,
  namespace: 'demo',
  name,
});
const key = demo('nvidia.com/v1alpha1', 'DynamoGraphDeploymentRequest', 'ask');
const job = demo('batch/v1', 'Job', 'profile-ask');
const graph = demo('nvidia.com/v1alpha1', 'DynamoGraphDeployment', 'asked');

/** What others do: the profiler writes its output and ends, the graph comes up. */
function world(store: Store): boolean {
  const isStarted = objectAt(store.get(key), 'status')['state'] === 'Profiling';
  if (isStarted && store.get(job)?.['status'] === undefined) {
    const { apiVersion, kind, ...metadata } = demo('v1', 'ConfigMap', 'dgdr-output-ask');
    store.create({ apiVersion, kind, metadata, data: { 'config_with_planner.yaml': `${plannerText}\n---\n${graphText}` } });
    store.update(job, (live) => ({ ...live, status: { conditions: [{ type: 'Complete', status: 'True' }] } }));
    return true;
  }
  const live = store.get(graph);
  if (live === undefined || live['status'] !== undefined) return false;
  store.status({ ...live, status: { state: 'successful' } }, versionOf(live));
  return true;
}

/** Plays a request to its end; dies once, before the write of the given number. */
function play(dieBefore: number): { readonly store: Store; readonly writes: number; readonly events: readonly string[] } {
  const store = new Store();
  store.create(role);
  const { apiVersion, kind, spec } = request({ autoApply: true });
  store.create({
    apiVersion: apiVersion ?? '',
    kind: kind ?? '',
    metadata: { name: 'ask', namespace: 'demo' },
    spec: spec ?? {},
  });
  let writes = 0;
  const events: string[] = [];
  const intercept = (_write: Write): 'crash' | undefined => (writes++ === dieBefore ? 'crash' : undefined);
  for (let turns = 0; turns < 50; turns++) {
    const result = pass(store, key, { config, intercept });
    events.push(...result.events.map(({ reason, message }) => `${reason}: ${message}`));
    const isQuiet = result.ended === 'done' && result.writes.length === 0 && result.lookAgainSeconds !== 0;
    if (isQuiet && !world(store)) return { store, writes, events };
  }
  throw new Error('the request does not settle');
}

/** What stands at the end, without what counts writes. */
function standing(store: Store): readonly Json[] {
  const scrubbed = new Set(['resourceVersion', 'uid', 'generation']);
  const scrub = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => scrub(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        scrubbed.has(name) || member === undefined ? [] : [[name, scrub(member)]],
      ),
    );
  };
  return store
    .all()
    .map((object: JsonObject) => scrub(object))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

const whole = play(-1);

test('a request is Ready with its graph when nothing goes wrong', () => {
  expect(objectAt(whole.store.get(key), 'status')).toMatchObject({
    state: 'Ready',
    deployment: { name: 'asked', state: 'successful' },
  });
  expect(whole.writes).toBeGreaterThan(8);
});

test.each(Array.from({ length: whole.writes }, (_, index) => index))(
  'ends the same after a crash before write %i',
  (dieBefore) => {
    const crashed = play(dieBefore);
    expect(standing(crashed.store)).toEqual(standing(whole.store));
  },
);

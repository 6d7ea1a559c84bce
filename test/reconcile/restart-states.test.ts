import { expect, test } from 'vitest';
import {
  act,
  goOn,
  isEdited,
  passOutcomes,
  quietGraph,
  servicesOf,
  stateKey,
  view,
  type Action,
  type View,
} from './restart-model.ts';
import type { Mode } from './restart-children.ts';
import type { Store } from './store.ts';

/** How a graph is tried. */
interface Trial {
  readonly mode: Mode;
  readonly type: Strategy;
  /** Requests a user makes, one after the other, at any moment. */
  readonly ids: readonly string[];
  /** Whether the user also edits all services, once and at any moment. */
  readonly edits: boolean;
}

/** Between a graph and its cliques stands one more controller, so that their states are many more. */
const trials = (
  process.env['LONG']
    ? [
        { mode: 'component', ids: ['r1', 'r2'], edits: true },
        { mode: 'grove', ids: ['r1', 'r2'], edits: false },
        { mode: 'grove', ids: ['r1'], edits: true },
      ]
    : [
        { mode: 'component', ids: ['r1'], edits: true },
        { mode: 'grove', ids: ['r1'], edits: false },
      ]
) satisfies readonly Omit<Trial, 'type'>[];

type Strategy = 'Sequential' | 'Parallel';

/**
 * Everything that may happen in a state: passes that are carried out or die after any write, every change of readiness, one edit of all
 * services, the next request. Nothing but the number of requests and edits is bounded.
 */
function successors(store: Store, { mode, type, ids, edits }: Trial): readonly { readonly how: string; readonly store: Store }[] {
  const next = ids[ids.indexOf(view(store, mode).id) + 1];
  const actions: readonly Action[] = [
    { action: 'relay' },
    ...servicesOf(store).flatMap((service) =>
      (['observe', 'available', 'unavailable'] as const).map((action) => ({ action, service })),
    ),
    ...(next === undefined ? [] : [{ action: 'request', restart: { id: next, strategy: { type } } } as const]),
    ...(!edits || isEdited(store) ? [] : [{ action: 'env', value: 'b' } as const]),
  ];
  const acted = actions.flatMap((action) => {
    const copy = store.copy();
    return act(copy, mode, action) ? [{ how: JSON.stringify(action), store: copy }] : [];
  });
  const passes = passOutcomes(store, mode).map((outcome) => ({ how: `pass of ${outcome.writes} writes`, store: outcome.store }));
  return [...acted, ...passes];
}

/** What is wrong with a step from one state to the next; nothing where it is lawful. */
function fault({ type, ids }: Trial, before: View, after: View): string | undefined {
  const rank = (token: string): number => ids.indexOf(token);
  const sequential = type === 'Sequential';
  if (sequential && after.inProgress.length > 1) return 'two services are in progress';
  const moved = Object.entries(after.services).map(([name, { token }]) => [before.services[name]?.token ?? '', token] as const);
  if (sequential && moved.filter(([from, to]) => from !== to).length > 1) return 'two services are restarted at once';
  const isOpen = ([from, to]: readonly [string, string]): boolean => from !== to && to === before.observedID;
  if (sequential && moved.some(isOpen) && before.inProgress.some((name) => before.services[name]?.done === false))
    return 'a service is restarted before the one before it is ready again';
  if (moved.some(([from, to]) => rank(to) < rank(from))) return 'a service is restarted again for an older id';
  const completes = after.phase === 'Completed' && (before.phase !== 'Completed' || before.observedID !== after.observedID);
  if (completes && before.phase !== 'Restarting') return 'completed without having begun';
  if (completes && moved.some(([from]) => from !== after.observedID)) return 'completed before every service carried the id';
  return undefined;
}

/** What is wrong with a cluster in which nothing happens any more. */
function restFault({ id, phase, observedID }: View): string | undefined {
  const isEnded = id === '' ? phase === '' : phase === 'Completed' && observedID === id;
  return isEnded ? undefined : 'the restart does not end';
}

/** From any state on the restart comes to its end, after which nothing is written. */
function expectEnd(store: Store, mode: Mode, ending: Set<string>): void {
  const rest = store.copy();
  const path: string[] = [];
  for (;;) {
    const at = stateKey(rest, mode);
    if (ending.has(at)) break;
    expect(path, 'the restart goes round in circles').not.toContain(at);
    path.push(at);
    if (goOn(rest, mode)) continue;
    expect(restFault(view(rest, mode))).toBeUndefined();
    break;
  }
  for (const at of path) ending.add(at);
}

const three = ['Frontend', 'decode', 'prefill'].map((name) => ({ name, nodes: 1 }));

for (const { mode, ids, edits } of trials)
  for (const type of ['Sequential', 'Parallel'] as const) {
    const trial: Trial = { mode, type, ids, edits };
    const what = `a ${type.toLowerCase()} restart of three services (${mode}, ${ids.join(' then ')}${edits ? ', an edit' : ''})`;
    test(`every reachable state of ${what} is lawful`, { timeout: 3_600_000 }, () => {
      const { states, steps } = explore(trial);
      process.stdout.write(`${what}: ${states} states, ${steps} steps, every law held in all of them\n`);
      expect(states).toBeGreaterThan(500);
    });
  }

/** Goes through every state that can be reached, and counts them. */
function explore(trial: Trial): { readonly states: number; readonly steps: number } {
  const { mode } = trial;
  const begin = quietGraph(mode, three);
  const known = new Set([stateKey(begin, mode)]);
  const ending = new Set<string>();
  const open: Store[] = [begin];
  let steps = 0;
  for (let store = open.pop(); store !== undefined; store = open.pop()) {
    const before = view(store, mode);
    expectEnd(store, mode, ending);
    for (const { how, store: next } of successors(store, trial)) {
      steps++;
      const after = view(next, mode);
      const wrong = fault(trial, before, after);
      if (wrong !== undefined) expect.fail(`${wrong}: ${JSON.stringify([before, how, after])}`);
      const at = stateKey(next, mode);
      if (known.has(at)) continue;
      known.add(at);
      open.push(next);
    }
  }
  return { states: known.size, steps };
}

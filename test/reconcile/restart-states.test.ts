import { expect, test } from 'vitest';
import { act, edits, passOutcomes, quietGraph, services, view, type Action, type View } from './restart-model.ts';
import type { Store } from './store.ts';

/** Requests a user makes, one after the other, at any moment. */
const ids = ['r1', 'r2'];

/**
 * Everything that may happen in a state: passes that are carried out or die after any write, every change of readiness, one edit of all
 * services, the next request. Nothing but the number of requests and edits is bounded.
 */
function successors(store: Store): readonly { readonly how: string; readonly store: Store }[] {
  const next = ids[ids.indexOf(view(store).id) + 1];
  const actions: readonly Action[] = [
    ...services.flatMap((service) => (['observe', 'available', 'unavailable'] as const).map((action) => ({ action, service }))),
    ...(next === undefined ? [] : [{ action: 'request', id: next } as const]),
    ...(edits(store).startsWith('0') ? [{ action: 'edit' } as const] : []),
  ];
  const acted = actions.flatMap((action) => {
    const copy = store.copy();
    return act(copy, action) ? [{ how: JSON.stringify(action), store: copy }] : [];
  });
  return [...acted, ...passOutcomes(store).map((outcome) => ({ how: `pass of ${outcome.writes} writes`, store: outcome.store }))];
}

const rank = (token: string): number => ids.indexOf(token);

/** What is wrong with a step from one state to the next; nothing where it is lawful. */
function fault(type: string, before: View, after: View): string | undefined {
  const sequential = type === 'Sequential';
  if (sequential && after.inProgress.length > 1) return 'two services are in progress';
  const advanced = after.tokens.filter((token, index) => token !== before.tokens[index]);
  if (sequential && advanced.length > 1) return 'two services are restarted at once';
  if (after.tokens.some((token, index) => rank(token) < rank(before.tokens[index] ?? '')))
    return 'a service is restarted again for an older id';
  const completes = after.phase === 'Completed' && (before.phase !== 'Completed' || before.observedID !== after.observedID);
  if (completes && before.phase !== 'Restarting') return 'completed without having begun';
  if (completes && before.tokens.some((token) => token !== after.observedID))
    return 'completed before every service carried the id';
  return undefined;
}

/** What is wrong with a cluster in which nothing happens any more. */
function restFault({ id, phase, observedID }: View): string | undefined {
  const isEnded = id === '' ? phase === '' : phase === 'Completed' && observedID === id;
  return isEnded ? undefined : 'the restart does not end';
}

/** An operator that is left alone, and services that become ready; whether anything happened. */
function goOn(store: Store): boolean {
  const happened = services.flatMap((service) => [
    act(store, { action: 'observe', service }),
    act(store, { action: 'available', service }),
  ]);
  return act(store, { action: 'pass' }) || happened.includes(true);
}

const key = (store: Store): string => `${JSON.stringify(view(store))} ${edits(store)}`;

/** From any state on the restart comes to its end, after which nothing is written. */
function expectEnd(store: Store, ending: Set<string>): void {
  const rest = store.copy();
  const path: string[] = [];
  for (;;) {
    const at = key(rest);
    if (ending.has(at)) break;
    expect(path, 'the restart goes round in circles').not.toContain(at);
    path.push(at);
    if (goOn(rest)) continue;
    expect(restFault(view(rest))).toBeUndefined();
    break;
  }
  for (const at of path) ending.add(at);
}

for (const type of ['Sequential', 'Parallel'] as const)
  test(`every reachable state of a ${type.toLowerCase()} restart of three services is lawful`, { timeout: 600_000 }, () => {
    const begin = quietGraph(type);
    const known = new Set([key(begin)]);
    const ending = new Set<string>();
    const open: Store[] = [begin];
    let steps = 0;
    for (let store = open.pop(); store !== undefined; store = open.pop()) {
      const before = view(store);
      expectEnd(store, ending);
      for (const { how, store: next } of successors(store)) {
        steps++;
        const after = view(next);
        const wrong = fault(type, before, after);
        if (wrong !== undefined) expect.fail(`${wrong}: ${JSON.stringify([before, how, after])}`);
        const at = key(next);
        if (known.has(at)) continue;
        known.add(at);
        open.push(next);
      }
    }
    process.stdout.write(
      `${type} restart of three services: ${known.size} states, ${steps} steps, every law held in all of them\n`,
    );
    expect(known.size).toBeGreaterThan(1000);
  });

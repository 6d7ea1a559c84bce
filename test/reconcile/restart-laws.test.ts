import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import type { Mode } from './restart-children.ts';
import { act, becomeReady, passOver, quietGraph, servicesOf, view, type Action } from './restart-model.ts';
import { RestartWatch } from './restart-watch.ts';
import type { PassOptions } from './shell.ts';
import { Refused, type Store } from './store.ts';

const runs = process.env['LONG'] ? 50_000 : 250;

/** A step of a walk; a service is named by its place among those there are. */
type Step =
  | { readonly step: 'pass' | 'ready' | 'relay' | 'cancel' }
  | { readonly step: 'crash' | 'conflict'; readonly write: number }
  | { readonly step: 'stale'; readonly age: number }
  | { readonly step: 'observe' | 'available' | 'unavailable' | 'remove'; readonly place: number }
  | { readonly step: 'add'; readonly name: string }
  | { readonly step: 'env'; readonly value: string }
  | { readonly step: 'replicas'; readonly place: number; readonly replicas: number }
  | { readonly step: 'request'; readonly id: string; readonly type: string; readonly order: readonly number[] | undefined };

interface Walk {
  readonly names: readonly string[];
  /** Whether the last service spans nodes, where the cluster can run such services. */
  readonly wide: boolean;
  readonly steps: readonly Step[];
}

const allNames = ['Frontend', 'decode', 'prefill', 'router', 'Zeta'];
const place = fc.nat(4);
const write = fc.nat(6);
const request: fc.Arbitrary<Step> = fc.record({
  step: fc.constant('request' as const),
  id: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
  type: fc.constantFrom('Sequential', 'Sequential', 'Parallel', ''),
  order: fc.option(fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }), { nil: undefined }),
});
const plain = (...names: readonly ('pass' | 'ready' | 'relay' | 'cancel')[]): fc.Arbitrary<Step> =>
  fc.record({ step: fc.constantFrom(...names) });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: plain('pass') },
  { weight: 3, arbitrary: plain('ready', 'relay') },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('observe' as const, 'available' as const), place }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('unavailable' as const), place }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('crash' as const, 'conflict' as const), write }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('stale' as const), age: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: request },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('env' as const), value: fc.constantFrom('a', 'b') }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant('replicas' as const), place, replicas: fc.integer({ min: 0, max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('remove' as const), place }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('add' as const), name: fc.constantFrom(...allNames, 'alpha') }) },
  { weight: 1, arbitrary: plain('cancel') },
);

const walks: fc.Arbitrary<Walk> = fc.record({
  names: fc.integer({ min: 1, max: 5 }).map((count) => allNames.slice(0, count)),
  wide: fc.boolean(),
  steps: fc.tuple(request, fc.array(step, { maxLength: 24 })).map(([first, rest]) => [first, ...rest]),
});

const beginnings = new Map<string, Store>();

function begin(mode: Mode, { names, wide }: Walk): Store {
  const key = JSON.stringify([mode, names, wide]);
  const last = names.length - 1;
  const nodes = (index: number): number => (mode === 'grove' && wide && index === last && index > 0 ? 2 : 1);
  const found =
    beginnings.get(key) ??
    quietGraph(
      mode,
      names.map((name, index) => ({ name, nodes: nodes(index) })),
    );
  beginnings.set(key, found);
  return found.copy();
}

/** Goes through the steps of a walk, and after each of them looks for what no restart may do. */
class Walker {
  readonly #watch = new RestartWatch();
  readonly #store: Store;
  readonly #mode: Mode;
  readonly #past: Store[] = [];
  #restart: JsonObject | undefined;
  #view;

  constructor(mode: Mode, walk: Walk) {
    this.#mode = mode;
    this.#store = begin(mode, walk);
    this.#view = view(this.#store, mode);
  }

  take(one: Step): void {
    if (one.step === 'pass') this.#pass({});
    else if (one.step === 'crash') this.#pass({ intercept: (_write, index) => (index >= one.write ? 'crash' : undefined) });
    else if (one.step === 'conflict') {
      const conflict = new Refused(409, 'Conflict', 'the object has been modified');
      this.#pass({ intercept: (_write, index) => (index === one.write ? conflict : undefined) });
    } else if (one.step === 'stale') this.#pass({ view: this.#past.at(-one.age) ?? this.#store });
    else if (one.step === 'ready') becomeReady(this.#store, this.#mode);
    else for (const action of this.#actions(one)) act(this.#store, this.#mode, action);
    this.#look(one);
  }

  /** Leaves the operator alone until nothing happens any more. */
  end(): void {
    for (let round = 0; ; round++) {
      if (round > 60) expect.fail('the restart does not end');
      const moved = becomeReady(this.#store, this.#mode);
      this.#look('ready');
      const wrote = this.#pass({});
      this.#look('pass');
      if (!moved && !wrote) break;
    }
    const { id, phase, observedID } = this.#view;
    if (id === '') expect(['', 'Completed']).toContain(phase);
    else expect([observedID, phase]).toEqual([id, 'Completed']);
  }

  #pass(options: PassOptions): boolean {
    const { ended, writes, lookAgainSeconds, error } = passOver(this.#store, this.#mode, options);
    expect(error).toBeUndefined();
    if (ended === 'done' && options.view === undefined && view(this.#store, this.#mode).phase === 'Restarting')
      expect(lookAgainSeconds, 'a restart that nobody looks at again').toBeTypeOf('number');
    return writes.length > 0;
  }

  #look(how: unknown): void {
    const after = view(this.#store, this.#mode);
    const wrong = this.#watch.step(this.#view, after);
    if (wrong !== undefined) expect.fail(`${wrong}: ${JSON.stringify([this.#view, how, after])}`);
    this.#view = after;
    this.#past.push(this.#store.copy());
  }

  #actions(one: Step): readonly Action[] {
    const services = servicesOf(this.#store);
    const at = (index: number): string => services[index % services.length] ?? '';
    if (one.step === 'relay') return [{ action: 'relay' }];
    if (one.step === 'cancel') return [this.#request(undefined)];
    if (one.step === 'env') return [{ action: 'env', value: one.value }];
    if (one.step === 'replicas') return [{ action: 'replicas', service: at(one.place), replicas: one.replicas }];
    if (one.step === 'observe' || one.step === 'available' || one.step === 'unavailable')
      return [{ action: one.step, service: at(one.place) }];
    if (one.step === 'request') return [this.#request(restartOf(one, services))];
    // An order must name every service of the graph and no other, so it goes when they change.
    const changed: Action | undefined =
      one.step === 'add'
        ? { action: 'add', service: one.name }
        : one.step === 'remove'
          ? { action: 'remove', service: at(one.place) }
          : undefined;
    if (changed === undefined) return [];
    return [changed, ...(this.#restart === undefined ? [] : [this.#request(withoutOrder(this.#restart))])];
  }

  #request(restart: JsonObject | undefined): Action {
    this.#restart = restart;
    const { id, type, order } = restart === undefined ? { id: '', type: '', order: [] } : partsOf(restart);
    this.#watch.request(restart === undefined ? undefined : { id, sequential: type !== 'Parallel', order }, this.#view);
    return { action: 'request', restart };
  }
}

function partsOf(restart: JsonObject): { readonly id: string; readonly type: string; readonly order: readonly string[] } {
  const { id, strategy } = restart as {
    readonly id: string;
    readonly strategy?: { readonly type?: string; readonly order?: readonly string[] };
  };
  return { id, type: strategy?.type ?? '', order: strategy?.order ?? [] };
}

function withoutOrder(restart: JsonObject): JsonObject {
  const { id, type } = partsOf(restart);
  return { id, ...(type !== '' && { strategy: { type } }) };
}

function restartOf({ id, type, order }: Extract<Step, { readonly step: 'request' }>, services: readonly string[]): JsonObject {
  if (type === '') return { id };
  if (type === 'Parallel' || order === undefined) return { id, strategy: { type } };
  const ranks = new Map(services.map((service, index) => [service, order[index] ?? 0]));
  return { id, strategy: { type, order: services.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)) } };
}

for (const mode of ['component', 'grove'] as const)
  test(
    `a restart always ends, restarts no service twice for one id, and in sequence one service at a time (${mode})`,
    { timeout: runs * 300 },
    () =>
      fc.assert(
        fc.property(walks, (walk) => {
          const walker = new Walker(mode, walk);
          for (const one of walk.steps) walker.take(one);
          walker.end();
        }),
        { numRuns: runs },
      ),
  );

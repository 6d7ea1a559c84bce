import { ApiObject, App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { JsonObject } from '../api/index.ts';
import { buildLintIndex, type LintIndex } from '../lint/index.ts';

interface Taken {
  readonly json: JsonObject;
  /** Patches of the object and constructs of its chart, to notice what was added since. */
  readonly size: number;
}

/** The objects of an app as they stand. */
export class AppSnapshot {
  /** All objects, as lint wants them. */
  readonly around: LintIndex;
  private readonly objects: ReadonlyMap<ApiObject, Taken>;
  private readonly results = new Map<ApiObject, unknown>();

  constructor(app: App) {
    const found = app.node.findAll().filter((c) => ApiObject.isApiObject(c));
    this.objects = new Map(found.map((o) => [o, { json: o.toJson() as JsonObject, size: sizeOf(o) }]));
    this.around = buildLintIndex({ resources: [...this.objects.values()].map((o) => o.json) });
  }

  /** Whether nothing was added to the object's chart or patched in the object since. */
  holdsFor(object: ApiObject): boolean {
    return this.objects.get(object)?.size === sizeOf(object);
  }

  /** An object as it will be written. */
  json(object: ApiObject): JsonObject {
    return this.objects.get(object)?.json ?? {};
  }

  /** Computes something about an object once. */
  once<T>(object: ApiObject, compute: () => T): T {
    if (!this.results.has(object)) this.results.set(object, compute());
    return this.results.get(object) as T;
  }
}

// cdk8s keeps an object's patches to itself; their number is all that is asked here.
function sizeOf(object: ApiObject): number {
  const patches: unknown = Reflect.get(object, 'patches');
  return object.chart.node.children.length + (Array.isArray(patches) ? patches.length : 0);
}

const snapshots = new WeakMap<App, AppSnapshot>();

/**
 * What an app writes, taken once for a synth: cdk8s validates the whole app again for every chart, which would otherwise cost the square of the charts.
 * It is taken anew once the running synchronous code has ended, and when something was added or patched.
 */
export function snapshotFor(object: ApiObject): AppSnapshot {
  const app = App.of(object);
  const known = snapshots.get(app);
  if (known?.holdsFor(object) === true) return known;
  const snapshot = new AppSnapshot(app);
  snapshots.set(app, snapshot);
  queueMicrotask(() => snapshots.delete(app));
  return snapshot;
}

/** Drops what is known about an app, because one of its constructs changed. */
export function forgetSnapshot(construct: IConstruct): void {
  snapshots.delete(App.of(construct));
}

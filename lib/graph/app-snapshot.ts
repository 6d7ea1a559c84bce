import { ApiObject, App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { JsonObject } from '../api/index.ts';
import { indexDocuments, judgeDocuments, renderer, type JudgedDocument, type RenderedDocument } from '../check/index.ts';
import type { LintIndex, Suppression } from '../lint/index.ts';

interface Taken {
  readonly document: JudgedDocument<AppObject>;
  /** Patches of the object and constructs of its chart, to notice what was added since. */
  readonly size: number;
}

/** An object of an app as it will be written. */
interface AppObject {
  readonly value: JsonObject;
}

const settings = { namespace: 'default' };

/** The objects of an app as they stand, on their way through the pipeline: each is judged, rendered and indexed once. */
export class AppSnapshot {
  /** All objects, as lint wants them. */
  readonly index: LintIndex;
  private readonly objects: ReadonlyMap<ApiObject, Taken>;
  private readonly render: ReturnType<typeof renderer>;
  private readonly results = new Map<ApiObject, unknown>();

  constructor(app: App) {
    const found = app.node.findAll().filter((c) => ApiObject.isApiObject(c));
    const judged = judgeDocuments(
      found.map((object) => ({ object, value: object.toJson() as JsonObject })),
      settings,
    );
    this.objects = new Map(
      judged.map((document) => [document.source.object, { document, size: sizeOf(document.source.object) }]),
    );
    this.index = indexDocuments(judged, settings);
    this.render = renderer(judged, settings);
  }

  /** Whether nothing was added to the object's chart or patched in the object since. */
  holdsFor(object: ApiObject): boolean {
    return this.objects.get(object)?.size === sizeOf(object);
  }

  /** An object with what it renders to; nothing for one that was added since. */
  rendered(object: ApiObject, suppressions: readonly Suppression[]): RenderedDocument | undefined {
    const taken = this.objects.get(object);
    return taken && this.render(taken.document, suppressions);
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

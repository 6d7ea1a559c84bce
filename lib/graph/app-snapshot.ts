import { ApiObject, App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { JsonObject } from '../api/index.ts';
import { indexDocuments, judgeDocuments, renderer, type JudgedDocument, type RenderedDocument } from '../check/index.ts';
import type { LintIndex, Suppression } from '../lint/index.ts';

interface SnapshotEntry {
  readonly document: JudgedDocument<AppObject>;
  /** Number of patches of the object and constructs of its chart, to detect later additions. */
  readonly size: number;
}

/** An object of an app as it will be written. */
interface AppObject {
  readonly value: JsonObject;
}

const settings = { namespace: 'default' };

/** The current objects of an app, each judged, rendered and indexed once. */
export class AppSnapshot {
  /** Index of all objects for lint. */
  readonly index: LintIndex;
  private readonly objects: ReadonlyMap<ApiObject, SnapshotEntry>;
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

  /** Whether nothing was added to the object's chart or patched in the object since the snapshot. */
  isCurrent(object: ApiObject): boolean {
    return this.objects.get(object)?.size === sizeOf(object);
  }

  /** An object and its rendering; undefined if it was added after the snapshot. */
  rendered(object: ApiObject, suppressions: readonly Suppression[]): RenderedDocument | undefined {
    const entry = this.objects.get(object);
    return entry && this.render(entry.document, suppressions);
  }

  /** Computes a result for an object once. */
  once<T>(object: ApiObject, compute: () => T): T {
    if (!this.results.has(object)) this.results.set(object, compute());
    return this.results.get(object) as T;
  }
}

// `patches` is a private field of ApiObject; only its length is used.
function sizeOf(object: ApiObject): number {
  const patches: unknown = Reflect.get(object, 'patches');
  return object.chart.node.children.length + (Array.isArray(patches) ? patches.length : 0);
}

const snapshots = new WeakMap<App, AppSnapshot>();

/**
 * The snapshot of an object's app, shared by all checks of a synth: cdk8s validates the whole app once per chart, so the cost would otherwise grow
 * with the square of the number of charts. It is dropped when the running synchronous code ends, and when something is added or patched.
 */
export function snapshotFor(object: ApiObject): AppSnapshot {
  const app = App.of(object);
  const known = snapshots.get(app);
  if (known?.isCurrent(object) === true) return known;
  const snapshot = new AppSnapshot(app);
  snapshots.set(app, snapshot);
  queueMicrotask(() => snapshots.delete(app));
  return snapshot;
}

/** Drops the snapshot of an app, because one of its constructs changed. */
export function forgetSnapshot(construct: IConstruct): void {
  snapshots.delete(App.of(construct));
}

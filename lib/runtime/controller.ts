/** The interface between manager and controllers. */
import type { ApiClient } from './api/client.ts';
import type { ServedApis } from './api/discovery.ts';
import type { Cache } from './cache/cache.ts';
import type { WatchedKind } from './cache/watched-kind.ts';
import type { Clock } from './clock.ts';
import type { EventRecorder } from './events/recorder.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics/registry.ts';
import type { ManagerOptions } from './options.ts';
import type { WorkQueue } from './queue/queue.ts';
import type { Scope } from './scope/scope.ts';

/** Reconciles one kind; the manager runs it on the leader only. */
export interface Controller {
  /** The kind's name; also its name in metrics and log. */
  readonly name: string;
  /** Kinds its decisions read. Every replica watches them, and all are listed before the controller starts. */
  readonly watches?: (options: ManagerOptions) => readonly WatchedKind[];
  /**
   * Runs until the signal is aborted, then finishes running passes and resolves.
   * A rejection ends the process, so errors that can be retried are retried inside.
   */
  readonly start: (context: ControllerContext, signal: AbortSignal) => Promise<void>;
}

/** Everything that the manager provides to a controller. */
export interface ControllerContext {
  readonly options: ManagerOptions;
  /** Sends no write once leadership, or the namespace Lease of a restricted operator, may be lost. */
  readonly client: ApiClient;
  /** Synced before the controller starts; `record` and `recordDeleted` take the answers to writes. */
  readonly cache: Cache;
  readonly scope: Scope;
  /** Namespace of this process's own pod; empty outside a cluster. */
  readonly operatorNamespace: string;
  /** The APIs that are served now; `cache.onApis` reports changes. */
  readonly apis: () => ServedApis;
  /** A queue with the controller's metrics; `runWorkers` works through it. */
  readonly newQueue: (name: string) => WorkQueue;
  /** A recorder of events under the name of a component, such as `dynamographdeployment`. */
  readonly recorder: (component: string) => EventRecorder;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

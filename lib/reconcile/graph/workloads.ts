import type { JsonObject } from '../../json/index.ts';
import type { RestartProgress } from './restart.ts';
import type { StagePlan } from './graph-pass.ts';

/** The writes of a graph's workloads, and the state of the workloads after them. */
export interface WorkloadsPlan extends StagePlan {
  /** Resources that are not ready, by name, and why. */
  readonly notReady: readonly { readonly name: string; readonly reason: string }[];
  /** Replica counts by service. */
  readonly services: Readonly<Record<string, JsonObject>>;
}

/** State of the live workloads that is read before anything is rendered. */
export interface WorkloadsBefore {
  readonly restart: RestartProgress;
  /** Restart tokens currently set on the live workloads, by service. */
  readonly tokens: Readonly<Record<string, string>>;
}

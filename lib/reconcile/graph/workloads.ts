import type { JsonObject } from '../../json/index.ts';
import type { RestartProgress } from './restart.ts';
import type { StagePlan } from './graph-pass.ts';

/** What a graph's workloads are written as, and how they stand after it. */
export interface WorkloadsPlan extends StagePlan {
  /** Resources that are not ready, by name, and why. */
  readonly notReady: readonly { readonly name: string; readonly reason: string }[];
  /** Replica counts by service. */
  readonly services: Readonly<Record<string, JsonObject>>;
}

/** What must be known of the workloads before anything is rendered. */
export interface WorkloadsBefore {
  readonly restart: RestartProgress;
  /** Restart tokens the workloads carry, by service. */
  readonly tokens: Readonly<Record<string, string>>;
}

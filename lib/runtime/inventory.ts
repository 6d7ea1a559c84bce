/** How many resources there are of each kind, namespace and state, for the gauge `dynamo_operator_resources_total`. */
import type { KubernetesObject } from '../api/index.ts';
import { findNumber, objectsAt, stringAt, type Json } from '../json/index.ts';
import type { Cache } from './cache/cache.ts';
import { type Clock, sleep } from './clock.ts';
import type { Metrics } from './metrics/registry.ts';
import type { Scope } from './scope/scope.ts';

const group = 'nvidia.com/v1alpha1';
const periodMs = 30_000;

const stateOf: Readonly<Record<string, (status: Json | undefined, spec: Json | undefined) => string>> = {
  DynamoGraphDeployment: state,
  DynamoComponentDeployment: (status) => ready(conditionIsTrue(status, 'Available')),
  DynamoModel: (status, spec) => {
    const [total, loaded] = [findNumber(status, 'totalEndpoints') ?? 0, findNumber(status, 'readyEndpoints') ?? 0];
    // A base model has nothing to load, so it is ready as soon as it has endpoints.
    return ready(total > 0 && (stringAt(spec, 'modelType') !== 'lora' || loaded === total));
  },
  DynamoGraphDeploymentRequest: state,
  DynamoGraphDeploymentScalingAdapter: (status) =>
    ready(stringAt(status, 'selector') !== '' && (findNumber(status, 'replicas') ?? 0) > 0),
};

/** One series of the gauge. */
interface InventoryCount {
  readonly resource_type: string;
  readonly namespace: string;
  readonly status: string;
  readonly count: number;
}

/** Counts the objects of a kind. */
export function countResources(kind: string, objects: readonly KubernetesObject[]): readonly InventoryCount[] {
  const counts = new Map<string, InventoryCount>();
  for (const object of objects) {
    const namespace = object.metadata.namespace ?? '';
    const status = stateOf[kind]?.(object['status'], object['spec']) ?? 'unknown';
    const id = `${namespace}/${status}`;
    const count = (counts.get(id)?.count ?? 0) + 1;
    counts.set(id, { resource_type: kind, namespace, status, count });
  }
  return [...counts.values()];
}

/** Updates the gauge until the signal is aborted. The series of a state without resources is removed. */
export async function keepInventory(
  cache: Cache,
  scope: Scope,
  metrics: Metrics,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    metrics.reset('dynamo_operator_resources_total');
    for (const kind of Object.keys(stateOf)) {
      const objects = cache.list({ apiVersion: group, kind }, '')?.value ?? [];
      const own = objects.filter(({ metadata }) => !scope.excluded().has(metadata.namespace ?? ''));
      for (const { count, ...labels } of countResources(kind, own)) metrics.set('dynamo_operator_resources_total', labels, count);
    }
    await sleep(clock, periodMs, signal).catch(() => {}); // aborted: the loop checks the signal
  }
}

function state(status: Json | undefined): string {
  return stringAt(status, 'state') || 'unknown';
}

function ready(isReady: boolean): string {
  return isReady ? 'ready' : 'not_ready';
}

function conditionIsTrue(status: Json | undefined, type: string): boolean {
  return objectsAt(status, 'conditions').some((condition) => condition['type'] === type && condition['status'] === 'True');
}

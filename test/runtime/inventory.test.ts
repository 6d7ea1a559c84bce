import { expect, test } from 'vitest';
import { capabilitiesOf } from '../../lib/runtime/capabilities.ts';
import { countResources } from '../../lib/runtime/inventory.ts';
import type { JsonObject } from '../../lib/json/index.ts';

type Part = { readonly status?: JsonObject; readonly spec?: JsonObject };

function statuses(kind: string, ...parts: readonly Part[]): Readonly<Record<string, number>> {
  const objects = parts.map((part, index) => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind,
    metadata: { namespace: 'a', name: `${index}` },
    ...part,
  }));
  return Object.fromEntries(countResources(kind, objects).map(({ status, count }) => [status, count]));
}

test('counts graphs and requests by their state', () => {
  expect(statuses('DynamoGraphDeployment', { status: { state: 'pending' } }, { status: { state: 'pending' } }, {})).toEqual({
    pending: 2,
    unknown: 1,
  });
  expect(statuses('DynamoGraphDeploymentRequest', { status: { state: 'Profiling' } }, { status: {} })).toEqual({
    Profiling: 1,
    unknown: 1,
  });
});

test('counts components, models and adapters by whether they are ready', () => {
  const available = (status: string): JsonObject => ({ conditions: [{ type: 'Available', status }] });
  expect(statuses('DynamoComponentDeployment', { status: available('True') }, { status: available('False') }, {})).toEqual({
    ready: 1,
    not_ready: 2,
  });
  const endpoints = (readyEndpoints: number, totalEndpoints: number): JsonObject => ({ readyEndpoints, totalEndpoints });
  expect(
    statuses(
      'DynamoModel',
      { spec: { modelType: 'lora' }, status: endpoints(2, 2) },
      { spec: { modelType: 'lora' }, status: endpoints(1, 2) },
      { spec: { modelType: 'lora' }, status: endpoints(0, 0) },
      { spec: { modelType: 'base' }, status: endpoints(0, 2) },
      { spec: {}, status: endpoints(0, 0) },
    ),
  ).toEqual({ ready: 2, not_ready: 3 });
  expect(
    statuses(
      'DynamoGraphDeploymentScalingAdapter',
      { status: { selector: 'a=b', replicas: 1 } },
      { status: { selector: 'a=b' } },
      { status: { replicas: 1 } },
    ),
  ).toEqual({ ready: 1, not_ready: 2 });
});

test('needs Volcano beside LeaderWorkerSets to run components on several nodes', () => {
  const lws = (...groups: readonly string[]): boolean => capabilitiesOf(new Set(groups)).lws;
  expect([
    lws('leaderworkerset.x-k8s.io'),
    lws('scheduling.volcano.sh'),
    lws('leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'),
  ]).toEqual([false, false, true]);
});

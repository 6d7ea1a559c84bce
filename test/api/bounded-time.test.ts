import { expect, test } from 'vitest';
import { normalizeResource } from '../../lib/api/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';

const service = (spec: Json): JsonObject => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'sample' },
  spec: { services: { Worker: spec } },
});

const many = <T>(item: (index: number) => T): T[] => Array.from({ length: 200_000 }, (_, index) => item(index));

test.each([
  ['items of the wrong type', () => ({ envs: many(() => 1) })],
  ['unknown fields', () => Object.fromEntries(many((i) => [`unknown-${i}`, i]))],
  ['equal items', () => ({ extraPodSpec: { volumes: many(() => ({ name: 'a' })) } })],
  ['wrong values of a map', () => ({ labels: Object.fromEntries(many((i) => [`a${i}`, i])) })],
])('takes bounded time for very many %s', (_what, spec) => {
  const resource = service(spec());
  const start = performance.now();
  const { issues, warnings } = normalizeResource(resource);
  expect(issues.length + warnings.length).toBeGreaterThan(0);
  expect(issues.length + warnings.length).toBeLessThanOrEqual(10_000);
  // Far from the minutes that quadratic time takes, and far enough from the half second it takes on an idle machine.
  expect(performance.now() - start).toBeLessThan(20_000);
});

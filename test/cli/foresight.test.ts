import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { foreseeRefusals } from '../../lib/cli/foresight.ts';

const graph: JsonObject = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'g', namespace: 'default' },
  spec: { services: { Worker: { componentType: 'worker', replicas: 1 } } },
};

test('reads what is around resources once, however many resources there are', () => {
  let reads = 0;
  const watched: JsonObject = {
    get kind() {
      reads += 1;
      return 'Secret';
    },
  };
  const around = [watched];
  const readsFor = (resources: number): number => {
    const before = reads;
    for (let index = 0; index < resources; index += 1) expect(foreseeRefusals(graph, around, 'default')).toHaveLength(1);
    return reads - before;
  };
  expect(readsFor(1)).toBeGreaterThan(0);
  // What a rendering asks of the cluster may look at each object; nothing may index them all again.
  expect(readsFor(100)).toBeLessThanOrEqual(100);
});

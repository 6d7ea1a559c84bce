import { expect, test } from 'vitest';
import { judgeDocuments, renderDocuments } from '../../lib/check/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';

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
  const settings = { namespace: 'default' };
  const readsFor = (resources: number): number => {
    const before = reads;
    const sources = [watched, ...Array.from({ length: resources }, () => graph)].map((value) => ({ value }));
    const rendered = renderDocuments(judgeDocuments(sources, settings), settings);
    expect(rendered.filter(({ findings }) => findings.some(({ stage }) => stage === 'rejection'))).toHaveLength(resources);
    return reads - before;
  };
  const once = readsFor(1);
  expect(once).toBeGreaterThan(0);
  // What a rendering asks of the cluster may look at each object; nothing may index them all again.
  expect(readsFor(101)).toBeLessThanOrEqual(once + 100);
});

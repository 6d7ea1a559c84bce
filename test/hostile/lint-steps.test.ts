import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { buildLintIndex } from '../../lib/lint/lint-index.ts';
import { lintResource } from '../../lib/lint/lint.ts';

/** Graphs that count how often one of their fields is read. */
function countingGraphs(n: number): { readonly graphs: readonly JsonObject[]; readonly reads: () => number } {
  let reads = 0;
  const worker = {
    componentType: 'worker',
    extraPodSpec: { mainContainer: { image: 'example.com/a:1' } },
    get envFromSecret() {
      reads++;
      return 'hf-token-secret';
    },
  };
  const graphs = Array.from({ length: n }, (_, i) => ({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: `g${i}` },
    spec: { services: { Worker: worker } },
  }));
  return { graphs, reads: () => reads };
}

test('lint reads every graph as often, however many there are beside it', () => {
  const readsOf = (n: number): number => {
    const { graphs, reads } = countingGraphs(n);
    const index = buildLintIndex({ resources: graphs });
    for (const graph of graphs) lintResource(graph, index);
    return reads() / n;
  };
  expect(readsOf(40)).toBeLessThanOrEqual(readsOf(20));
});

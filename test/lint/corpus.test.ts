import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintErrorsPage } from '../../scripts/generate/lint-errors-page.ts';
import { corpus, exampleDocuments, exampleNames, findingsIn } from './corpus.ts';

/** Where the specification has seen a rule broken: files by rule. */
const seen: Readonly<Record<string, readonly string[]>> = {
  'DYN-ROLE-003': [
    'recipes-gpt-oss-120b-trtllm-agg',
    'recipes-qwen3-235b-a22b-fp8-trtllm-agg',
    'recipes-qwen3-32b-fp8-trtllm-agg',
  ],
  'DYN-ROLE-005': ['recipes-llama-3-70b-vllm-agg', 'recipes-llama-3-70b-vllm-agg-gaie'],
  'DYN-BACK-002': ['recipes-qwen3-235b-a22b-fp8-trtllm-disagg', 'cloud-gke-sglang-disagg'],
  'DYN-GPU-002': ['recipes-qwen3-32b-fp8-trtllm-disagg'],
  'DYN-MEM-002': ['basics-kubernetes-distributed-inference-disagg-router', 'backends-sglang-disagg-multinode'],
  'DYN-REF-001': [
    'discovery-dgd-kubernetes-backend',
    'recipes-deepseek-r1-sglang-disagg-16gpu',
    'recipes-deepseek-r1-sglang-disagg-8gpu',
  ],
  'DYN-REF-002': [
    'basics-kubernetes-shared-frontend',
    'recipes-qwen3-235b-a22b-fp8-trtllm-agg',
    'recipes-qwen3-235b-a22b-fp8-trtllm-disagg',
  ],
  'DYN-REF-004': ['backends-trtllm-agg-with-config', 'backends-trtllm-disagg-multinode'],
  'DYN-REF-006': ['backends-sglang-disagg-planner', 'backends-trtllm-disagg-planner', 'backends-vllm-disagg-planner'],
  'DYN-REF-007': ['basics-kubernetes-shared-frontend'],
  'DYN-ROUTE-001': ['recipes-qwen3-235b-a22b-fp8-trtllm-agg', 'recipes-qwen3-235b-a22b-fp8-trtllm-disagg'],
  'DYN-ROUTE-003': ['backends-vllm-agg-router-kv-approx'],
  'DYN-SCHED-002': [
    'recipes-gpt-oss-120b-trtllm-agg',
    'recipes-qwen3-235b-a22b-fp8-trtllm-agg',
    'recipes-qwen3-235b-a22b-fp8-trtllm-disagg',
    'recipes-qwen3-32b-fp8-trtllm-agg',
    'recipes-qwen3-32b-fp8-trtllm-disagg',
  ],
  'DYN-PROBE-001': ['cloud-gke-vllm-disagg'],
  'DYN-VER-001': ['backends-vllm-agg', 'discovery-dgd-kubernetes-backend', 'hierarchical-planner-vllm-2p1d'],
};

describe.skipIf(!corpus)('on the original’s example files', () => {
  test.each(Object.entries(seen))('%s fires where it was seen', (id, files) => {
    for (const file of files)
      expect([file, findingsIn(exampleDocuments(`${file}.yaml`)).map((f) => f.id)]).toEqual([file, expect.arrayContaining([id])]);
  });

  test('roles are inconsistent in 16 graphs, 9 for the type and 11 for the flag', () => {
    const found = exampleNames().flatMap((name) =>
      exampleDocuments(name).map((document) => findingsIn([document]).filter((f) => f.id === 'DYN-ROLE-002')),
    );
    const counts = [/./, /not set/, /decode side/].map(
      (part) => found.filter((graph) => graph.some((f) => part.test(f.message))).length,
    );
    expect(counts).toEqual([16, 9, 11]);
  });

  test('no worker has another number of GPUs than its engine wants', () => {
    expect(
      exampleNames()
        .flatMap((name) => findingsIn(exampleDocuments(name)))
        .filter((f) => f.id === 'DYN-GPU-001'),
    ).toEqual([]);
  });

  test('every error is listed in docs/lint-errors-in-examples.md with its line and its reason', async () => {
    const page = resolve(import.meta.dirname, '../../docs/lint-errors-in-examples.md');
    expect(readFileSync(page, 'utf8')).toBe(await lintErrorsPage());
  });
});

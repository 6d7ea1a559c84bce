import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintErrorsPage } from '../../scripts/generate/lint-errors-page.ts';
import { corpus, exampleDocuments, exampleNames, findingsIn, recordedInputs } from './corpus.ts';

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
    const counts = [/./, /not set/, /decode worker of a disaggregated/].map(
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

/** Errors on the inputs of the recordings, judged by hand: rule, a part of the message, why the manifest cannot work. */
const judged: readonly (readonly [id: string, part: RegExp, why: string])[] = [
  ['DYN-GPU-001', /got 0\b/, 'an engine of Dynamo does not start without a GPU'],
  [
    'DYN-GPU-001',
    /needs \d+ GPUs? .*|needs 1 GPU, got \d+/,
    'the engine takes as many GPUs as its flags say, the others idle or are missing',
  ],
  ['DYN-GPU-001', /whole number/, 'argparse of the engine takes a whole number only'],
  ['DYN-GPU-003', /./, 'the operator renders only the limit, so the request is lost'],
  ['DYN-GPU-004', /./, 'the operator gives a frontend no leader and no workers'],
  ['DYN-GPU-005', /./, 'the operator does not see the flag, so every node starts an engine of its own'],
  ['DYN-GPU-002', /./, 'flag and engine file differ, one is ignored'],
  ['DYN-ROLE-003', /./, 'the operator knows no such type: no port, no probes'],
  ['DYN-ROLE-006', /no frontend/, 'nobody sends the workers requests'],
  ['DYN-ROLE-007', /max-lora-rank/, 'the engine refuses adapters above its default rank'],
  ['DYN-ROLE-008', /./, 'without a transceiver no KV block reaches the decode worker'],
  ['DYN-ROUTE-001', /./, 'the router scores by events that no worker sends'],
  ['DYN-SCHED-002', /./, 'no pod has the label value, so the rule never matches'],
  ['DYN-PROBE-001', /no handler/, 'the recorded API server refused the probe'],
  ['DYN-REF-001', /meta-llama/, 'the model is gated: without a token the download fails'],
  ['DYN-REF-004', /./, 'the file is hidden by the mount, or not in the ConfigMap'],
  ['DYN-REF-006', /exactly one|unless/, 'the planner stops at start, or counts too few GPUs for a worker'],
  ['DYN-REF-009', /two levels/, 'the value of the container is lost'],
  ['DYN-BACK-002', /given|removed in/, 'the parser ends with a usage error, or ignores one of the values'],
  ['DYN-BACK-003', /only the first/, 'the shell runs one word'],
  ['DYN-NAME-002', /./, 'the recorded API server refused the objects'],
  ['DYN-API-003', /./, 'the recorded API server refused the Deployment'],
  ['DYN-API-004', /./, 'the recorded API server refused the Deployment'],
  ['DYN-VER-001', /placeholder/, 'there is no such image'],
  ['required', /./, 'the original refused it with these words'],
  ['invalid_quantity', /./, 'the original refused it with these words'],
  ['invalid_deployment_config', /./, 'the original refused it with these words'],
  ['framework_mismatch', /./, 'the original refused it with these words'],
];

describe.skipIf(!corpus)('on the inputs of the recordings', () => {
  test('every error is one that was judged to be right', () => {
    const errors = recordedInputs().flatMap(([name, documents]) =>
      findingsIn(documents)
        .filter(({ severity }) => severity === 'error')
        .map(({ id, path, message }) => ({ id, message, at: `${name} ${path}: ${message} (${id})` })),
    );
    const unjudged = errors.filter(({ id, message }) => !judged.some(([rule, part]) => rule === id && part.test(message)));
    expect(unjudged.map(({ at }) => at)).toEqual([]);
    const idle = judged.filter(([rule, part]) => !errors.some(({ id, message }) => rule === id && part.test(message)));
    expect(idle.map(([rule]) => rule)).toEqual([]);
  });
});

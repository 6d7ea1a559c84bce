import { expect, test } from 'vitest';
import { resolveFramework } from '../../lib/render/framework.ts';

interface Case {
  readonly type?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly explicit?: string;
}

const two = 'python -m dynamo.vllm.worker && python -m dynamo.sglang';

test.each<readonly [Case, string]>([
  [{ command: ['/bin/sh', '-c'], args: ['python -m dynamo.vllm.worker --model test'] }, 'vllm'],
  [{ args: ['python3.11 -m dynamo.sglang'] }, 'sglang'],
  [{ command: ['python3'], args: ['-m', 'dynamo.trtllm'] }, 'trtllm'],
  [{ args: ['echo start && python -m dynamo.vllm.worker --model test | tee out.log'] }, 'vllm'],
  [{ args: ['echo hello world'] }, 'noop'],
  [{}, 'noop'],
  [{ explicit: 'trtllm' }, 'trtllm'],
  [{ args: ['python -m dynamo.vllm'], explicit: 'vllm' }, 'vllm'],
  [
    { args: ['python -m dynamo.vllm'], explicit: 'sglang' },
    'backend framework mismatch: detected "vllm" from command but explicitly configured as "sglang"',
  ],
  [{ args: [two], explicit: 'sglang' }, 'sglang'],
  [
    { args: [two] },
    `could not determine backend framework: multiple backend frameworks detected from command: [vllm sglang] in "${two}"`,
  ],
  [{ explicit: 'tgi' }, 'unsupported backend framework: tgi'],
  [{ explicit: 'noop' }, 'unsupported backend framework: noop'],
  [{ type: 'frontend', args: ['python -m dynamo.vllm'], explicit: 'sglang' }, 'noop'],
  [{ type: 'prefill', args: ['python -m dynamo.vllm'] }, 'vllm'],
])('%j runs %s', ({ type = 'worker', explicit, ...main }, result) => {
  const outcome = resolveFramework({ componentType: type, extraPodSpec: { mainContainer: main } }, explicit);
  expect('value' in outcome ? outcome.value : outcome.problems[0]?.message).toBe(result);
});

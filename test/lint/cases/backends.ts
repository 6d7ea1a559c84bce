import { frontend, graph, prefill, worker } from '../../../lib/lint/sample.ts';
import { type Firing, sglang, shell, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about engines and their command lines report. */
export const firing: readonly Firing[] = [
  [
    'DYN-BACK-001',
    'two engines in one script',
    'error',
    [withWorker(shell('python3 -m dynamo.vllm & python3 -m dynamo.sglang'))],
    'spec.services.Worker.extraPodSpec.mainContainer',
  ],
  [
    'DYN-BACK-001',
    'prefill and decode of two engines',
    'error',
    [graph({ Frontend: frontend(), P: prefill(), D: sglang('decode', '1') })],
    'spec.services.D',
  ],
  [
    'DYN-BACK-002',
    'a flag without its value',
    'error',
    [withWorker(vllm(['--block-size']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-BACK-002',
    'an unknown flag',
    'warning',
    [withWorker(vllm(['--tensor-paralel-size', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
  [
    'DYN-BACK-002',
    'a flag that a later release removed',
    'error',
    [withWorker(vllm(['--is-prefill-worker']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
    { release: '1.4.0' },
  ],
  [
    'DYN-BACK-003',
    'exec args of a worker without command',
    'error',
    [withWorker(worker('vllm', ['-m', 'dynamo.vllm'], {}, { command: [] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.args',
  ],
  [
    'DYN-BACK-003',
    'a shell without a script',
    'error',
    [withWorker(worker('vllm', [], {}, { command: ['/bin/sh', '-c'] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.command',
  ],
  [
    'DYN-BACK-003',
    'python without a module',
    'error',
    [withWorker(worker('vllm', ['--model', 'x'], {}, { command: ['python3'] }))],
    'spec.services.Worker.extraPodSpec.mainContainer.args',
  ],
  [
    'DYN-BACK-003',
    'a frontend whose command holds its module',
    'error',
    [graph({ Frontend: frontend({ command: ['python3', '-m', 'dynamo.frontend'] }), Worker: vllm() })],
    'spec.services.Frontend.extraPodSpec.mainContainer.command',
  ],
  [
    'DYN-BACK-002',
    'a flag three times with two values, once',
    'error',
    [withWorker(vllm(['--max-model-len', '1', '--max-model-len', '2', '--max-model-len', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
  [
    'DYN-BACK-002',
    'a flag twice with one value',
    'warning',
    [withWorker(vllm(['--max-model-len', '1', '--max-model-len', '1']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
];

/** What rules about engines and their command lines leave alone. */
export const silent: readonly Silent[] = [
  ['DYN-BACK-002', 'a negative number as a value', [withWorker(vllm(['--seed', '-1']))]],
  ['DYN-BACK-002', 'an underscore in a vLLM flag', [withWorker(vllm(['--compilation_config', '{}']))]],
  ['DYN-BACK-002', 'a negated flag', [withWorker(vllm(['--no-enable-chunked-prefill']))]],
  [
    'DYN-BACK-003',
    'one script as the only arg',
    [withWorker(worker('vllm', ['python3 -m dynamo.vllm --model x'], {}, { command: [] }))],
  ],
  ['DYN-BACK-003', 'a python script', [withWorker(worker('vllm', ['client.py'], {}, { command: ['python3'] }))]],
];

import { decode, frontend, graph, pathModel, prefill, worker } from '../../../lib/lint/sample.ts';
import { type Firing, sglang, type Silent, vllm, withWorker } from './case.ts';

/** What else rules about roles of components report. */
export const firing: readonly Firing[] = [
  ['DYN-ROLE-001', 'a decode worker alone', 'error', [graph({ Frontend: frontend(), D: decode() })], 'spec.services.D'],
  [
    'DYN-ROLE-002',
    'a prefill type without its flag',
    'warning',
    [graph({ Frontend: frontend(), P: vllm([], { subComponentType: 'prefill' }), D: decode() })],
    'spec.services.P',
  ],
  ['DYN-ROLE-003', 'a missing type', 'warning', [withWorker({ ...vllm(), componentType: undefined })], 'spec.services.Worker'],
  [
    'DYN-ROLE-004',
    'two bootstrap ports',
    'error',
    [graph({ Frontend: frontend(), P: sglang('prefill', '1'), D: sglang('decode', '2') })],
    'spec.services.D',
  ],
  [
    'DYN-ROLE-004',
    'connector none on one side',
    'error',
    [graph({ Frontend: frontend(), P: prefill(), D: decode(['--connector', 'none']) })],
    'spec.services.D.extraPodSpec.mainContainer.args[3]',
  ],
  [
    'DYN-ROLE-004',
    'a connector that moves nothing between workers',
    'error',
    [graph({ Frontend: frontend(), P: prefill(['--connector', 'lmcache']), D: decode() })],
    'spec.services.P.extraPodSpec.mainContainer.args[3]',
  ],
  ['DYN-ROLE-006', 'no service at all', 'error', [graph({})], 'spec'],
  [
    'DYN-ROLE-006',
    'two endpoint pickers',
    'error',
    [graph({ Frontend: frontend(), A: { componentType: 'epp' }, B: { componentType: 'epp' } })],
    'spec.services.B',
  ],
  ['DYN-ROLE-006', 'two frontends', 'warning', [graph({ A: frontend(), B: frontend(), Worker: vllm() })], 'spec.services.B'],
  [
    'DYN-ROLE-007',
    'LoRA on SGLang',
    'error',
    [withWorker(worker('sglang', [...pathModel, '--enable-lora']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[4]',
  ],
  [
    'DYN-ROLE-007',
    'LoRA with a connector',
    'error',
    [withWorker(vllm(['--enable-lora', '--max-lora-rank', '8', '--connector', 'nixl']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[6]',
  ],
  [
    'DYN-ROLE-007',
    'LoRA with the default connector',
    'warning',
    [withWorker(vllm(['--enable-lora', '--max-lora-rank', '8']))],
    'spec.services.Worker.extraPodSpec.mainContainer.args[2]',
  ],
];

/** What rules about roles of components leave alone. */
export const silent: readonly Silent[] = [
  [
    'DYN-ROLE-001',
    'halves in two graphs',
    [graph({ Frontend: frontend(), P: prefill() }), graph({ D: decode() }, {}, { name: 'other' })],
  ],
  ['DYN-ROLE-006', 'workers that a shared frontend serves', [graph({ Worker: vllm([], { globalDynamoNamespace: true }) })]],
];

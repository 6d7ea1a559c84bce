import type { Backend, Role } from './engine/base.ts';

/** How presets name workers: `worker`, `prefill` and `decode`, or as in NVIDIA's examples. */
export type NamingStyle = 'short' | 'upstream';

type WorkerNames = Readonly<Record<Role, string>>;

const short: WorkerNames = { aggregated: 'worker', prefill: 'prefill', decode: 'decode' };

const upstream = {
  vllm: { aggregated: 'VllmDecodeWorker', prefill: 'VllmPrefillWorker', decode: 'VllmDecodeWorker' },
  sglang: { aggregated: 'decode', prefill: 'prefill', decode: 'decode' },
  trtllm: { aggregated: 'TRTLLMWorker', prefill: 'TRTLLMPrefillWorker', decode: 'TRTLLMDecodeWorker' },
  mocker: { aggregated: 'decode', prefill: 'prefill', decode: 'decode' },
} as const satisfies Record<Backend, WorkerNames>;

/** The name a preset gives a worker. */
export function workerName(style: NamingStyle, backend: Backend, role: Role): string {
  return style === 'short' ? short[role] : upstream[backend][role];
}

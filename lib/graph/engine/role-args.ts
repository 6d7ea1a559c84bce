import type { Role } from './base.ts';

/** Flags for the role of a worker, in vLLM and the mocker. */
export const roleArgs = {
  aggregated: [],
  prefill: ['--is-prefill-worker'],
  decode: ['--is-decode-worker'],
} as const satisfies Record<Role, readonly string[]>;

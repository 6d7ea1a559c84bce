import type { Role } from './base.ts';

/** How vLLM, and the mocker after it, is told which phase of a request it serves. */
export const roleArgs = {
  aggregated: [],
  prefill: ['--is-prefill-worker'],
  decode: ['--is-decode-worker'],
} as const satisfies Record<Role, readonly string[]>;

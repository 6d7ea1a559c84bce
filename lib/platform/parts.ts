import type { Part } from './part.ts';

/** Every part with a block of values, in the order in which their objects are printed. */
export const parts: readonly Part[] = [];

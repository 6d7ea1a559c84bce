/**
 * Keeps the heap small. By default V8 lets it grow well beyond what is in use, which suits short-lived programs; an operator runs for months and
 * holds little. The flag can be set at run time. Its savings and costs are in bench/README.md.
 */
import { setFlagsFromString } from 'node:v8';

/** Makes V8 prefer low memory use to speed from now on. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

/**
 * Keeps the process small. By default V8 lets the heap grow well beyond what is in use, which suits short programs; an operator lives for months
 * and holds little. The flag may be set while a program runs. What it saves and costs is in bench/README.md.
 */
import { setFlagsFromString } from 'node:v8';

/** Has V8 prefer memory to speed from now on. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

/** Makes V8 compile hot functions to optimized code sooner than usual. */
import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function executes before V8 considers it hot: half the default of Node 20. */
const budget = 33_000;

/**
 * Lets V8 optimize early from now on. Webhooks run the same few functions in each call, so they soon save more than the compiler takes; the passes of
 * controllers, spread over many functions, do not. Both are measured in bench/README.md.
 */
export function optimizeEarly(): void {
  setFlagsFromString(`--interrupt-budget=${budget}`);
}

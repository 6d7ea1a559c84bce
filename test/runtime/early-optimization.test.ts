import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const module = resolve(import.meta.dirname, '../../lib/runtime/early-optimization.ts');

/** Prints how many calls it takes until a function is optimized, before and after `optimizeEarly`. */
const program = `
  import { optimizeEarly } from ${JSON.stringify(module)};
  const isOptimized = (f) => (%GetOptimizationStatus(f) & 16) !== 0;
  const callsUntilOptimized = () => {
    const sum = new Function('n', 'let s = 0; for (let i = 0; i < n; i++) s += i; return s;');
    let calls = 0;
    for (; !isOptimized(sum) && calls < 1_000_000; calls += 1) sum(10);
    return calls;
  };
  const before = callsUntilOptimized();
  optimizeEarly();
  console.log(JSON.stringify([before, callsUntilOptimized()]));
`;

test('functions are optimized after less than half of the calls', () => {
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--import', 'tsx', '--input-type=module'];
  const [before = 0, after = 0]: readonly number[] = JSON.parse(
    execFileSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' }),
  );
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThan(before / 2);
});

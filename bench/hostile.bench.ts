// Inputs made to cost more than they should: CPU time at n, 2n and 4n, which other work on the machine does not change. What grows with the size of the
// input stays near a factor of two.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../test/command-line.ts';
import { largeInputs } from '../test/hostile/large-inputs.ts';

const rounds = 3;
const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bench-'));

async function measure(command: readonly string[], text: string): Promise<number> {
  writeFileSync(join(folder, 'in.yaml'), text);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await runCommand(folder, command);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

const rows: Record<string, object> = {};
for (const { name, command, text, size } of largeInputs) {
  const [once, twice, fourTimes] = [
    await measure(command, text(size)),
    await measure(command, text(2 * size)),
    await measure(command, text(4 * size)),
  ];
  rows[`${command[0] ?? ''}: ${name}`] = {
    n: size,
    'ms at n': Math.round(once),
    'ms at 2n': Math.round(twice),
    'ms at 4n': Math.round(fourTimes),
    'growth per doubling': Math.sqrt(fourTimes / once).toFixed(2),
  };
}
rmSync(folder, { recursive: true });
console.table(rows);

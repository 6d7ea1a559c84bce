// `npm run bench [NAME...]`: runs the benchmarks of this folder one after the other, `scale` by name only. They print tables and never fail on a
// timing.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

/** Takes minutes, and a control plane of its own. */
const onlyByName: ReadonlySet<string> = new Set(['scale']);
const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((f) => f.endsWith('.bench.ts'))
  .map((f) => basename(f, '.bench.ts'));
const unknown = wanted.filter((w) => !names.includes(w));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')} (have ${names.join(', ')})`);
  process.exitCode = 1;
} else {
  for (const name of wanted.length > 0 ? wanted : names.filter((one) => !onlyByName.has(one))) {
    console.log(`\n## ${name}`);
    const { status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, `${name}.bench.ts`)],
      { stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
}

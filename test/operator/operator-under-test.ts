/**
 * The operator as its own process, for tests that kill it and count its resources. Arguments: the operator's flags; environment: `TIMES`, the factor
 * by which its clock is faster, and `TIMING`, the times of the election as JSON. On SIGUSR2 it writes what it holds after a garbage collection.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { runOperator } from '../../lib/runtime/run-operator.ts';
import { hurriedClock } from './hurried-clock.ts';

const stop = new AbortController();
const clock = hurriedClock(Number(process.env['TIMES'] ?? '1'));
process.on('SIGTERM', () => stop.abort(new Error('received SIGTERM')));
process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  process.stdout.write(`${JSON.stringify({ heap: process.memoryUsage().heapUsed, timers: clock.pending() })}\n`);
});
const serviceAccount = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-operator-'));
writeFileSync(join(serviceAccount, 'namespace'), 'dynamo-system');
const timing = process.env['TIMING'];
const code = await runOperator({
  args: process.argv.slice(2),
  environment: {},
  version: 'test',
  controllers,
  out: () => {},
  err: (text) => void process.stderr.write(text),
  signal: stop.signal,
  place: {
    serviceAccount,
    clock,
    ...(timing === undefined ? {} : { electionTiming: JSON.parse(timing) }),
  },
});
process.exit(code);

/**
 * The operator as its own process, for tests that kill it and count its resources. Arguments: the operator's flags; environment: `TIMES`, the factor
 * by which its clock is faster, and `TIMING`, the times of the election as JSON. On SIGUSR2 it writes what it holds after garbage collections.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { runOperator } from '../../lib/runtime/run-operator.ts';
import { hurriedClock } from './hurried-clock.ts';

const stop = new AbortController();
const clock = hurriedClock(Number(process.env['TIMES'] ?? '1'));
process.on('SIGTERM', () => stop.abort(new Error('received SIGTERM')));
/** The class of which Node makes an object for each listener of an abort signal. */
function listenerClass(): abstract new () => unknown {
  const { signal } = new AbortController();
  signal.addEventListener('abort', () => {});
  const events = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kEvents') ?? '';
  const first: unknown = Reflect.get(signal, events).get('abort').next;
  return (first as { readonly constructor: abstract new () => unknown }).constructor;
}
const Listener = listenerClass();

async function tell(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    // In a turn of its own, before which what the last one has found is finalized.
    await setImmediate();
    globalThis.gc?.();
  }
  const { heapUsed: heap } = process.memoryUsage();
  const held = { heap, timers: clock.pending(), listeners: queryObjects(Listener) };
  process.stdout.write(`${JSON.stringify(held)}\n`);
}
process.on('SIGUSR2', () => void tell());
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

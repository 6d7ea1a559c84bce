// Admission reviews of a graph of four services over TLS: time and CPU of a call. The original's figures are in bench/README.md: it is not here
// to be run beside ours. `WEBHOOK_CALLS` chooses how many.
import process from 'node:process';
import { findNumber } from '../lib/json/index.ts';
import { measureLive } from './live-program.ts';

const measured = await measureLive('bench-webhook.mjs', Number(process.env['WEBHOOK_CALLS'] ?? '4000'));
if (measured !== undefined) {
  const at = (...path: readonly string[]): number | undefined => findNumber(measured, ...path);
  console.table({
    'one at a time': { 'p50 ms': at('serial_ms', 'p50'), 'p99 ms': at('serial_ms', 'p99') },
    'eight at once': {
      'p50 ms': at('eight_at_once_ms', 'p50'),
      'p99 ms': at('eight_at_once_ms', 'p99'),
      'calls a second': at('per_second'),
      'CPU ms a call': at('cpu_ms_per_call'),
    },
  });
}

// Admission reviews of a graph of four services over TLS: time and CPU of a call, also as a ratio to a plain HTTPS server that allows everything,
// measured in the same run. The original operator is not measured here. `WEBHOOK_CALLS` sets the number of calls.
import { join } from 'node:path';
import process from 'node:process';
import { findNumber, type JsonObject } from '../lib/json/index.ts';
import { measureLive } from './live-program.ts';

const calls = Number(process.env['WEBHOOK_CALLS'] ?? '4000');
const plain = await measureLive('bench-webhook.mjs', calls, [join(import.meta.dirname, 'plain-webhook.mjs')]);
const operator = plain && (await measureLive('bench-webhook.mjs', calls));

const measures = {
  'p50 ms, one at a time': ['serial_ms', 'p50'],
  'p99 ms, one at a time': ['serial_ms', 'p99'],
  'p50 ms, eight at once': ['eight_at_once_ms', 'p50'],
  'p99 ms, eight at once': ['eight_at_once_ms', 'p99'],
  'calls a second, eight at once': ['per_second'],
  'CPU ms a call, eight at once': ['cpu_ms_per_call'],
} as const;

function row(measured: JsonObject, baseline: JsonObject, path: readonly string[]): object {
  const [value = NaN, floor = NaN] = [findNumber(measured, ...path), findNumber(baseline, ...path)];
  return { operator: value, 'plain server': floor, ratio: Number((value / floor).toFixed(2)) };
}

if (plain !== undefined && operator !== undefined)
  console.table(Object.fromEntries(Object.entries(measures).map(([name, path]) => [name, row(operator, plain, path)])));

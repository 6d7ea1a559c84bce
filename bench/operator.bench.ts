// Graphs of 18 children created at once: the time to all children and until settled, to that of the same children as plain parallel POSTs in
// the same run. `OPERATOR_GRAPHS=50,200,500` chooses how many.
import process from 'node:process';
import { findNumber } from '../lib/json/index.ts';
import { measureLive } from './live-program.ts';

const sizes = (process.env['OPERATOR_GRAPHS'] ?? '100').split(',').map(Number);
const rows: Record<string, object> = {};
let smallest: { readonly size: number; readonly megabytes: number } | undefined;
for (const size of sizes) {
  const measured = await measureLive('bench-operator.mjs', size);
  if (measured === undefined) break;
  const at = (...path: readonly string[]): number | undefined => findNumber(measured, ...path);
  const megabytes = at('rssMB') ?? Number.NaN;
  smallest ??= { size, megabytes };
  rows[`${size} graphs`] = {
    'floor s': at('floor_s'),
    'children to floor': at('ratio_children_to_floor'),
    'settled to floor': at('ratio_settled_to_floor'),
    'writes a graph': at('writes_per_graph'),
    'events a graph': at('events_per_graph'),
    'CPU s a graph': at('cpu_s_per_graph'),
    'RSS MB': megabytes,
    'MB a further graph': size === smallest.size ? '' : ((megabytes - smallest.megabytes) / (size - smallest.size)).toFixed(3),
    'peak MB': at('peakMB'),
    'writes after a restart': at('noop_restart', 'writes'),
    'events after a restart': at('noop_restart', 'events'),
    'RSS MB after a restart': at('noop_restart', 'rssMB'),
  };
}
if (Object.keys(rows).length > 0) console.table(rows);

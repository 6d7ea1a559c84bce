import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goFloat } from '../../lib/runtime/metrics/go-float.ts';
import { createMetrics, showControllers, showWebhooks } from '../../lib/runtime/metrics/registry.ts';
import { originalMetrics } from '../../lib/runtime/metrics/metric-table.ts';

/** A page of metrics: type by name, and label names by series; histograms under the name of the metric. */
interface Page {
  readonly types: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
  readonly bounds: ReadonlyMap<string, readonly string[]>;
}

function readPage(page: string): Page {
  const types = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  const bounds = new Map<string, string[]>();
  for (const line of page.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) types.set(type[1] ?? '', type[2] ?? '');
    const sample = /^([a-z_]+)(?:\{(.*)\})? \S+$/.exec(line);
    if (!sample) continue;
    const name = (sample[1] ?? '').replace(/_(bucket|sum|count)$/, (ending) => (types.has(sample[1] ?? '') ? ending : ''));
    const pairs = [...(sample[2] ?? '').matchAll(/([a-z_]+)="([^"]*)"/g)];
    const known = labels.get(name) ?? new Set();
    for (const [, label = '', value = ''] of pairs) {
      if (label === 'le') bounds.set(name, [...new Set([...(bounds.get(name) ?? []), value])]);
      else known.add(label);
    }
    labels.set(name, known);
  }
  return { types, labels, bounds };
}

async function fullPage(): Promise<Page> {
  const metrics = createMetrics();
  showControllers(metrics, ['DynamoModel']);
  showWebhooks(metrics, ['/validate']);
  for (const { name, type, labels } of originalMetrics) {
    const values = Object.fromEntries(labels.map((label) => [label, 'x']));
    if (type === 'counter') metrics.count(name, values);
    else if (type === 'gauge') metrics.set(name, values, 1);
    else metrics.observe(name, values, 0.5);
  }
  return readPage(await metrics.page());
}

test('writes bounds as Go does', () => {
  expect([1e-8, 9.999999999999999e-6, 0.0001, 0.005, 1, 1000, 1e6, 1234567].map(goFloat)).toEqual([
    '1e-08',
    '9.999999999999999e-06',
    '0.0001',
    '0.005',
    '1',
    '1000',
    '1e+06',
    '1.234567e+06',
  ]);
});

test('shows controllers and webhooks at zero from the start', async () => {
  const metrics = createMetrics({ processMetrics: false });
  showControllers(metrics, ['DynamoModel']);
  showWebhooks(metrics, ['/validate']);
  const page = await metrics.page();
  for (const series of [
    'controller_runtime_reconcile_total{controller="DynamoModel",result="requeue_after"} 0',
    'controller_runtime_terminal_reconcile_errors_total{controller="DynamoModel"} 0',
    'workqueue_queue_duration_seconds_count{name="DynamoModel",controller="DynamoModel"} 0',
    'workqueue_work_duration_seconds_bucket{le="1e-08",name="DynamoModel",controller="DynamoModel"} 0',
    'controller_runtime_webhook_requests_total{webhook="/validate",code="500"} 0',
    'controller_runtime_webhook_requests_in_flight{webhook="/validate"} 0',
    'certwatcher_read_certificate_total 0',
    'controller_runtime_conversion_webhook_panics_total 0',
  ])
    expect(page).toContain(series);
  expect(page).not.toContain('dynamo_operator_reconcile_total{');
});

test('asks for a computed gauge when the page is read, and forgets series that are reset', async () => {
  const metrics = createMetrics({ processMetrics: false });
  let depth = 3;
  metrics.collect('workqueue_depth', { name: 'a', controller: 'a', priority: '' }, () => depth);
  expect(await metrics.page()).toContain('workqueue_depth{name="a",controller="a",priority=""} 3');
  depth = 4;
  expect(await metrics.page()).toContain('workqueue_depth{name="a",controller="a",priority=""} 4');
  metrics.set('dynamo_operator_resources_total', { resource_type: 'DynamoModel', namespace: 'a', status: 'ready' }, 1);
  metrics.reset('dynamo_operator_resources_total');
  expect(await metrics.page()).not.toContain('dynamo_operator_resources_total{');
});

test('rejects a metric nobody defined', () => {
  expect(() => createMetrics({ processMetrics: false }).count('nobody', {})).toThrow('no metric of this type is called nobody');
});

test('tells about the process and the runtime too', async () => {
  const { types } = await fullPage();
  expect([...types.keys()].filter((name) => name.startsWith('process_')).length).toBeGreaterThan(3);
});

const corpus = process.env['DYNAMO_CORPUS'];

describe.skipIf(corpus === undefined)('the recorded page of the original', () => {
  const recorded = (): Page => readPage(readFileSync(join(corpus ?? '', 'conformance/metrics.txt'), 'utf8'));

  test('has no metric that ours lacks, of the same type and with the same labels', async () => {
    const ours = await fullPage();
    const theirs = recorded();
    expect(theirs.types.size).toBeGreaterThan(25);
    for (const [name, type] of theirs.types) expect([name, ours.types.get(name)]).toEqual([name, type]);
    for (const [name, labels] of theirs.labels) expect([name, ours.labels.get(name)]).toEqual([name, labels]);
  });

  test('has the same bounds of histograms, character by character', async () => {
    const ours = await fullPage();
    const theirs = recorded();
    expect(theirs.bounds.size).toBeGreaterThan(4);
    for (const [name, bounds] of theirs.bounds) expect([name, ours.bounds.get(name)]).toEqual([name, bounds]);
  });
});

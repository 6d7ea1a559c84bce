/** The operator's metrics in Prometheus' text format. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Labels, MetricSink } from '../metric-sink.ts';
import { goFloat } from './go-float.ts';
import { type MetricDefinition, originalMetrics, ownMetrics } from './metric-table.ts';

/** Results of a reconcile under the framework's name for them. */
const reconcileResults = ['success', 'error', 'requeue', 'requeue_after'];

/** A sink for metrics, and the page that shows them. */
export interface Metrics extends MetricSink {
  /** Makes the series of a histogram appear without a value. */
  readonly showEmpty: (name: string, labels: Labels) => void;
  /** Forgets all series of a gauge. */
  readonly reset: (name: string) => void;
  /** The whole page in Prometheus' text format. */
  readonly page: () => Promise<string>;
  readonly contentType: string;
}

/** Makes the metrics of one process; with `processMetrics` also those about the process itself. */
export function createMetrics({ processMetrics = true, extra = [] }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const collectors = new Map<string, Map<string, { readonly labels: Labels; readonly value: () => number }>>();
  for (const definition of [...originalMetrics, ...ownMetrics, ...extra]) {
    const { name, help, type, buckets } = definition;
    const common = { name, help, labelNames: [...definition.labels], registers: [registry] };
    if (type === 'counter') counters.set(name, new Counter(common));
    else if (type === 'histogram') histograms.set(name, new Histogram({ ...common, buckets: [...(buckets ?? [])] }));
    else {
      const series = new Map<string, { readonly labels: Labels; readonly value: () => number }>();
      collectors.set(name, series);
      gauges.set(
        name,
        new Gauge({
          ...common,
          collect() {
            for (const { labels, value } of series.values()) this.set({ ...labels }, value());
          },
        }),
      );
    }
  }
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return {
    count: (name, labels, by = 1) => known(counters, name).inc({ ...labels }, by),
    set: (name, labels, value) => known(gauges, name).set({ ...labels }, value),
    remove: (name, labels) => known(gauges, name).remove({ ...labels }),
    observe: (name, labels, value) => known(histograms, name).observe({ ...labels }, value),
    collect: (name, labels, value) => void known(collectors, name).set(JSON.stringify(labels), { labels, value }),
    showEmpty: (name, labels) => known(histograms, name).zero({ ...labels }),
    reset: (name) => known(gauges, name).reset(),
    page: async () => withGoBounds(await registry.metrics()),
    contentType: registry.contentType,
  };
}

/** Metrics on the page besides those of the table. */
interface MetricsOptions {
  /** @default true */
  readonly processMetrics?: boolean;
  readonly extra?: readonly MetricDefinition[];
}

function known<T>(metrics: ReadonlyMap<string, T>, name: string): T {
  const metric = metrics.get(name);
  if (metric === undefined) throw new Error(`no metric of this type is called ${name}`);
  return metric;
}

// A bound is a label, and labels are compared as strings.
function withGoBounds(page: string): string {
  return page.replaceAll(/([{,]le=")([0-9.e+-]+)"/g, (_, start: string, bound: string) => `${start}${goFloat(Number(bound))}"`);
}

/** Makes the series of controllers visible at zero, as the original has them from its start. */
export function showControllers(metrics: Metrics, controllers: readonly string[]): void {
  for (const controller of controllers) {
    for (const result of reconcileResults) metrics.count('controller_runtime_reconcile_total', { controller, result }, 0);
    for (const name of ['reconcile_errors', 'terminal_reconcile_errors', 'reconcile_panics'])
      metrics.count(`controller_runtime_${name}_total`, { controller }, 0);
    metrics.set('controller_runtime_active_workers', { controller }, 0);
    for (const name of ['queue_duration', 'work_duration'])
      metrics.showEmpty(`workqueue_${name}_seconds`, { name: controller, controller });
  }
}

/** Makes the series of webhooks visible at zero. */
export function showWebhooks(metrics: MetricSink, paths: readonly string[]): void {
  for (const webhook of paths) {
    for (const code of ['200', '500']) metrics.count('controller_runtime_webhook_requests_total', { webhook, code }, 0);
    metrics.set('controller_runtime_webhook_requests_in_flight', { webhook }, 0);
  }
}

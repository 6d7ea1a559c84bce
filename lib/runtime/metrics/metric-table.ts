/** All metrics. Those of the original operator have its names, labels, bounds and help. */

/** One metric. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram; without any there are only sum and count. */
  readonly buckets?: readonly number[];
}

const reconcileBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const webhookBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const frameworkBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3,
  3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
// Multiplied step by step as the original does: two of the bounds are slightly below the round number.
const queueBounds = Array.from({ length: 11 }).reduce<readonly number[]>(
  (bounds) => [...bounds, (bounds.at(-1) ?? 0) * 10],
  [1e-8],
);

const controller = ['controller'];
const queue = ['name', 'controller'];

const operatorMetrics: readonly MetricDefinition[] = [
  {
    name: 'dynamo_operator_reconcile_duration_seconds',
    type: 'histogram',
    labels: ['resource_type', 'namespace', 'result'],
    help: 'Duration of reconciliation loops in seconds',
    buckets: reconcileBounds,
  },
  {
    name: 'dynamo_operator_reconcile_total',
    type: 'counter',
    labels: ['resource_type', 'namespace', 'result'],
    help: 'Total number of reconciliations by resource type',
  },
  {
    name: 'dynamo_operator_reconcile_errors_total',
    type: 'counter',
    labels: ['resource_type', 'namespace', 'error_type'],
    help: 'Total number of reconciliation errors by resource type and error type',
  },
  {
    name: 'dynamo_operator_resources_total',
    type: 'gauge',
    labels: ['resource_type', 'namespace', 'status'],
    help: 'Total number of resources by type and status',
  },
  {
    name: 'dynamo_operator_webhook_duration_seconds',
    type: 'histogram',
    labels: ['resource_type', 'operation'],
    help: 'Duration of webhook validation in seconds',
    buckets: webhookBounds,
  },
  {
    name: 'dynamo_operator_webhook_requests_total',
    type: 'counter',
    labels: ['resource_type', 'operation', 'result'],
    help: 'Total number of webhook admission requests',
  },
  {
    name: 'dynamo_operator_webhook_denials_total',
    type: 'counter',
    labels: ['resource_type', 'operation', 'reason'],
    help: 'Total number of webhook admission denials',
  },
];

const frameworkMetrics: readonly MetricDefinition[] = [
  {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Total number of reconciliations per controller',
  },
  {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    labels: controller,
    help: 'Total number of reconciliation errors per controller',
  },
  {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    labels: controller,
    help: 'Total number of terminal reconciliation errors per controller',
  },
  {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    labels: controller,
    help: 'Total number of reconciliation panics per controller',
  },
  {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    labels: controller,
    help: 'Length of time per reconciliation per controller',
    buckets: frameworkBounds,
  },
  {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    labels: controller,
    help: 'Maximum number of concurrent reconciles per controller',
  },
  {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    labels: controller,
    help: 'Number of currently used workers per controller',
  },
  {
    name: 'workqueue_depth',
    type: 'gauge',
    labels: ['name', 'controller', 'priority'],
    help: 'Current depth of workqueue by workqueue and priority',
  },
  { name: 'workqueue_adds_total', type: 'counter', labels: queue, help: 'Total number of adds handled by workqueue' },
  { name: 'workqueue_retries_total', type: 'counter', labels: queue, help: 'Total number of retries handled by workqueue' },
  {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    labels: queue,
    help: 'How long in seconds an item stays in workqueue before being requested',
    buckets: queueBounds,
  },
  {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    labels: queue,
    help: 'How long in seconds processing an item from workqueue takes.',
    buckets: queueBounds,
  },
  {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    labels: queue,
    help: 'How many seconds of work has been done that is in progress and has not been observed by work_duration',
  },
  {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    labels: queue,
    help: 'How many seconds has the longest running processor for workqueue been running.',
  },
  {
    name: 'rest_client_requests_total',
    type: 'counter',
    labels: ['code', 'method', 'host'],
    help: 'Number of HTTP requests, partitioned by status code, method, and host.',
  },
  {
    name: 'leader_election_master_status',
    type: 'gauge',
    labels: ['name'],
    help: 'Whether this replica holds the lease of that name: 0 indicates backup, 1 indicates master.',
  },
  {
    name: 'controller_runtime_webhook_latency_seconds',
    type: 'histogram',
    labels: ['webhook'],
    help: 'Histogram of the latency of processing admission requests',
    buckets: [],
  },
  {
    name: 'controller_runtime_webhook_requests_total',
    type: 'counter',
    labels: ['webhook', 'code'],
    help: 'Total number of admission requests by HTTP status code.',
  },
  {
    name: 'controller_runtime_webhook_requests_in_flight',
    type: 'gauge',
    labels: ['webhook'],
    help: 'Current number of admission requests being served.',
  },
  { name: 'controller_runtime_webhook_panics_total', type: 'counter', labels: [], help: 'Total number of webhook panics' },
  {
    name: 'controller_runtime_conversion_webhook_panics_total',
    type: 'counter',
    labels: [],
    help: 'Total number of conversion webhook panics',
  },
  { name: 'certwatcher_read_certificate_total', type: 'counter', labels: [], help: 'Total number of certificate reads' },
  {
    name: 'certwatcher_read_certificate_errors_total',
    type: 'counter',
    labels: [],
    help: 'Total number of certificate read errors',
  },
];

/** Metrics the original does not have. */
export const ownMetrics: readonly MetricDefinition[] = [
  {
    name: 'dynamo_operator_webhook_certificate_expiry_seconds',
    type: 'gauge',
    labels: [],
    help: 'Unix time at which the serving certificate of the webhooks expires',
  },
  {
    name: 'dynamo_operator_watch_up',
    type: 'gauge',
    labels: ['watch'],
    help: 'Whether the watch of a kind is established',
  },
  {
    name: 'dynamo_operator_watch_lists_total',
    type: 'counter',
    labels: ['watch'],
    help: 'Total number of times the objects of a kind were listed as a whole',
  },
  {
    name: 'dynamo_operator_watch_failures_total',
    type: 'counter',
    labels: ['watch', 'reason'],
    help: 'Total number of times the watch of a kind broke or could not be established',
  },
];

/** Metrics of the original. */
export const originalMetrics: readonly MetricDefinition[] = [...operatorMetrics, ...frameworkMetrics];

import type { Dashboard } from './dashboard.ts';

const all = 'resource_type=~"$resource_type"';
const inNamespace = `${all}, namespace=~"$namespace"`;
const rate = (metric: string, filter: string): string => `rate(dynamo_operator_${metric}{${filter}}[5m])`;
const success = [
  { colour: 'red', value: null },
  { colour: 'yellow', value: 95 },
  { colour: 'green', value: 99 },
];

/** The dashboard of the operator: reconciles, admission, inventory, health. */
export const operatorDashboard: Dashboard = {
  uid: 'dynamo-operator',
  title: 'Dynamo Operator',
  tags: ['dynamo', 'operator', 'kubernetes'],
  since: '1h',
  variables: [
    { name: 'namespace', metric: 'dynamo_operator_reconcile_total', label: 'namespace', multi: true },
    { name: 'resource_type', metric: 'dynamo_operator_resources_total', label: 'resource_type', multi: false },
  ],
  rows: [
    {
      title: 'Reconciliation Metrics',
      panels: [
        {
          title: 'Reconciliation Rate',
          type: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expression: `sum by (resource_type, result) (${rate('reconcile_total', inNamespace)})`,
              legend: '{{resource_type}} {{result}}',
            },
          ],
        },
        {
          title: 'Reconciliation Duration (P95)',
          type: 'timeseries',
          unit: 's',
          queries: [
            {
              expression: `histogram_quantile(0.95, sum by (resource_type, le) (${rate('reconcile_duration_seconds_bucket', inNamespace)}))`,
              legend: '{{resource_type}}',
            },
          ],
        },
        {
          title: 'Reconciliation Errors',
          type: 'timeseries',
          unit: 'reqps',
          thresholds: [
            { colour: 'green', value: null },
            { colour: 'red', value: 0.1 },
          ],
          queries: [
            {
              expression: `sum by (resource_type, error_type) (${rate('reconcile_errors_total', inNamespace)})`,
              legend: '{{resource_type}} {{error_type}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Webhook Metrics',
      panels: [
        {
          title: 'Webhook Request Rate',
          type: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expression: `sum by (resource_type, operation, result) (${rate('webhook_requests_total', all)})`,
              legend: '{{resource_type}} {{operation}} {{result}}',
            },
          ],
        },
        {
          title: 'Webhook Duration (P95)',
          type: 'timeseries',
          unit: 's',
          queries: [
            {
              expression: `histogram_quantile(0.95, sum by (resource_type, le) (${rate('webhook_duration_seconds_bucket', all)}))`,
              legend: '{{resource_type}}',
            },
          ],
        },
        {
          title: 'Webhook Denials',
          type: 'timeseries',
          unit: 'reqps',
          thresholds: [
            { colour: 'green', value: null },
            { colour: 'orange', value: 0.1 },
          ],
          queries: [
            {
              expression: `sum by (resource_type, operation, reason) (${rate('webhook_denials_total', all)})`,
              legend: '{{resource_type}} {{operation}} {{reason}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Resource Inventory',
      panels: [
        {
          title: 'Resource Inventory by State',
          type: 'timeseries',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expression: `sum by (resource_type, namespace, status) (dynamo_operator_resources_total{${inNamespace}})`,
              legend: '{{resource_type}} {{namespace}} {{status}}',
            },
          ],
        },
        {
          title: 'Resource Count by State',
          type: 'stat',
          unit: 'short',
          queries: [
            {
              expression: `sum by (resource_type, status) (dynamo_operator_resources_total{${inNamespace}})`,
              legend: '{{resource_type}} {{status}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Operational Health',
      panels: [
        {
          title: 'Reconciliation Success Rate',
          type: 'gauge',
          unit: 'percent',
          range: [0, 100],
          thresholds: success,
          // A requeue is not a failure.
          queries: [
            {
              expression: `100 * sum by (resource_type) (${rate('reconcile_total', `${inNamespace}, result!="error"`)}) / sum by (resource_type) (${rate('reconcile_total', inNamespace)})`,
              legend: '{{resource_type}}',
            },
          ],
        },
        {
          title: 'Webhook Admission Success Rate',
          type: 'gauge',
          unit: 'percent',
          range: [0, 100],
          thresholds: success,
          queries: [
            {
              expression: `100 * sum by (resource_type) (${rate('webhook_requests_total', `${all}, result="allowed"`)}) / sum by (resource_type) (${rate('webhook_requests_total', all)})`,
              legend: '{{resource_type}}',
            },
          ],
        },
        {
          title: 'Work Queue Depth',
          type: 'timeseries',
          unit: 'short',
          queries: [{ expression: 'sum by (controller) (workqueue_depth)', legend: '{{controller}}' }],
        },
      ],
    },
  ],
};

import type { JsonObject } from '../../json/index.ts';

/** An alert: when it fires, and its annotations. */
export interface Alert {
  readonly name: string;
  /** What must be installed for the alert to be meaningful. */
  readonly needs: 'operator' | 'graphs' | 'nats' | 'etcd' | 'dcgm';
  readonly expression: string;
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
}

/** Every alert. Each has a section of the same name in the runbook. */
export const alerts: readonly Alert[] = [
  {
    name: 'DynamoOperatorDown',
    needs: 'operator',
    expression: 'absent(leader_election_master_status{name="dynamo.nvidia.com"} == 1)',
    for: '5m',
    severity: 'critical',
    summary: 'no Dynamo operator leads',
    description:
      'No replica of the operator has held the leader lease for 5 minutes: graphs are neither created, changed nor deleted.',
  },
  {
    name: 'DynamoReconcileErrors',
    needs: 'operator',
    expression: 'sum by (resource_type, namespace) (rate(dynamo_operator_reconcile_errors_total[10m])) > 0.1',
    for: '15m',
    severity: 'warning',
    summary: 'the operator keeps failing on {{ $labels.resource_type }} in {{ $labels.namespace }}',
    description:
      'Reconciles of {{ $labels.resource_type }} in {{ $labels.namespace }} fail {{ $value | humanize }} times a second.',
  },
  {
    name: 'DynamoReconcilePanics',
    needs: 'operator',
    expression:
      'increase(controller_runtime_reconcile_panics_total[10m]) > 0 or increase(controller_runtime_webhook_panics_total[10m]) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'the operator crashed while it handled an object',
    description: 'Controller or webhook code of the operator crashed and recovered; the object that caused it is in its log.',
  },
  {
    name: 'DynamoWorkQueueStuck',
    needs: 'operator',
    expression: 'max by (controller) (workqueue_longest_running_processor_seconds) > 600',
    for: '5m',
    severity: 'warning',
    summary: 'the operator has been busy with one object for over 10 minutes',
    description: 'Controller {{ $labels.controller }} has one worker; while it hangs, nothing else of that kind is reconciled.',
  },
  {
    name: 'DynamoWebhookSlow',
    needs: 'operator',
    expression: 'histogram_quantile(0.99, sum by (le) (rate(dynamo_operator_webhook_duration_seconds_bucket[5m]))) > 2.5',
    for: '10m',
    severity: 'warning',
    summary: 'admission of Dynamo resources is slow',
    description: 'One in a hundred admission calls takes over 2.5 s; at 10 s the API server gives up and refuses the write.',
  },
  {
    name: 'DynamoCertificateReadErrors',
    needs: 'operator',
    expression: 'increase(certwatcher_read_certificate_errors_total[30m]) > 0',
    for: '10m',
    severity: 'critical',
    summary: 'the operator cannot read its webhook certificate',
    description: 'When the certificate it holds expires, every write of a Dynamo resource is refused.',
  },
  {
    name: 'DynamoGraphFailed',
    needs: 'operator',
    expression:
      'sum by (namespace) (dynamo_operator_resources_total{resource_type="DynamoGraphDeployment", status="failed"}) > 0',
    for: '10m',
    severity: 'warning',
    summary: 'graphs in {{ $labels.namespace }} are in state failed',
    description:
      '{{ $value }} DynamoGraphDeployment(s) in {{ $labels.namespace }} have been failed for 10 minutes; their Ready condition says why.',
  },
  {
    name: 'DynamoFrontendErrors',
    needs: 'graphs',
    expression:
      'sum by (dynamo_namespace) (rate(dynamo_frontend_requests_total{status="error"}[5m])) / sum by (dynamo_namespace) (rate(dynamo_frontend_requests_total[5m])) > 0.05',
    for: '10m',
    severity: 'critical',
    summary: 'over 5 % of the requests to {{ $labels.dynamo_namespace }} fail',
    description:
      '{{ $value | humanizePercentage }} of the requests to the frontends of {{ $labels.dynamo_namespace }} end in an error.',
  },
  {
    name: 'DynamoTimeToFirstTokenHigh',
    needs: 'graphs',
    expression:
      'histogram_quantile(0.95, sum by (le, dynamo_namespace) (rate(dynamo_frontend_time_to_first_token_seconds_bucket[5m]))) > 10',
    for: '15m',
    severity: 'warning',
    summary: 'users of {{ $labels.dynamo_namespace }} wait over 10 s for the first token',
    description: 'The 95th percentile of time to first token is {{ $value | humanizeDuration }}.',
  },
  {
    name: 'DynamoWorkerErrors',
    needs: 'graphs',
    expression: 'sum by (namespace, pod) (rate(dynamo_component_errors_total[5m])) > 0.1',
    for: '10m',
    severity: 'warning',
    summary: 'worker {{ $labels.pod }} answers with errors',
    description: 'Worker {{ $labels.pod }} in {{ $labels.namespace }} fails {{ $value | humanize }} requests a second.',
  },
  {
    name: 'DynamoNatsSlowConsumers',
    needs: 'nats',
    expression: 'increase(nats_varz_slow_consumers[10m]) > 0',
    for: '5m',
    severity: 'warning',
    summary: 'NATS dropped slow consumers',
    description: 'NATS server {{ $labels.pod }} cut off clients that did not keep up; KV events or requests may be lost.',
  },
  {
    name: 'DynamoNatsStorageFull',
    needs: 'nats',
    expression: 'nats_varz_jetstream_stats_storage / nats_varz_jetstream_config_max_storage > 0.85',
    for: '15m',
    severity: 'critical',
    summary: 'JetStream storage of {{ $labels.pod }} is {{ $value | humanizePercentage }} full',
    description: 'A full JetStream refuses messages.',
  },
  {
    name: 'DynamoEtcdNoLeader',
    needs: 'etcd',
    expression: 'max by (namespace) (etcd_server_has_leader) == 0',
    for: '1m',
    severity: 'critical',
    summary: 'etcd in {{ $labels.namespace }} has no leader',
    description: 'Without a leader, workers can neither register nor be found.',
  },
  {
    name: 'DynamoEtcdSpaceLow',
    needs: 'etcd',
    expression: 'etcd_mvcc_db_total_size_in_bytes / etcd_server_quota_backend_bytes > 0.8',
    for: '10m',
    severity: 'warning',
    summary: 'the database of {{ $labels.pod }} is {{ $value | humanizePercentage }} full',
    description: 'At its quota etcd turns read-only.',
  },
  {
    name: 'DynamoGpuErrors',
    needs: 'dcgm',
    expression: 'changes(DCGM_FI_DEV_XID_ERRORS[10m]) > 0 and DCGM_FI_DEV_XID_ERRORS != 0',
    for: '0m',
    severity: 'warning',
    summary: 'GPU {{ $labels.gpu }} of {{ $labels.Hostname }} reported XID {{ $value }}',
    description: 'Workers on this GPU may hang or fail.',
  },
];

/** The alerts as groups of rules, one group per exporter, each with a link to its section of the runbook. */
export function alertGroups(needs: readonly Alert['needs'][], runbook: string): readonly JsonObject[] {
  return needs.map((need) => ({
    name: `dynamo-${need}`,
    rules: alerts
      .filter((a) => a.needs === need)
      .map((a) => ({
        alert: a.name,
        expr: a.expression,
        ...(a.for === '0m' ? {} : { for: a.for }),
        labels: { severity: a.severity },
        annotations: { summary: a.summary, description: a.description, runbook_url: `${runbook}#${a.name.toLowerCase()}` },
      })),
  }));
}

import type { Dashboard } from './dashboard.ts';

const filter = '{namespace=~"$namespace"}';
const rate = (metric: string): string => `sum by (pod) (rate(${metric}${filter}[5m]))`;

/** The dashboard of NATS and etcd. */
export const dependenciesDashboard: Dashboard = {
  uid: 'dynamo-dependencies',
  title: 'Dynamo NATS and etcd',
  tags: ['dynamo', 'nats', 'etcd'],
  since: '1h',
  variables: [{ name: 'namespace', metric: 'nats_varz_connections', label: 'namespace', multi: true }],
  rows: [
    {
      title: 'NATS',
      panels: [
        {
          title: 'Messages / Sec',
          type: 'timeseries',
          unit: 'reqps',
          queries: [
            { expression: rate('nats_varz_in_msgs'), legend: 'in {{pod}}' },
            { expression: rate('nats_varz_out_msgs'), legend: 'out {{pod}}' },
          ],
        },
        {
          title: 'Bytes / Sec',
          type: 'timeseries',
          unit: 'Bps',
          queries: [
            { expression: rate('nats_varz_in_bytes'), legend: 'in {{pod}}' },
            { expression: rate('nats_varz_out_bytes'), legend: 'out {{pod}}' },
          ],
        },
        {
          title: 'Connections',
          type: 'timeseries',
          unit: 'short',
          queries: [{ expression: `nats_varz_connections${filter}`, legend: '{{pod}}' }],
        },
        {
          title: 'Slow Consumers',
          type: 'timeseries',
          unit: 'short',
          queries: [{ expression: `nats_varz_slow_consumers${filter}`, legend: '{{pod}}' }],
        },
        {
          title: 'Memory',
          type: 'timeseries',
          unit: 'bytes',
          queries: [{ expression: `nats_varz_mem${filter}`, legend: '{{pod}}' }],
        },
        {
          title: 'JetStream Storage',
          type: 'timeseries',
          unit: 'percentunit',
          range: [0, 1],
          queries: [
            {
              expression: `nats_varz_jetstream_stats_storage${filter} / nats_varz_jetstream_config_max_storage${filter}`,
              legend: '{{pod}}',
            },
          ],
        },
      ],
    },
    {
      title: 'etcd',
      panels: [
        {
          title: 'Has Leader',
          type: 'stat',
          unit: 'short',
          queries: [{ expression: `etcd_server_has_leader${filter}`, legend: '{{pod}}' }],
        },
        {
          title: 'Database Size',
          type: 'timeseries',
          unit: 'percentunit',
          range: [0, 1],
          queries: [
            {
              expression: `etcd_mvcc_db_total_size_in_bytes${filter} / etcd_server_quota_backend_bytes${filter}`,
              legend: '{{pod}}',
            },
          ],
        },
        {
          title: 'WAL fsync (P99)',
          type: 'timeseries',
          unit: 's',
          queries: [
            {
              expression: `histogram_quantile(0.99, sum by (le, pod) (rate(etcd_disk_wal_fsync_duration_seconds_bucket${filter}[5m])))`,
              legend: '{{pod}}',
            },
          ],
        },
        {
          title: 'Leader Changes and Failed Proposals',
          type: 'timeseries',
          unit: 'short',
          queries: [
            { expression: `increase(etcd_server_leader_changes_seen_total${filter}[1h])`, legend: 'leader changes {{pod}}' },
            { expression: `increase(etcd_server_proposals_failed_total${filter}[1h])`, legend: 'failed proposals {{pod}}' },
          ],
        },
      ],
    },
  ],
};

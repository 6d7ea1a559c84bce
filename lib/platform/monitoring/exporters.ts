/** An exporter and its metrics. Alerts, dashboards and docs may use only the metrics listed here. */
interface Exporter {
  /** The program and port that serve the metrics. */
  readonly from: string;
  /** Where the names are documented or recorded. */
  readonly source: string;
  /** Names without the suffixes of histograms (`_bucket`, `_sum`, `_count`). */
  readonly metrics: Readonly<Record<string, 'counter' | 'gauge' | 'histogram'>>;
}

/** All exporters. */
export const exporters = {
  operator: {
    from: 'the operator, port `https` of its metrics Service',
    source: 'recorded from the original operator; its own names begin with `dynamo_operator_`, the rest is controller-runtime',
    metrics: {
      certwatcher_read_certificate_errors_total: 'counter',
      controller_runtime_reconcile_panics_total: 'counter',
      controller_runtime_webhook_panics_total: 'counter',
      dynamo_operator_reconcile_duration_seconds: 'histogram',
      dynamo_operator_reconcile_errors_total: 'counter',
      dynamo_operator_reconcile_total: 'counter',
      dynamo_operator_resources_total: 'gauge',
      dynamo_operator_webhook_denials_total: 'counter',
      dynamo_operator_webhook_duration_seconds: 'histogram',
      dynamo_operator_webhook_requests_total: 'counter',
      leader_election_master_status: 'gauge',
      workqueue_depth: 'gauge',
      workqueue_longest_running_processor_seconds: 'gauge',
    },
  },
  frontend: {
    from: 'frontends of graphs, port `http`',
    source: 'names used by the original dashboards of graphs',
    metrics: {
      dynamo_frontend_input_sequence_tokens: 'histogram',
      dynamo_frontend_inter_token_latency_seconds: 'histogram',
      dynamo_frontend_output_sequence_tokens: 'histogram',
      dynamo_frontend_request_duration_seconds: 'histogram',
      dynamo_frontend_requests_total: 'counter',
      dynamo_frontend_time_to_first_token_seconds: 'histogram',
    },
  },
  worker: {
    from: 'workers of graphs, port `system`',
    source: 'names used by the original dashboards of graphs',
    metrics: {
      dynamo_component_errors_total: 'counter',
      dynamo_component_request_bytes_total: 'counter',
      dynamo_component_request_duration_seconds: 'histogram',
      dynamo_component_requests_total: 'counter',
      dynamo_component_response_bytes_total: 'counter',
    },
  },
  planner: {
    from: 'planners of graphs, port `metrics`',
    source: 'names used by the original planner dashboard',
    metrics: {
      'planner:d_correction_factor': 'gauge',
      'planner:gpu_hours': 'gauge',
      'planner:num_d_workers': 'gauge',
      'planner:num_p_workers': 'gauge',
      'planner:observed_isl': 'gauge',
      'planner:observed_itl': 'gauge',
      'planner:observed_osl': 'gauge',
      'planner:observed_request_duration': 'gauge',
      'planner:observed_request_rate': 'gauge',
      'planner:observed_ttft': 'gauge',
      'planner:p_correction_factor': 'gauge',
      'planner:predicted_isl': 'gauge',
      'planner:predicted_num_d': 'gauge',
      'planner:predicted_num_p': 'gauge',
      'planner:predicted_osl': 'gauge',
      'planner:predicted_request_rate': 'gauge',
    },
  },
  nats: {
    from: 'the prom-exporter container of NATS pods (`nats.promExporter.enabled`), port `prom-metrics`',
    source:
      "prometheus-nats-exporter 0.16.0 with `-varz -prefix=nats`: numbers of the server's `/varz` page, read from a real server by a test",
    metrics: {
      nats_varz_connections: 'gauge',
      nats_varz_in_bytes: 'gauge',
      nats_varz_in_msgs: 'gauge',
      nats_varz_jetstream_config_max_storage: 'gauge',
      nats_varz_jetstream_stats_storage: 'gauge',
      nats_varz_mem: 'gauge',
      nats_varz_out_bytes: 'gauge',
      nats_varz_out_msgs: 'gauge',
      nats_varz_slow_consumers: 'gauge',
    },
  },
  etcd: {
    from: 'etcd, port `client` or `metrics` (`etcd.metrics.enabled`)',
    source: 'read from the `/metrics` page of etcd 3.6.4 by a test',
    metrics: {
      etcd_disk_wal_fsync_duration_seconds: 'histogram',
      etcd_mvcc_db_total_size_in_bytes: 'gauge',
      etcd_server_has_leader: 'gauge',
      etcd_server_leader_changes_seen_total: 'counter',
      etcd_server_proposals_failed_total: 'counter',
      etcd_server_quota_backend_bytes: 'gauge',
    },
  },
  dcgm: {
    from: 'dcgm-exporter of the NVIDIA GPU operator',
    source: "names used by the original GPU dashboard, of dcgm-exporter's default counters",
    metrics: {
      DCGM_FI_DEV_FB_FREE: 'gauge',
      DCGM_FI_DEV_FB_USED: 'gauge',
      DCGM_FI_DEV_GPU_UTIL: 'gauge',
      DCGM_FI_DEV_POWER_USAGE: 'gauge',
      DCGM_FI_DEV_XID_ERRORS: 'gauge',
    },
  },
} as const satisfies Readonly<Record<string, Exporter>>;

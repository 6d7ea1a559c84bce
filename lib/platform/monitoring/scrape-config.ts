import type { JsonObject } from '../../json/index.ts';

/** A set of pods to scrape. */
interface ScrapeTarget {
  readonly job: string;
  /** Name of the container port. */
  readonly port: string;
  /** Pod labels, as Kubernetes spells them, with the pattern their value must match. */
  readonly labels: Readonly<Record<string, string>>;
  readonly interval: string;
  readonly scheme?: 'https';
  /** Whether the scrape sends the token of the service account. */
  readonly sendsToken?: boolean;
}

/** All scrape targets, for a Prometheus without the Prometheus operator. */
export const scrapeTargets: readonly ScrapeTarget[] = [
  {
    job: 'dynamo-operator',
    port: 'https',
    labels: { 'control-plane': 'controller-manager', 'app.kubernetes.io/name': 'dynamo-operator' },
    interval: '15s',
    scheme: 'https',
    sendsToken: true,
  },
  {
    job: 'dynamo-frontend',
    port: 'http',
    labels: { 'nvidia.com/dynamo-component-type': 'frontend', 'nvidia.com/metrics-enabled': 'true' },
    interval: '5s',
  },
  {
    job: 'dynamo-worker',
    port: 'system',
    labels: { 'nvidia.com/dynamo-component-type': 'worker|prefill|decode', 'nvidia.com/metrics-enabled': 'true' },
    interval: '5s',
  },
  {
    job: 'dynamo-planner',
    port: 'metrics',
    labels: { 'nvidia.com/dynamo-component-type': 'planner', 'nvidia.com/metrics-enabled': 'true' },
    interval: '5s',
  },
  { job: 'dynamo-nats', port: 'prom-metrics', labels: { 'app.kubernetes.io/name': 'nats' }, interval: '15s' },
  { job: 'dynamo-etcd', port: 'client|metrics', labels: { 'app.kubernetes.io/name': 'etcd' }, interval: '15s' },
  { job: 'dcgm-exporter', port: 'metrics', labels: { app: 'nvidia-dcgm-exporter' }, interval: '15s' },
];

const meta = (label: string): string => `__meta_kubernetes_pod_label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`;

/** A `scrape_configs` entry that selects its pods by label. */
function job(target: ScrapeTarget): JsonObject {
  const keep = (sourceLabel: string, regex: string): JsonObject => ({ action: 'keep', source_labels: [sourceLabel], regex });
  const copy = (sourceLabel: string, label: string): JsonObject => ({ source_labels: [sourceLabel], target_label: label });
  return {
    job_name: target.job,
    scrape_interval: target.interval,
    ...(target.scheme === undefined ? {} : { scheme: target.scheme, tls_config: { insecure_skip_verify: true } }),
    ...(target.sendsToken === true
      ? { authorization: { credentials_file: '/var/run/secrets/kubernetes.io/serviceaccount/token' } }
      : {}),
    kubernetes_sd_configs: [{ role: 'pod' }],
    relabel_configs: [
      ...Object.entries(target.labels).map(([label, pattern]) => keep(meta(label), pattern)),
      keep('__meta_kubernetes_pod_container_port_name', target.port),
      copy('__meta_kubernetes_namespace', 'namespace'),
      copy('__meta_kubernetes_pod_name', 'pod'),
      copy(meta('nvidia.com/dynamo-namespace'), 'dynamo_namespace'),
    ],
  };
}

/** The `scrape_configs` of a Prometheus configuration. */
export function scrapeConfigs(): readonly JsonObject[] {
  return scrapeTargets.map(job);
}

/** Observability of a platform: alert rules, dashboards, a datasource and scrape configuration. Monitors of a part are rendered by that part. */
import type { KubernetesObject } from '../../api/index.ts';
import { toYaml } from '../../manifest/index.ts';
import { alertGroups, type Alert } from './alerts.ts';
import { dashboardJson, type Dashboard } from './dashboards/dashboard.ts';
import { dependenciesDashboard } from './dashboards/dependencies.ts';
import { graphDashboard } from './dashboards/graph.ts';
import { operatorDashboard } from './dashboards/operator.ts';
import { plannerDashboard } from './dashboards/planner.ts';
import { scrapeConfigs } from './scrape-config.ts';

/** What to render, and in which namespaces. */
interface MonitoringOptions {
  /** Namespace of the rules and the scrape configuration. */
  readonly namespace: string;
  /** Labels of every object. */
  readonly labels: Readonly<Record<string, string>>;
  /** What alerts cover; an alert about something that is not installed would fire permanently. */
  readonly about: readonly Alert['needs'][];
  /** Address of the runbook; each alert links to its section. */
  readonly runbook: string;
  /** Whether alert rules are rendered; needs the Prometheus operator's API. */
  readonly rules: boolean;
  /** Namespace whose Grafana sidecar loads the dashboards; undefined for none. */
  readonly dashboards?: string;
  /** Address of Prometheus for a Grafana datasource; undefined for none. */
  readonly prometheus?: string;
  /** Whether a ConfigMap with scrape configuration is rendered, for a Prometheus without the operator. */
  readonly scrapeConfig: boolean;
}

/** The dashboards by the name of their ConfigMap. */
export const dashboards: Readonly<Record<string, Dashboard>> = {
  'grafana-operator-dashboard': operatorDashboard,
  'grafana-dynamo-dashboard': graphDashboard,
  'grafana-planner-dashboard': plannerDashboard,
  'grafana-dependencies-dashboard': dependenciesDashboard,
};

/** URL of the published runbook. */
export const runbook = 'https://github.com/dynamo-cdk8s/dynamo-cdk8s/blob/main/docs/runbook.md';

/** The objects of the observability bundle. */
export function renderMonitoring(options: MonitoringOptions): readonly KubernetesObject[] {
  const { namespace, labels, dashboards: grafanaNamespace } = options;
  return [
    ...(options.rules
      ? [
          {
            apiVersion: 'monitoring.coreos.com/v1',
            kind: 'PrometheusRule',
            metadata: { name: 'dynamo-platform', namespace, labels },
            spec: { groups: alertGroups(options.about, options.runbook) },
          },
        ]
      : []),
    ...(grafanaNamespace === undefined
      ? []
      : Object.entries(dashboards).map(([name, d]) => dashboardConfigMap(name, d, grafanaNamespace, labels))),
    ...(options.prometheus === undefined || grafanaNamespace === undefined
      ? []
      : [datasource(options.prometheus, grafanaNamespace, labels)]),
    ...(options.scrapeConfig
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'dynamo-scrape-config', namespace, labels },
            data: { 'dynamo-scrape-config.yaml': toYaml({ scrape_configs: scrapeConfigs() }) },
          },
        ]
      : []),
  ];
}

function dashboardConfigMap(
  name: string,
  dashboard: Dashboard,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { ...labels, grafana_dashboard: '1' } },
    data: { [`${dashboard.uid}.json`]: `${JSON.stringify(dashboardJson(dashboard), undefined, 2)}\n` },
  };
}

function datasource(prometheus: string, namespace: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  const file = {
    apiVersion: 1,
    datasources: [
      {
        name: 'dynamo-prometheus',
        uid: 'dynamo-prometheus',
        type: 'prometheus',
        access: 'proxy',
        url: prometheus,
        isDefault: false,
        jsonData: { timeInterval: '15s' },
      },
    ],
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'dynamo-grafana-datasource', namespace, labels: { ...labels, grafana_datasource: '1' } },
    data: { 'dynamo-datasource.yaml': toYaml(file) },
  };
}

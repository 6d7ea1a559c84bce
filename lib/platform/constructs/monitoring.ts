import type { Construct } from 'constructs';
import type { Alert } from '../monitoring/alerts.ts';
import { renderMonitoring, runbook } from '../monitoring/index.ts';
import { renderGroups, type OperatorProps } from './operator-props.ts';
import { RenderedConstruct } from './add-objects.ts';

/** Properties of `Monitoring`. */
export interface MonitoringProps extends OperatorProps {
  /**
   * Labels of every monitor and rule, which your Prometheus selects.
   * @default - those of `settings.monitoring.labels`
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether alert rules are rendered.
   * @default true
   */
  readonly rules?: boolean;
  /**
   * What alerts cover; an alert about something that is not installed would fire permanently.
   * @default - the operator and graphs
   */
  readonly about?: readonly Alert['needs'][];
  /**
   * Address of the runbook that alerts link to.
   * @default - this project's
   */
  readonly runbook?: string;
  /**
   * Namespace whose Grafana sidecar loads the dashboards.
   * @default - no dashboards
   */
  readonly dashboards?: string;
  /**
   * Address of Prometheus for a Grafana datasource.
   * @default - no datasource
   */
  readonly prometheus?: string;
  /**
   * Whether a ConfigMap with scrape configuration is rendered, for a Prometheus without its operator.
   * @default false
   */
  readonly scrapeConfig?: boolean;
}

/** Monitors of the operator and of graphs, alert rules, and Grafana dashboards. The API of the Prometheus operator must exist. */
export class Monitoring extends RenderedConstruct {
  constructor(scope: Construct, id: string, props: MonitoringProps = {}) {
    const labels = props.labels ?? {};
    const settings = {
      ...props.settings,
      monitoring: { ...props.settings?.monitoring, enabled: true, labels: { ...props.settings?.monitoring?.labels, ...labels } },
    };
    const { context, rendered } = renderGroups(scope, { ...props, settings }, ['monitors']);
    const bundle = renderMonitoring({
      namespace: context.namespace,
      labels: { 'app.kubernetes.io/managed-by': context.managedBy, ...context.monitorLabels },
      about: props.about ?? ['operator', 'graphs'],
      runbook: props.runbook ?? runbook,
      rules: props.rules ?? true,
      scrapeConfig: props.scrapeConfig ?? false,
      ...(props.dashboards === undefined ? {} : { dashboards: props.dashboards }),
      ...(props.prometheus === undefined ? {} : { prometheus: props.prometheus }),
    });
    super(
      scope,
      id,
      { ...rendered, objects: rendered.issues.length > 0 ? [] : [...rendered.objects, ...bundle] },
      props.warnings,
    );
  }
}

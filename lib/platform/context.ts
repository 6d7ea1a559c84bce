import type { SwitchName } from './switches.ts';

/** What a release supplies to every part: its names, its profile switches and what the cluster can do. */
export interface PlatformContext {
  /** Release name, `dynamo-platform` unless told otherwise. */
  readonly release: string;
  /** Release namespace, `dynamo-system` unless told otherwise. */
  readonly namespace: string;
  /** Every named difference between the profiles: on is the secure way, off is the original's. */
  readonly switches: Readonly<Record<SwitchName, boolean>>;
  /** API versions known to exist, as `group/version` or `group/version/Kind`. */
  readonly apiVersions: ReadonlySet<string>;
  /** Kubernetes version without the `v`, such as `1.34.0`. */
  readonly kubeVersion: string;
  /** Value of the label `app.kubernetes.io/managed-by`. */
  readonly managedBy: string;
  /** Last step of every image reference: rewrites its registry and pins its digest where the values ask for it. */
  readonly image: (reference: string) => string;
  /** Labels of every ServiceMonitor, PodMonitor and PrometheusRule, when the switch `monitor-labels` is on. */
  readonly monitorLabels: Readonly<Record<string, string>>;
}

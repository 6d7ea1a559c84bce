import { ApiObject, type ApiObjectProps, type Duration } from 'cdk8s';
import type { Component } from './component.ts';

/** Metric of an autoscaler: 95th percentile of a latency in seconds, or a number of requests. */
export type Metric = 'ttft-p95' | 'itl-p95' | 'queued-requests' | 'inflight-requests';

/** Bounds of every autoscaler. */
export interface ScalerBounds {
  /**
   * Minimum replicas; a frontend stops serving a model without workers.
   * @default 1
   */
  readonly min?: number;
  /** Maximum replicas. */
  readonly max: number;
}

/** Options of `Scaler.keda`. */
export interface KedaOptions extends ScalerBounds {
  /** Metric to scale by. */
  readonly metric: Metric;
  /** Value of the metric above which replicas are added. */
  readonly threshold: number;
  /**
   * Interval at which KEDA reads the metric.
   * @default - KEDA's default, 30 seconds
   */
  readonly pollingInterval?: Duration;
  /**
   * Time that KEDA waits after the last activity before it scales to 0 replicas.
   * @default - KEDA's default, 5 minutes
   */
  readonly cooldownPeriod?: Duration;
}

/** Options of `Scaler.hpa`. */
export interface HpaOptions extends ScalerBounds {
  /** Name of an external metric that a metrics adapter offers. */
  readonly metricName: string;
  /** Target value of the metric per replica. */
  readonly averageValue: string;
  /**
   * Labels that select the metric.
   * @default - `dynamo_namespace` with the graph's Dynamo namespace
   */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

const latency = (name: string, namespace: string): string =>
  `histogram_quantile(0.95, sum(rate(dynamo_frontend_${name}_bucket{dynamo_namespace="${namespace}"}[5m])) by (le))`;
const gauge = (name: string, namespace: string): string => `sum(dynamo_frontend_${name}{dynamo_namespace="${namespace}"})`;

const queries = {
  'ttft-p95': (namespace) => latency('time_to_first_token_seconds', namespace),
  'itl-p95': (namespace) => latency('inter_token_latency_seconds', namespace),
  'queued-requests': (namespace) => gauge('queued_requests', namespace),
  'inflight-requests': (namespace) => gauge('inflight_requests', namespace),
} as const satisfies Record<Metric, (namespace: string) => string>;

/** An autoscaler that sets the replicas of a component through its scaling adapter. */
export class Scaler {
  /** KEDA, with a metric of the graph's frontend in Prometheus. */
  static keda(options: KedaOptions): Scaler {
    return new Scaler((component) => ({
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: component.scalingAdapterName },
      spec: {
        scaleTargetRef: target(component),
        minReplicaCount: options.min ?? 1,
        maxReplicaCount: options.max,
        ...(options.pollingInterval === undefined ? {} : { pollingInterval: options.pollingInterval.toSeconds() }),
        ...(options.cooldownPeriod === undefined ? {} : { cooldownPeriod: options.cooldownPeriod.toSeconds() }),
        triggers: [
          {
            type: 'prometheus',
            metadata: {
              serverAddress: component.graph.platform.prometheusEndpoint,
              query: queries[options.metric](component.graph.dynamoNamespace),
              threshold: String(options.threshold),
            },
          },
        ],
      },
    }));
  }

  /** HorizontalPodAutoscaler, with an external metric. */
  static hpa(options: HpaOptions): Scaler {
    return new Scaler((component) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: component.scalingAdapterName },
      spec: {
        scaleTargetRef: target(component),
        minReplicas: options.min ?? 1,
        maxReplicas: options.max,
        metrics: [
          {
            type: 'External',
            external: {
              metric: {
                name: options.metricName,
                selector: { matchLabels: options.matchLabels ?? { dynamo_namespace: component.graph.dynamoNamespace } },
              },
              target: { type: 'AverageValue', averageValue: options.averageValue },
            },
          },
        ],
      },
    }));
  }

  private readonly render: (component: Component) => ApiObjectProps;

  private constructor(render: (component: Component) => ApiObjectProps) {
    this.render = render;
  }

  /** Adds the autoscaler of a component. */
  bind(component: Component): ApiObject {
    return new ApiObject(component, 'scaler', this.render(component));
  }
}

function target(component: Component): Readonly<Record<string, string>> {
  return {
    apiVersion: component.graph.platform.apiVersion,
    kind: 'DynamoGraphDeploymentScalingAdapter',
    name: component.scalingAdapterName,
  };
}

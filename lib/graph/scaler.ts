import { ApiObject, type ApiObjectProps, type Duration } from 'cdk8s';
import type { Component } from './component.ts';

/** What an autoscaler looks at: latency as seconds, queues as requests. */
export type Metric = 'ttft-p95' | 'itl-p95' | 'queued-requests' | 'inflight-requests';

/** Bounds every autoscaler has. */
export interface ScalerBounds {
  /**
   * Fewest replicas; a frontend forgets a model all of whose workers are gone.
   * @default 1
   */
  readonly min?: number;
  /** Most replicas. */
  readonly max: number;
}

/** Options of `Scaler.keda`. */
export interface KedaOptions extends ScalerBounds {
  /** What to look at. */
  readonly metric: Metric;
  /** Value of the metric from which replicas are added. */
  readonly threshold: number;
  /**
   * Time between two looks.
   * @default - KEDA's own, 30 seconds
   */
  readonly pollingInterval?: Duration;
  /**
   * Time to wait before replicas are taken away.
   * @default - KEDA's own, 5 minutes
   */
  readonly cooldownPeriod?: Duration;
}

/** Options of `Scaler.hpa`. */
export interface HpaOptions extends ScalerBounds {
  /** Name of an external metric that a metrics adapter offers. */
  readonly metricName: string;
  /** Value per replica to aim at. */
  readonly averageValue: string;
  /**
   * Labels that choose the metric.
   * @default - the graph's Dynamo namespace
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

/** Owns the replicas of a component through its scaling adapter. */
export class Scaler {
  /** KEDA, by a metric of the graph's frontend in Prometheus. */
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

  /** Kubernetes' own horizontal pod autoscaler, by an external metric. */
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

  /** Adds the autoscaler's object beside a component. */
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

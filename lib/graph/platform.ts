import type { ISecret } from 'cdk8s-plus-28';
import { referencedName } from '../plus/index.ts';

/** Releases of the Dynamo platform that this library supports. */
export type Release = '0.9.0';

/** Properties of `Platform`. */
export interface PlatformProps {
  /**
   * Release of the Dynamo platform in the cluster.
   * @default '0.9.0'
   */
  readonly release?: Release;
  /**
   * Tag of every runtime image.
   * @default - the release
   */
  readonly tag?: string;
  /**
   * Registry and path of the runtime images, without trailing slash.
   * @default 'nvcr.io/nvidia/ai-dynamo'
   */
  readonly registry?: string;
  /**
   * GPUs per node of the cluster; an engine that needs more runs on several nodes.
   * @default 8
   */
  readonly gpusPerNode?: number;
  /**
   * Maximum GPUs of all graphs of a chart together; more is a warning.
   * @default - no limit
   */
  readonly gpuBudget?: number;
  /**
   * Secret with the key `HF_TOKEN`, for models from Hugging Face.
   * @default 'hf-token-secret'
   */
  readonly tokenSecret?: string | Pick<ISecret, 'name'>;
  /**
   * URL of Prometheus, for autoscalers.
   * @default 'http://prometheus-kube-prometheus-prometheus.monitoring.svc.cluster.local:9090'
   */
  readonly prometheusEndpoint?: string;
}

/** The release, the images and the nodes that the graphs of a chart run on. */
export class Platform {
  /** Release of the Dynamo platform. */
  readonly release: Release;
  /** Tag of every runtime image. */
  readonly tag: string;
  /** Registry and path of the runtime images. */
  readonly registry: string;
  /** GPUs per node. */
  readonly gpusPerNode: number;
  /** Maximum GPUs of all graphs of a chart together. */
  readonly gpuBudget: number | undefined;
  /** Name of the Secret with the key `HF_TOKEN`. */
  readonly tokenSecretName: string;
  /** URL of Prometheus. */
  readonly prometheusEndpoint: string;
  /** API version of the custom resources. */
  readonly apiVersion = 'nvidia.com/v1alpha1';

  constructor(props: PlatformProps = {}) {
    this.release = props.release ?? '0.9.0';
    this.tag = props.tag ?? this.release;
    this.registry = props.registry ?? 'nvcr.io/nvidia/ai-dynamo';
    this.gpusPerNode = props.gpusPerNode ?? 8;
    this.gpuBudget = props.gpuBudget;
    this.tokenSecretName = referencedName(props.tokenSecret ?? 'hf-token-secret');
    this.prometheusEndpoint =
      props.prometheusEndpoint ?? 'http://prometheus-kube-prometheus-prometheus.monitoring.svc.cluster.local:9090';
  }

  /** Full name of a runtime image such as `vllm-runtime`. */
  image(name: string): string {
    return `${this.registry}/${name}:${this.tag}`;
  }
}

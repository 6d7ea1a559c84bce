import type { ISecret } from 'cdk8s-plus-28';
import { nameOf } from '../plus/index.ts';

/** The releases of the Dynamo platform this library can write for. */
export type Release = '0.9.0';

/** Properties of `Platform`. */
export interface PlatformProps {
  /**
   * The release of the Dynamo platform that runs in the cluster.
   * @default '0.9.0'
   */
  readonly release?: Release;
  /**
   * Tag of every runtime image.
   * @default - the release
   */
  readonly tag?: string;
  /**
   * Registry and path the runtime images are pulled from, without a slash at the end.
   * @default 'nvcr.io/nvidia/ai-dynamo'
   */
  readonly registry?: string;
  /**
   * GPUs of one node of the cluster; an engine that needs more is spread over several nodes.
   * @default 8
   */
  readonly gpusPerNode?: number;
  /**
   * GPUs all graphs of a chart may take together; more is a warning.
   * @default - no limit
   */
  readonly gpuBudget?: number;
  /**
   * Secret that holds `HF_TOKEN` for models from Hugging Face.
   * @default 'hf-token-secret'
   */
  readonly tokenSecret?: string | Pick<ISecret, 'name'>;
  /**
   * Address of Prometheus, for autoscalers.
   * @default 'http://prometheus-kube-prometheus-prometheus.monitoring.svc.cluster.local:9090'
   */
  readonly prometheusEndpoint?: string;
}

/** What the graphs of a chart run on: the release, the images and the nodes, said once. */
export class Platform {
  /** Release of the Dynamo platform. */
  readonly release: Release;
  /** Tag of every runtime image. */
  readonly tag: string;
  /** Registry and path of the runtime images. */
  readonly registry: string;
  /** GPUs of one node. */
  readonly gpusPerNode: number;
  /** GPUs all graphs of a chart may take together. */
  readonly gpuBudget: number | undefined;
  /** Name of the Secret that holds `HF_TOKEN`. */
  readonly tokenSecretName: string;
  /** Address of Prometheus. */
  readonly prometheusEndpoint: string;
  /** API version of the objects written. */
  readonly apiVersion = 'nvidia.com/v1alpha1';

  constructor(props: PlatformProps = {}) {
    this.release = props.release ?? '0.9.0';
    this.tag = props.tag ?? this.release;
    this.registry = props.registry ?? 'nvcr.io/nvidia/ai-dynamo';
    this.gpusPerNode = props.gpusPerNode ?? 8;
    this.gpuBudget = props.gpuBudget;
    this.tokenSecretName = nameOf(props.tokenSecret ?? 'hf-token-secret');
    this.prometheusEndpoint =
      props.prometheusEndpoint ?? 'http://prometheus-kube-prometheus-prometheus.monitoring.svc.cluster.local:9090';
  }

  /** Full name of a runtime image such as `vllm-runtime`. */
  image(name: string): string {
    return `${this.registry}/${name}:${this.tag}`;
  }
}

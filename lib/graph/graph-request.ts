import { isObject } from '../json/index.ts';
import { toYaml } from '../manifest/index.ts';
import { ApiObject, Lazy, type Duration } from 'cdk8s';
import type { IConfigMap } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { DeploymentOverrides, DynamoGraphDeploymentRequestSpec, JsonObject, ProfilingConfig } from '../api/index.ts';
import { DynamoGraphDeploymentRequest } from '../../imports/nvidia.com.ts';
import { platformOf } from './chart.ts';
import type { DynamoGraph } from './graph.ts';
import type { ModelCache } from './model-cache.ts';
import type { Model } from './model.ts';
import { forgetSnapshot } from './app-snapshot.ts';
import { referencedName } from '../plus/index.ts';
import { keepManifest } from './resource.ts';
import { addChecks, findingsOf } from './validation.ts';
import { authoringError } from './user-line.ts';

/** GPU systems that AI Configurator supports. */
export const gpuSystems = ['h100_sxm', 'h200_sxm', 'b200_sxm', 'gb200_sxm', 'a100_sxm'] as const;

/** A GPU system that AI Configurator supports. */
export type GpuSystem = (typeof gpuSystems)[number];

/** Options of `Search.aiConfigurator`. */
export interface AiConfiguratorOptions {
  /** GPU system to estimate performance on. */
  readonly system: GpuSystem;
  /**
   * Hugging Face id of the model, if AI Configurator uses another one.
   * @default - the request's model
   */
  readonly modelId?: string;
  /**
   * Version of the engine to estimate performance of.
   * @default - AI Configurator's default
   */
  readonly backendVersion?: string;
}

/** How the profiler searches for a configuration. */
export class Search {
  /** Runs each candidate on GPUs; takes hours. */
  static online(): Search {
    return new Search({ useAiConfigurator: false });
  }

  /** Estimates each candidate for a GPU system; takes seconds. Release 0.9 supports only TensorRT-LLM. */
  static aiConfigurator(options: AiConfiguratorOptions): Search {
    const { system, modelId, backendVersion } = options;
    return new Search({
      useAiConfigurator: true,
      aicSystem: system,
      ...(modelId === undefined ? {} : { aicHfId: modelId }),
      ...(backendVersion === undefined ? {} : { aicBackendVersion: backendVersion }),
    });
  }

  /** The profiler's `sweep` settings. */
  readonly sweep: JsonObject;

  private constructor(sweep: JsonObject) {
    this.sweep = sweep;
  }
}

/** Latency targets for requests of a given size. */
export interface Sla {
  /** Input sequence length: tokens per prompt. */
  readonly isl: number;
  /** Output sequence length: tokens per answer. */
  readonly osl: number;
  /** Target for the time to first token. */
  readonly ttft: Duration;
  /** Target for the time between tokens. */
  readonly itl: Duration;
}

/** GPUs that the profiler may use. */
export interface RequestHardware {
  /**
   * Minimum GPUs per engine.
   * @default - the profiler's default
   */
  readonly minGpus?: number;
  /**
   * Maximum GPUs per engine.
   * @default - the profiler's default
   */
  readonly maxGpus?: number;
  /**
   * GPUs per node.
   * @default - the platform's
   */
  readonly gpusPerNode?: number;
}

/** Properties of every request. */
export interface DynamoGraphRequestBaseProps {
  /** Model to serve. */
  readonly model: Model;
  /** Latency targets. */
  readonly sla: Sla;
  /**
   * GPUs that the profiler may use.
   * @default - the profiler's defaults
   */
  readonly hardware?: RequestHardware;
  /**
   * Graph that the profiler starts from: a construct, or a key of a ConfigMap.
   * @default - the profiler's default
   */
  readonly base?: DynamoGraph | { readonly configMap: string | Pick<IConfigMap, 'name'>; readonly key: string };
  /**
   * Model cache with the weights, and their folder in it.
   * @default - none; the weights are downloaded
   */
  readonly modelCache?: { readonly cache: Pick<ModelCache, 'claimName'>; readonly path: string };
  /**
   * Whether the operator deploys the result immediately; it is then not in Git.
   * @default false
   */
  readonly autoApply?: boolean;
  /**
   * Image of the profiling Job.
   * @default - the platform's image for the engine
   */
  readonly profilerImage?: string;
  /**
   * Image of the deployed workers.
   * @default - the platform's image for the engine
   */
  readonly workersImage?: string;
  /**
   * Other settings of the profiler.
   * @default - none
   */
  readonly config?: JsonObject;
  /**
   * Fields of `profilingConfig` in API format.
   * @default - none
   */
  readonly profiling?: Partial<ProfilingConfig>;
  /**
   * Fields of `deploymentOverrides` in API format.
   * @default - none
   */
  readonly overrides?: DeploymentOverrides;
}

/** Properties of `DynamoGraphRequest`. */
export interface DynamoGraphRequestProps extends DynamoGraphRequestBaseProps {
  /** Engine to profile. */
  readonly backend: 'vllm' | 'sglang' | 'trtllm';
  /**
   * How to search for a configuration.
   * @default Search.online()
   */
  readonly search?: Search;
}

const runtimes = { vllm: 'vllm-runtime', sglang: 'sglang-runtime', trtllm: 'tensorrtllm-runtime' } as const;

/** Requests a graph that meets latency targets from the profiler. */
export class DynamoGraphRequest extends Construct {
  /** Name of the object. */
  readonly name: string;
  /** The custom resource; its manifest keeps fields that the generated class does not define. */
  readonly resource: DynamoGraphDeploymentRequest;
  private readonly suppressions = new Map<string, string>();

  constructor(scope: Construct, id: string, props: DynamoGraphRequestProps) {
    super(scope, id);
    this.name = id;
    const platform = platformOf(this);
    const image = platform.image(runtimes[props.backend]);
    const spec: DynamoGraphDeploymentRequestSpec = {
      model: props.model.source,
      backend: props.backend,
      profilingConfig: {
        profilerImage: props.profilerImage ?? image,
        config: this.config(props),
        ...this.base(props),
        ...props.profiling,
      },
      deploymentOverrides: { workersImage: props.workersImage ?? image, ...props.overrides },
      autoApply: props.autoApply ?? false,
    };
    this.resource = keepManifest(
      new DynamoGraphDeploymentRequest(this, 'Default', { metadata: { name: id }, spec: Lazy.any({ produce: () => spec }) }),
    );
    addChecks(this, () => findingsOf({ object: this.resource, platform, suppressed: this.suppressions }));
  }

  /** Suppresses a finding for this request; the reason documents why. */
  suppress(id: string, reason: string): void {
    if (reason.trim() === '') throw authoringError(`suppressing ${id} on request ${this.name} needs a reason`);
    forgetSnapshot(this);
    this.suppressions.set(id, reason);
  }

  private config(props: DynamoGraphRequestProps): JsonObject {
    const { sla, hardware, modelCache } = props;
    const gpus = {
      ...(hardware?.minGpus === undefined ? {} : { minNumGpusPerEngine: hardware.minGpus }),
      ...(hardware?.maxGpus === undefined ? {} : { maxNumGpusPerEngine: hardware.maxGpus }),
      ...(hardware === undefined ? {} : { numGpusPerNode: hardware.gpusPerNode ?? platformOf(this).gpusPerNode }),
    };
    return {
      ...(modelCache === undefined
        ? {}
        : { deployment: { modelCache: { pvcName: modelCache.cache.claimName, pvcPath: modelCache.path } } }),
      ...(hardware === undefined ? {} : { hardware: gpus }),
      sla: { isl: sla.isl, osl: sla.osl, ttft: sla.ttft.toMilliseconds(), itl: sla.itl.toMilliseconds() },
      sweep: (props.search ?? Search.online()).sweep,
      ...props.config,
    };
  }

  private base(props: DynamoGraphRequestProps): Pick<ProfilingConfig, 'configMapRef'> {
    const { base } = props;
    if (base === undefined) return {};
    if ('configMap' in base) return { configMapRef: { name: referencedName(base.configMap), key: base.key } };
    const name = `${this.name}-base`;
    new ApiObject(this, 'base', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { 'disagg.yaml': Lazy.any({ produce: () => manifestOf(base) }) },
    });
    return { configMapRef: { name, key: 'disagg.yaml' } };
  }
}

/** The YAML manifest of a graph, which the profiler reads. */
function manifestOf(graph: DynamoGraph): string {
  const object = graph.toJson();
  return isObject(object) ? toYaml(object) : '';
}

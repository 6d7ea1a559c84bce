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
import { nameOf } from '../plus/index.ts';
import { keepManifest } from './resource.ts';
import { addChecks, findingsOf } from './validation.ts';
import { authoringError } from './user-line.ts';

/** GPU systems AI Configurator knows. */
export const gpuSystems = ['h100_sxm', 'h200_sxm', 'b200_sxm', 'gb200_sxm', 'a100_sxm'] as const;

/** A GPU system AI Configurator knows. */
export type GpuSystem = (typeof gpuSystems)[number];

/** Options of `Search.aiConfigurator`. */
export interface AiConfiguratorOptions {
  /** The GPU system to compute for. */
  readonly system: GpuSystem;
  /**
   * Hugging Face id of the model, where AI Configurator knows it by another name.
   * @default - the request's model
   */
  readonly modelId?: string;
  /**
   * Version of the engine to compute for.
   * @default - AI Configurator's own
   */
  readonly backendVersion?: string;
}

/** How the profiler looks for a configuration. */
export class Search {
  /** Runs each candidate on GPUs; takes hours. */
  static online(): Search {
    return new Search({ useAiConfigurator: false });
  }

  /** Computes each candidate for a GPU system; takes seconds. Release 0.9 knows TensorRT-LLM only. */
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

/** Latency to reach for a kind of traffic. */
export interface Sla {
  /** Tokens of a prompt. */
  readonly isl: number;
  /** Tokens of an answer. */
  readonly osl: number;
  /** Time to first token. */
  readonly ttft: Duration;
  /** Time between tokens. */
  readonly itl: Duration;
}

/** GPUs the profiler may try. */
export interface RequestHardware {
  /**
   * Fewest GPUs of an engine.
   * @default - the profiler's own
   */
  readonly minGpus?: number;
  /**
   * Most GPUs of an engine.
   * @default - the profiler's own
   */
  readonly maxGpus?: number;
  /**
   * GPUs of a node.
   * @default - the platform's
   */
  readonly gpusPerNode?: number;
}

/** What every request has. */
export interface DynamoGraphRequestBaseProps {
  /** The model to serve. */
  readonly model: Model;
  /** Latency to reach. */
  readonly sla: Sla;
  /**
   * GPUs the profiler may try.
   * @default - the profiler's own choice
   */
  readonly hardware?: RequestHardware;
  /**
   * Graph the profiler starts from: one written here, or a key of a ConfigMap.
   * @default - the profiler's own
   */
  readonly base?: DynamoGraph | { readonly configMap: string | Pick<IConfigMap, 'name'>; readonly key: string };
  /**
   * Claim with the model's weights, and the folder in it.
   * @default - downloaded
   */
  readonly modelCache?: { readonly cache: Pick<ModelCache, 'claimName'>; readonly path: string };
  /**
   * Whether the result is deployed at once; it then never lands in Git.
   * @default false
   */
  readonly autoApply?: boolean;
  /**
   * Image of the profiling Job.
   * @default - the platform's image of the engine
   */
  readonly profilerImage?: string;
  /**
   * Image of the deployed workers.
   * @default - the platform's image of the engine
   */
  readonly workersImage?: string;
  /**
   * Further settings of the profiler.
   * @default - none
   */
  readonly config?: JsonObject;
  /**
   * Fields of `profilingConfig` as the API spells them.
   * @default - none
   */
  readonly profiling?: Partial<ProfilingConfig>;
  /**
   * Fields of `deploymentOverrides` as the API spells them.
   * @default - none
   */
  readonly overrides?: DeploymentOverrides;
}

/** Properties of `DynamoGraphRequest`. */
export interface DynamoGraphRequestProps extends DynamoGraphRequestBaseProps {
  /** The engine to profile. */
  readonly backend: 'vllm' | 'sglang' | 'trtllm';
  /**
   * How to look for a configuration.
   * @default Search.online()
   */
  readonly search?: Search;
}

const runtimes = { vllm: 'vllm-runtime', sglang: 'sglang-runtime', trtllm: 'tensorrtllm-runtime' } as const;

/** Asks the profiler for a graph that meets latency targets. */
export class DynamoGraphRequest extends Construct {
  /** Name of the object. */
  readonly name: string;
  /** The custom resource; its manifest is written as it is, whatever the class knows of it. */
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

  /** Suppresses a finding for this request; the reason is for the next reader. */
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
    if ('configMap' in base) return { configMapRef: { name: nameOf(base.configMap), key: base.key } };
    const name = `${this.name}-base`;
    new ApiObject(this, 'base', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { 'disagg.yaml': Lazy.any({ produce: () => textOf(base) }) },
    });
    return { configMapRef: { name, key: 'disagg.yaml' } };
  }
}

/** The manifest of a graph as the profiler reads it. */
function textOf(graph: DynamoGraph): string {
  const object = graph.toJson();
  return isObject(object) ? toYaml(object) : '';
}

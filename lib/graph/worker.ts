import { createHash } from 'node:crypto';
import { ApiObject, Size, SizeRoundingBehavior } from 'cdk8s';
import type { IConfigMap } from 'cdk8s-plus-28';
import { isObject, sortedDeep } from '../json/index.ts';
import { toYaml } from '../manifest/index.ts';
import type { ComponentOptions } from './component-props.ts';
import { Component, type Derived } from './component.ts';
import { varyEngine, type Engine } from './engine/engine.ts';
import type { Role } from './engine/base.ts';
import type { Num } from './engine/flag.ts';
import type { VllmEngine } from './engine/vllm.ts';
import type { DynamoGraph } from './graph.ts';
import { startCommand } from './launch.ts';
import type { ModelCache } from './model-cache.ts';
import type { Model } from './model.ts';
import { plusConstruct } from '../plus/index.ts';
import { authoringError } from './user-line.ts';

/** Properties of a worker whose engine is `E`. */
export interface WorkerProps<E extends Engine = Engine> extends ComponentOptions {
  /**
   * Engine to run.
   * @default - the graph's
   */
  readonly engine?: E;
  /**
   * Model to serve.
   * @default - the graph's
   */
  readonly model?: Model;
  /**
   * GPUs per pod, if the engine's options do not determine them, as with a configuration file in the image.
   * @default - derived from the engine's parallelism
   */
  readonly gpus?: number;
  /**
   * Maximum GPUs per pod; an engine that needs more runs on several nodes.
   * @default - the platform's
   */
  readonly gpusPerNode?: number;
  /**
   * Whether vLLM stores compiled kernels on the compilation claim of the model cache; only for vLLM.
   * @default false
   */
  readonly compilationCache?: E extends VllmEngine ? boolean : undefined;
  /**
   * Shell lines to run before the engine, such as `export LD_LIBRARY_PATH=…`; a shell then starts the engine.
   * @default - none; the engine starts without a shell
   */
  readonly shell?: readonly string[];
  /**
   * `subComponentType` of a worker that serves whole requests; prefill and decode workers have theirs.
   * @default - none
   */
  readonly subType?: 'prefill' | 'decode';
  /**
   * Arguments appended to the engine's.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
}

const configFolder = '/opt/dynamo/configs';
const configKey = 'engine.yaml';

/** The engine with arguments appended, so that parallelism flags among them count. */
function withArgs<E extends Engine>(engine: E, args: readonly string[]): E {
  return varyEngine(engine, { extraArgs: [...(engine.options.extraArgs ?? []), ...args] });
}

/** A worker: runs an engine that serves whole requests for a model, or one phase of them. */
export class Worker<E extends Engine = Engine> extends Component {
  /** The engine it runs. */
  readonly engine: E;
  /** The model it serves. */
  readonly model: Model;
  /** Whether it serves whole requests, or the prefill or decode phase. */
  readonly role: Role;
  private readonly props: WorkerProps<E>;
  private readonly config: Readonly<Record<string, unknown>> | undefined;

  constructor(graph: DynamoGraph, name: string, role: Role, engine: E, model: Model, props: WorkerProps<E>) {
    super(graph, name, props);
    this.role = role;
    this.engine = props.extraArgs === undefined ? engine : withArgs(engine, props.extraArgs);
    this.model = model;
    this.props = props;
    const cache = props.modelCache ?? graph.modelCache;
    if (props.compilationCache === true && (!cache || cache.compilationClaimName === undefined)) {
      throw authoringError(
        `worker ${name} of graph ${graph.name} has no claim for compiled kernels; set compilation or compilationClaimName of its model cache`,
      );
    }
    this.config = this.engine.configFor({ role, model });
    if (this.config !== undefined) {
      new ApiObject(this, 'config', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: this.configName },
        data: { [configKey]: this.configYaml },
      });
    }
  }

  /** The ConfigMap with the engine's configuration, as a cdk8s-plus construct; undefined if there is none. */
  get configMap(): IConfigMap | undefined {
    if (this.config === undefined) return undefined;
    return plusConstruct(this, 'config-map', ({ ConfigMap }, scope, id) =>
      ConfigMap.fromConfigMapName(scope, id, this.configName),
    );
  }

  override get counts(): Readonly<Record<string, Num | undefined>> {
    const parallel: Readonly<Record<string, unknown>> = {
      ...('parallel' in this.engine.options ? this.engine.options.parallel : {}),
    };
    const { gpus, gpusPerNode } = this.props;
    const sizes = Object.entries(parallel).filter((entry): entry is [string, Num] => typeof entry[1] !== 'boolean');
    return { ...Object.fromEntries(sizes.map(([key, value]) => [`parallel.${key}`, value])), gpus, gpusPerNode };
  }

  override get gpusPerPod(): number {
    if (this.props.gpus !== undefined) return this.props.gpus;
    return this.nodes === 1 ? this.engine.gpus : Math.ceil(this.engine.gpus / this.nodes);
  }

  override get nodes(): number {
    return Math.max(1, Math.ceil((this.engine.gpus || (this.props.gpus ?? 0)) / this.nodeSize));
  }

  /** Maximum GPUs per pod. */
  get nodeSize(): number {
    return this.props.gpusPerNode ?? this.graph.platform.gpusPerNode;
  }

  protected override get servedModel(): Model {
    return this.model;
  }

  protected override get scaledByPlanner(): boolean {
    return this.role !== 'aggregated' && this.graph.hasPlanner;
  }

  /** With several GPUs, NCCL and the engine's processes exchange more data through `/dev/shm` than fits into the operator's default of 8Gi. */
  protected override get defaultSharedMemory(): Size | undefined {
    if (this.gpusPerPod < 2) return undefined;
    const wanted = 10 * this.gpusPerPod;
    const half = this.props.memory?.toGibibytes({ rounding: SizeRoundingBehavior.FLOOR });
    return Size.gibibytes(half === undefined ? wanted : Math.max(1, Math.min(wanted, Math.floor(half / 2))));
  }

  protected override defaultCache(): ModelCache | undefined {
    return this.graph.modelCache;
  }

  protected derive(): Derived {
    const { engine, model, props } = this;
    const { router, fabric, platform } = this.graph;
    const config = this.config !== undefined;
    const args = engine.args({
      model,
      role: this.role,
      events: router?.events ?? (this.graph.picksByKvCache ? true : undefined),
      configPath: config ? `${configFolder}/${configKey}` : undefined,
    });
    const start = startCommand({
      backend: engine.backend,
      module: engine.module,
      args,
      nodes: this.nodes,
      prologue: props.shell ?? [],
    });
    return {
      type: 'worker',
      subType: this.role === 'aggregated' ? props.subType : this.role,
      image: engine.options.image ?? platform.image(engine.runtime),
      command: start.command,
      args: start.args,
      workingDir: engine.workingDir,
      env: engine.env,
      envFromSecret: this.tokenSecret(),
      resources: fabric?.resources(this.gpusPerPod),
      compilationCache: props.compilationCache,
      modelRef: 'lora' in engine.options && engine.options.lora !== undefined ? model.source : undefined,
      volumes: config ? [{ name: 'engine-config', configMap: { name: this.configName } }] : [],
      volumeMounts: config ? [{ name: 'engine-config', mountPath: configFolder, readOnly: true }] : [],
      // A changed ConfigMap does not restart pods that mount it; a changed hash in the pod template does.
      podAnnotations: config
        ? { 'dynamo-cdk8s/engine-config': createHash('sha256').update(this.configYaml).digest('hex').slice(0, 16) }
        : {},
    };
  }

  private tokenSecret(): string | undefined {
    const { token, kind } = this.model;
    if (token !== undefined) return token === false ? undefined : token.name;
    return kind === 'path' ? undefined : this.graph.platform.tokenSecretName;
  }

  private get configName(): string {
    return `${this.serviceName}-config`;
  }

  private get configYaml(): string {
    return isObject(this.config) ? toYaml(sortedDeep(this.config)) : '';
  }
}

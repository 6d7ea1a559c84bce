import {
  type ComponentSpec,
  type DynamoGraphDeploymentSpec,
  dynamoNamespace,
  type PersistentVolumeClaimEntry,
  type Restart,
} from '../api/index.ts';
import { discoveryAccount, inferencePoolName } from '../render/index.ts';
import { ApiObject, Lazy, type ApiObjectMetadata, type ApiObjectProps, type JsonPatch } from 'cdk8s';
import type { ISecret, IServiceAccount } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { DynamoGraphDeployment } from '../../imports/nvidia.com.ts';
import type { Finding } from '../lint/index.ts';
import { dynamoChartOf, platformOf, type DynamoChart } from './chart.ts';
import { Component } from './component.ts';
import { CustomComponent, ManifestComponent, type CustomComponentProps } from './custom-component.ts';
import { DynamoModel, type LoraProps } from './dynamo-model.ts';
import type { Engine } from './engine/engine.ts';
import { readYamlGraph } from './from-yaml.ts';
import { Epp, type EppProps } from './epp.ts';
import type { Fabric } from './fabric.ts';
import { Frontend, type FrontendProps } from './frontend.ts';
import type { ModelCache } from './model-cache.ts';
import type { Model } from './model.ts';
import { aggregated, disaggregated, type AggregatedProps, type DisaggregatedProps } from './graph-presets.ts';
import { Planner, type PlannerProps } from './planner.ts';
import type { Platform } from './platform.ts';
import { renderEnv, type Env } from './plain.ts';
import { plusServiceAccount, plusSecret } from '../plus/index.ts';
import { keepManifest } from './resource.ts';
import type { Router } from './router.ts';
import { fewestNodes, unevenGpus, wrongCounts } from './sizing.ts';
import { forgetSnapshot } from './app-snapshot.ts';
import { addChecks, findingsOf, type GraphFinding } from './validation.ts';
import { Worker, type WorkerProps } from './worker.ts';
import { authoringError } from './user-line.ts';

/** Properties of `DynamoGraph`. */
export interface DynamoGraphProps<E extends Engine = Engine> {
  /**
   * Name of the graph; its Dynamo namespace is the Kubernetes namespace, a dash and this name.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Metadata of the object: labels, annotations, namespace.
   * @default - only the name
   */
  readonly metadata?: Omit<ApiObjectMetadata, 'name'>;
  /**
   * Model that the workers serve.
   * @default - set on each worker
   */
  readonly model?: Model;
  /**
   * Engine that the workers run.
   * @default - set on each worker
   */
  readonly engine?: E;
  /**
   * How the frontend chooses a worker.
   * @default - round robin
   */
  readonly router?: Router;
  /**
   * Shared volume with the model weights.
   * @default - none; every pod downloads them
   */
  readonly modelCache?: ModelCache;
  /**
   * Network between GPUs of different pods.
   * @default - the pod network
   */
  readonly fabric?: Fabric;
  /**
   * Environment variables of every component.
   * @default - none
   */
  readonly env?: Env;
  /**
   * Value of `backendFramework`, which cannot be changed later; required if workers run custom scripts.
   * @default - not set; the operator detects it from the workers' commands
   */
  readonly backend?: Exclude<Engine['backend'], 'mocker'>;
  /**
   * Whether the graph must have a frontend; `false` if the frontend of another graph serves it.
   * @default true
   */
  readonly frontend?: boolean;
  /**
   * Restart of all components: a new `id` triggers it, `strategy` sets the order.
   * @default - none
   */
  readonly restart?: Restart;
  /**
   * Release, images and nodes that the graph runs on.
   * @default - the chart's
   */
  readonly platform?: Platform;
  /**
   * Fields of the graph in API format, except `services`; each overrides the field that other properties set.
   * @default - none
   */
  readonly spec?: Omit<DynamoGraphDeploymentSpec, 'services'>;
}

/** A Dynamo graph: a frontend, workers and other components, deployed as one DynamoGraphDeployment. */
export class DynamoGraph<E extends Engine = Engine> extends Construct {
  /** A graph whose workers serve whole requests. */
  static aggregated<E extends Engine>(scope: Construct, id: string, props: AggregatedProps<E>): DynamoGraph<E> {
    return aggregated(new DynamoGraph<E>(scope, id, { ...props, frontend: props.frontend !== false }), props);
  }

  /** A graph with separate prefill and decode workers. */
  static disaggregated<E extends Engine>(scope: Construct, id: string, props: DisaggregatedProps<E>): DynamoGraph<E> {
    return disaggregated(new DynamoGraph<E>(scope, id, { ...props, frontend: props.frontend !== false }), props);
  }

  /** A graph from a YAML file or a YAML string of several lines, checked like any other; other objects in it are added as they are. */
  static fromYaml(scope: Construct, id: string, fileOrYaml: string): DynamoGraph {
    const { name, metadata, spec, others } = readYamlGraph(fileOrYaml);
    const { services, ...rest } = spec;
    const graph = new DynamoGraph(scope, id, { name, metadata, spec: rest, frontend: false });
    for (const [key, service] of Object.entries(services ?? {})) graph.addManifest(key, service);
    others.forEach((object, index) => new ApiObject(graph, `object-${index}`, object as unknown as ApiObjectProps));
    return graph;
  }

  /** Name of the graph. */
  readonly name: string;
  /** Release, images and nodes that the graph runs on. */
  readonly platform: Platform;
  /** Model that the workers serve. */
  readonly model: Model | undefined;
  /** Engine that the workers run. */
  readonly engine: E | undefined;
  /** How the frontend chooses a worker. */
  readonly router: Router | undefined;
  /** Shared volume with the model weights. */
  readonly modelCache: ModelCache | undefined;
  /** Network between GPUs of different pods. */
  readonly fabric: Fabric | undefined;
  /** Whether list items include values that the API server defaults. */
  readonly explicitDefaults: boolean;
  /** Scope of the component constructs. */
  readonly componentScope: Construct;
  /** The custom resource; its manifest keeps fields that the generated class does not define. */
  readonly resource: DynamoGraphDeployment;
  private readonly props: DynamoGraphProps<E>;
  private readonly byName = new Map<string, Component>();
  private readonly suppressions = new Map<string, string>();

  constructor(scope: Construct, id: string, props: DynamoGraphProps<E> = {}) {
    super(scope, id);
    this.props = props;
    this.name = props.name ?? id;
    this.platform = props.platform ?? platformOf(this);
    this.model = props.model;
    this.engine = props.engine;
    this.router = props.router;
    this.modelCache = props.modelCache;
    this.fabric = props.fabric;
    this.explicitDefaults = this.dynamoChart?.explicitDefaults ?? true;
    this.componentScope = new Construct(this, 'components');
    this.resource = keepManifest(
      new DynamoGraphDeployment(this, 'Default', {
        metadata: { ...props.metadata, name: this.name },
        spec: Lazy.any({ produce: () => this.renderSpec() }),
      }),
    );
    forgetSnapshot(this);
    addChecks(
      this,
      () => this.findings,
      (path) => this.byName.get(path.split('.')[2] ?? '')?.userLine,
    );
  }

  /** Adds the HTTP frontend. */
  addFrontend(props: FrontendProps = {}, name = 'Frontend'): Frontend {
    return new Frontend(this, name, props);
  }

  /** Adds a worker that serves whole requests. */
  addWorker<F extends Engine = E>(name: string, props: WorkerProps<F> = {}): Worker<F> {
    return this.newWorker(name, 'aggregated', props);
  }

  /** Adds a worker that computes the KV blocks of prompts. */
  addPrefill<F extends Engine = E>(name: string, props: WorkerProps<F> = {}): Worker<F> {
    return this.newWorker(name, 'prefill', props);
  }

  /** Adds a worker that generates tokens from KV blocks. */
  addDecode<F extends Engine = E>(name: string, props: WorkerProps<F> = {}): Worker<F> {
    return this.newWorker(name, 'decode', props);
  }

  /** Adds a planner, which scales prefill and decode workers. */
  addPlanner(props: PlannerProps = {}, name = 'Planner'): Planner {
    return new Planner(this, name, props);
  }

  /** Adds an endpoint picker for an inference gateway. */
  addEpp(props: EppProps = {}, name = 'Epp'): Epp {
    return new Epp(this, name, props);
  }

  /** Adds a component of any kind. */
  addComponent(name: string, props: CustomComponentProps = {}): CustomComponent {
    return new CustomComponent(this, name, props);
  }

  /** Adds a component in API format; nothing is derived. */
  addManifest(name: string, spec: ComponentSpec): ManifestComponent {
    return new ManifestComponent(this, name, spec);
  }

  /** Adds a LoRA adapter for the graph's model. */
  addLora(id: string, props: LoraProps): DynamoModel {
    const worker = this.components.find((c) => c instanceof Worker);
    const base = worker?.model.source ?? this.model?.source;
    if (base === undefined) throw authoringError(`graph ${this.name} has no model; give it one before adding the adapter ${id}`);
    return new DynamoModel(this, id, { ...props, baseModelName: base, type: 'lora' });
  }

  /** The components, in the order they were added. */
  get components(): readonly Component[] {
    return [...this.byName.values()];
  }

  /** A component by its name. */
  component(name: string): Component {
    const found = this.byName.get(name);
    if (found === undefined)
      throw authoringError(`graph ${this.name} has no component ${name}; it has ${[...this.byName.keys()].join(', ') || 'none'}`);
    return found;
  }

  /** The first frontend. */
  get frontend(): Frontend {
    const found = this.components.find((c) => c instanceof Frontend);
    if (found === undefined) throw authoringError(`graph ${this.name} has no frontend; call addFrontend first`);
    return found;
  }

  /** Image of components without an engine. */
  get image(): string {
    const engine = this.engine ?? this.components.find((c) => c instanceof Worker)?.engine;
    return engine?.options.image ?? this.platform.image(engine?.runtime ?? 'vllm-runtime');
  }

  /** The model of components that are not workers. */
  get servedModel(): Model | undefined {
    return this.model ?? this.components.find((c) => c instanceof Worker)?.model;
  }

  /** Whether a planner scales the prefill and decode workers. */
  get hasPlanner(): boolean {
    return this.components.some((c) => c instanceof Planner);
  }

  /** Whether an endpoint picker chooses workers by their KV blocks. */
  get picksByKvCache(): boolean {
    return this.components.some((c) => c instanceof Epp && c.picksByKvCache);
  }

  /** Name of the Secret with the token for the graph's model. */
  get tokenSecretName(): string | undefined {
    const model = this.servedModel;
    if (model === undefined || model.token === false) return undefined;
    return model.token?.name ?? (model.kind === 'path' ? undefined : this.platform.tokenSecretName);
  }

  /** Secret with the token for the graph's model, as a cdk8s-plus construct. */
  get tokenSecret(): ISecret | undefined {
    const name = this.tokenSecretName;
    return name === undefined ? undefined : plusSecret(this, name);
  }

  /** ServiceAccount that the operator creates for the graph's pods, as a cdk8s-plus construct, to grant it further permissions. */
  get serviceAccount(): IServiceAccount {
    return plusServiceAccount(this, discoveryAccount(this.name), this.resource.metadata.namespace);
  }

  /** Dynamo namespace, in which components discover each other: the Kubernetes namespace, a dash and the name. */
  get dynamoNamespace(): string {
    const { namespace } = this.resource.metadata;
    if (namespace === undefined)
      throw authoringError(`the Dynamo namespace of graph ${this.name} depends on its Kubernetes namespace; give its chart one`);
    return dynamoNamespace(namespace, this.name, false);
  }

  /** Name of the InferencePool that the operator creates for a graph with an endpoint picker. */
  get inferencePoolName(): string {
    return inferencePoolName(this.name);
  }

  /** Number of GPUs of all components. */
  get totalGpus(): number {
    return this.components.reduce((sum, c) => sum + c.totalGpus, 0);
  }

  /** Minimum number of nodes, with the platform's `gpusPerNode`, that fit all pods with GPUs. */
  get totalNodes(): number {
    return fewestNodes(this.components, this.platform.gpusPerNode);
  }

  /** Patches the object; paths start at its root, as in `/metadata/annotations/team`. */
  addPatch(...ops: JsonPatch[]): void {
    this.resource.addJsonPatch(...ops);
  }

  /** Suppresses a finding for this graph; the reason documents why. */
  suppress(id: string, reason: string): void {
    if (reason.trim() === '') throw authoringError(`suppressing ${id} on graph ${this.name} needs a reason`);
    forgetSnapshot(this);
    this.suppressions.set(id, reason);
  }

  /** Findings that were suppressed, with their reasons. */
  get suppressed(): ReadonlyMap<string, string> {
    return this.suppressions;
  }

  /** Errors and warnings about the graph as it currently is. */
  get findings(): readonly GraphFinding[] {
    return findingsOf({
      object: this.resource,
      platform: this.platform,
      suppressed: this.suppressions,
      intended: (finding) => this.isIntended(finding),
      downgraded: (finding) => this.isDowngraded(finding),
      authored: () => [...wrongCounts(this.components), ...unevenGpus(this.components)],
    });
  }

  /** The object as it will be written. */
  toJson(): Record<string, unknown> {
    return this.resource.toJson() as Record<string, unknown>;
  }

  /** The DynamoChart that contains the graph, if any. */
  get dynamoChart(): DynamoChart | undefined {
    return dynamoChartOf(this);
  }

  /** Whether the graph must have a frontend. */
  get needsFrontend(): boolean {
    return this.props.frontend ?? true;
  }

  /** Called by the constructor of each component. */
  register(component: Component): void {
    forgetSnapshot(this);
    this.byName.set(component.name, component);
  }

  /** Whether a finding is about something that properties declare and a manifest cannot express: a public model, a frontend in another graph. */
  private isIntended({ id, path }: Finding): boolean {
    if (id === 'DYN-ROLE-006') return !this.needsFrontend && path.length === 2;
    return (
      id === 'DYN-REF-001' && this.components.some((c) => c instanceof Worker && c.name === path[2] && c.model.token === false)
    );
  }

  /** Whether a finding is about the image tag that the platform sets. */
  private isDowngraded({ id, path }: Finding): boolean {
    const { tag, release } = this.platform;
    const image = this.byName.get(String(path[2]))?.render().extraPodSpec?.mainContainer?.image;
    return id === 'DYN-VER-001' && tag !== release && path.at(-1) === 'image' && image?.endsWith(`:${tag}`) === true;
  }

  private newWorker<F extends Engine>(name: string, role: Worker['role'], props: WorkerProps<F>): Worker<F> {
    const engine = props.engine ?? (this.engine as F | undefined);
    const model = props.model ?? this.model;
    if (engine === undefined)
      throw authoringError(`worker ${name} of graph ${this.name} has no engine; give it or the graph one`);
    if (model === undefined) throw authoringError(`worker ${name} of graph ${this.name} has no model; give it or the graph one`);
    return new Worker(this, name, role, engine, model, props);
  }

  private renderSpec(): DynamoGraphDeploymentSpec {
    const { props } = this;
    const claims = new Set(this.components.flatMap((c) => c.cacheMounts().map((m) => m.claimName)));
    const pvcs = [...claims].map((name): PersistentVolumeClaimEntry => ({
      name,
      create: false,
      ...(this.explicitDefaults ? { size: '0' } : {}),
    }));
    return {
      ...(props.backend === undefined ? {} : { backendFramework: props.backend }),
      ...(props.env === undefined ? {} : { envs: renderEnv(props.env) }),
      ...(pvcs.length === 0 ? {} : { pvcs }),
      ...(props.restart === undefined ? {} : { restart: props.restart }),
      ...props.spec,
      services: Object.fromEntries(this.components.map((c) => [c.name, c.render()])),
    };
  }
}

import { serviceObjectName } from '../render/index.ts';
import { Chart, JsonPatch, type Size } from 'cdk8s';
import { Construct } from 'constructs';
import type {
  ComponentSpec,
  ContainerVolumeMount,
  EnvVar,
  ExtraPodSpec,
  MainContainer,
  Resources,
  Volume,
  VolumeMount,
} from '../api/index.ts';
import type { ComponentOptions } from './component-props.ts';
import { ModelCache, type CacheMount } from './model-cache.ts';
import type { DynamoGraph } from './graph.ts';
import type { Num } from './engine/flag.ts';
import type { Model } from './model.ts';
import { referencedName } from '../plus/index.ts';
import { listEnv, renderEnv, renderProbe, renderVolume, type Env } from './plain.ts';
import { renderCpu } from './quantity.ts';
import type { Scaler } from './scaler.ts';
import { forgetSnapshot } from './app-snapshot.ts';
import { authoringError, UserLine } from './user-line.ts';

/** Types of components. */
export const componentTypes = ['frontend', 'worker', 'prefill', 'decode', 'planner', 'epp', 'default'] as const;

/** Type of a component. */
export type ComponentType = (typeof componentTypes)[number];

/** Fields that a kind of component derives from its properties and the graph; all other fields come from its options. */
export interface Derived {
  readonly type?: ComponentType | undefined;
  readonly subType?: string | undefined;
  readonly image?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly workingDir?: string | undefined;
  readonly env?: Env | undefined;
  readonly envFromSecret?: string | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly ContainerVolumeMount[];
  readonly podAnnotations?: Readonly<Record<string, string>>;
  readonly compilationCache?: boolean | undefined;
  readonly modelRef?: string | undefined;
  readonly eppConfig?: ComponentSpec['eppConfig'];
  readonly ingress?: ComponentSpec['ingress'];
}

/** Drops undefined values and empty lists; undefined if nothing is left. */
function present<T extends object>(value: T): T | undefined {
  const entries = Object.entries(value).filter(([, v]) => v !== undefined && !(Array.isArray(v) && v.length === 0));
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}

function stringValues(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

/** One component of a graph. */
export abstract class Component extends Construct {
  /** Name of the component, the key of its service in the graph. */
  readonly name: string;
  /** The graph it belongs to. */
  readonly graph: DynamoGraph;
  /** The line of user code that added it. */
  readonly userLine = new UserLine();
  /** Number of replicas. */
  readonly replicas: number;
  protected readonly options: ComponentOptions;
  private readonly patches: JsonPatch[] = [];
  private readonly claims = new Map<string, string>();
  private scaled = false;

  constructor(graph: DynamoGraph, name: string, options: ComponentOptions) {
    // The constructs library looks up ids in a plain object, which inherits keys such as `constructor`.
    super(graph.componentScope, name in {} ? `${name}-component` : name);
    this.name = name;
    this.graph = graph;
    this.options = options;
    this.replicas = options.spec?.replicas ?? options.replicas ?? 1;
    graph.register(this);
  }

  /** Derives fields from the component's properties and the graph. */
  protected abstract derive(): Derived;

  /** Options that must be positive integers, by name. */
  get counts(): Readonly<Record<string, Num | undefined>> {
    return {};
  }

  /** GPUs per pod. */
  get gpusPerPod(): number {
    return Number(this.options.spec?.resources?.limits?.gpu ?? 0) || 0;
  }

  /** Nodes per replica. */
  get nodes(): number {
    return this.options.spec?.multinode?.nodeCount ?? 1;
  }

  /** Number of pods of all replicas. */
  get pods(): number {
    return this.replicas * this.nodes;
  }

  /** Number of GPUs of all pods. */
  get totalGpus(): number {
    return this.pods * this.gpusPerPod;
  }

  /** Name of the Service, Deployment and scaling adapter that the operator creates for the component. */
  get serviceName(): string {
    return serviceObjectName(this.graph.name, this.name);
  }

  /** Name of the scaling adapter, which exists once the component is autoscaled. */
  get scalingAdapterName(): string {
    return this.serviceName;
  }

  /** Whether an autoscaler sets the replicas. */
  get autoscaled(): boolean {
    return this.scaled;
  }

  /** Patches the component; paths start at the component, as in `/ingress/enabled`. */
  addPatch(...ops: JsonPatch[]): void {
    forgetSnapshot(this);
    this.patches.push(...ops);
  }

  /** Adds a claim for dynamic resource allocation to the pods and their main container. */
  addResourceClaim(name: string, templateName: string): void {
    forgetSnapshot(this);
    this.claims.set(name, templateName);
  }

  /** Lets an autoscaler set the replicas. */
  autoscale(scaler: Scaler): void {
    if (this.scaled)
      throw authoringError(`component ${this.name} of graph ${this.graph.name} is autoscaled twice; keep one call of autoscale`);
    forgetSnapshot(this);
    this.scaled = true;
    scaler.bind(this);
  }

  /** The mounts of the component's model cache. */
  cacheMounts(): readonly CacheMount[] {
    const cache = this.options.modelCache ?? this.defaultCache();
    return cache instanceof ModelCache ? cache.mounts(this.derive().compilationCache === true, this.servedModel) : [];
  }

  /** The component in API format. */
  render(): ComponentSpec {
    const spec = this.renderUnpatched();
    return this.patches.length === 0 ? spec : (JsonPatch.apply(structuredClone(spec), ...this.patches) as ComponentSpec);
  }

  /** The component without its patches. */
  protected renderUnpatched(): ComponentSpec {
    return { ...this.assemble(this.derive()), ...this.options.spec };
  }

  /** The model that the component serves, or that of the graph. */
  protected get servedModel(): Model | undefined {
    return this.graph.servedModel;
  }

  /** Whether a planner sets the replicas. */
  protected get scaledByPlanner(): boolean {
    return false;
  }

  /** Default size of `/dev/shm`. */
  protected get defaultSharedMemory(): Size | undefined {
    return undefined;
  }

  /** The model cache that is mounted by default. */
  protected defaultCache(): ModelCache | false | undefined {
    return undefined;
  }

  private assemble(derived: Derived): ComponentSpec {
    const { options } = this;
    const mounts = this.cacheMounts();
    return (
      present<ComponentSpec>({
        annotations: options.annotations,
        labels: options.labels,
        componentType: derived.type,
        subComponentType: derived.subType,
        globalDynamoNamespace: options.globalNamespace,
        replicas: (this.scaled || this.scaledByPlanner) && options.replicas === undefined ? undefined : this.replicas,
        multinode: this.nodes > 1 ? { nodeCount: this.nodes } : undefined,
        resources: this.renderResources(derived),
        sharedMemory: this.renderSharedMemory(),
        envs: this.renderEnvs(derived, mounts),
        envFromSecret:
          options.envFromSecret === undefined
            ? derived.envFromSecret
            : options.envFromSecret === false
              ? undefined
              : referencedName(options.envFromSecret),
        volumeMounts: mounts.map((m) => this.renderCacheMount(m)),
        modelRef: derived.modelRef === undefined ? undefined : { name: derived.modelRef },
        livenessProbe: options.livenessProbe && renderProbe(options.livenessProbe),
        readinessProbe: options.readinessProbe && renderProbe(options.readinessProbe),
        scalingAdapter: this.scaled ? { enabled: true } : undefined,
        ingress: derived.ingress,
        eppConfig: derived.eppConfig,
        extraPodMetadata: present({
          annotations: present({ ...derived.podAnnotations, ...options.podAnnotations }),
          // cdk8s sets the labels of a chart on the DynamoGraphDeployment, and the operator does not copy them to pods
          labels: present({ ...Chart.of(this).labels, ...options.podLabels }),
        }),
        extraPodSpec: this.renderPod(derived),
      }) ?? {}
    );
  }

  private renderResources(derived: Derived): Resources | undefined {
    const { cpu, cpuRequest = cpu, memory, memoryRequest = memory, resources, requestGpus } = this.options;
    return present<Resources>({
      limits: present({
        cpu: cpu === undefined ? undefined : renderCpu(cpu),
        memory: memory?.asString(),
        gpu: this.gpusPerPod === 0 ? undefined : String(this.gpusPerPod),
        custom: present(stringValues({ ...derived.resources, ...resources })),
      }),
      requests: present({
        gpu: requestGpus === true && this.gpusPerPod > 0 ? String(this.gpusPerPod) : undefined,
        cpu: cpuRequest === undefined ? undefined : renderCpu(cpuRequest),
        memory: memoryRequest?.asString(),
      }),
      claims: [...this.claims.keys()].map((name) => ({ name })),
    });
  }

  private renderSharedMemory(): ComponentSpec['sharedMemory'] {
    const { sharedMemory = this.defaultSharedMemory ?? false } = this.options;
    return sharedMemory === false ? undefined : { size: sharedMemory.asString() };
  }

  private renderEnvs(derived: Derived, mounts: readonly CacheMount[]): EnvVar[] {
    const homes = mounts.filter((m) => m.hfHome).map((m) => ({ HF_HOME: m.mountPath }));
    return renderEnv(Object.assign({}, ...homes, derived.env, this.options.env));
  }

  private renderCacheMount(mount: CacheMount): VolumeMount {
    const explicit = this.graph.explicitDefaults || mount.compilation ? { useAsCompilationCache: mount.compilation } : {};
    return { name: mount.claimName, mountPoint: mount.mountPath, ...explicit };
  }

  private renderPod(derived: Derived): ExtraPodSpec | undefined {
    const { pod = {}, placement, mounts = [], terminationGracePeriod, serviceAccount, imagePullSecrets = [] } = this.options;
    const claims = [...this.claims].map(([name, resourceClaimTemplateName]) => ({ name, resourceClaimTemplateName }));
    return present<ExtraPodSpec>({
      // The schema rejects a fraction, with the line of the program.
      terminationGracePeriodSeconds: terminationGracePeriod?.toSeconds({ integral: false }),
      serviceAccountName: serviceAccount === undefined ? undefined : referencedName(serviceAccount),
      ...pod,
      ...placement?.render(pod),
      volumes: [...(derived.volumes ?? []), ...mounts.map((m) => renderVolume(m.volume)), ...(pod.volumes ?? [])],
      imagePullSecrets: [
        ...imagePullSecrets.map((secret) => ({ name: referencedName(secret) })),
        ...(pod.imagePullSecrets ?? []),
      ],
      resourceClaims: [...claims, ...(pod.resourceClaims ?? [])],
      mainContainer: this.renderContainer(derived),
    });
  }

  private renderContainer(derived: Derived): MainContainer | undefined {
    const { container = {}, containerEnv, image, workingDir, startupProbe, mounts = [] } = this.options;
    const mounted = mounts.map((m): ContainerVolumeMount => {
      const { volume, path, readOnly, subPath, subPathExpr, propagation } = m;
      return {
        name: volume.name,
        mountPath: path,
        ...present({ readOnly, subPath, subPathExpr, mountPropagation: propagation }),
      };
    });
    return present<MainContainer>({
      image: image ?? derived.image,
      workingDir: workingDir ?? derived.workingDir,
      ...this.renderCommand(derived),
      startupProbe: startupProbe && renderProbe(startupProbe),
      ...container,
      ...(containerEnv === undefined ? {} : { env: [...listEnv(containerEnv), ...(container.env ?? [])] }),
      volumeMounts: [...(derived.volumeMounts ?? []), ...mounted, ...(container.volumeMounts ?? [])],
    });
  }

  private renderCommand(derived: Derived): Pick<MainContainer, 'command' | 'args'> {
    const { args } = derived;
    const [program, ...rest] = derived.command ?? [];
    const python = program === 'python3' ? (this.options.python ?? program) : program;
    const command = python === undefined ? derived.command : [python, ...rest];
    if (this.options.moduleIn !== 'args' || command === undefined) return { command, args };
    return { command: command.slice(0, 1), args: [...command.slice(1), ...(args ?? [])] };
  }
}
